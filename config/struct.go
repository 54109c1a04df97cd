package config

import (
	"context"
	"errors"
)

// Resolver reads Values for [Struct] and keeps what is wrong with them. It belongs to
// one call of Struct's function and one goroutine.
type Resolver struct {
	ctx    context.Context
	secret bool // the whole is
	holds  bool // one of them is
	errs   []error
}

// Get reads v. Where something is wrong with it, Get returns the zero T, so that the
// caller can go on and everything that is wrong is found at once.
func Get[T any](r *Resolver, v Value[T]) T {
	f, err := v.resolve(r.ctx, r.secret)
	if err != nil {
		r.errs = append(r.errs, err)
	}
	r.holds = r.holds || f.secret
	return f.value
}

// Struct is a Value that f puts together from others with [Get]. It is an error as
// soon as one of those is, and that error has them all, a line each. f should do
// nothing but read: what it returns is thrown away when something was wrong. A Struct
// with a secret in it is one, so what its own Validate finds wrong is not said.
func Struct[T any](f func(r *Resolver) T) Value[T] {
	return Value[T]{read: func(ctx context.Context, secret bool) (found[T], error) {
		r := &Resolver{ctx: ctx, secret: secret}
		v := collect(r, f)
		switch len(r.errs) {
		case 0:
			return found[T]{value: v, set: true, secret: r.holds}, nil
		case 1:
			return found[T]{}, r.errs[0]
		default:
			return found[T]{}, errors.Join(r.errs...)
		}
	}}
}

// collect calls f. Once something was wrong f works with zero values, and a panic that
// comes of it, such as that of a nil URL, must not hide the reason.
func collect[T any](r *Resolver, f func(*Resolver) T) T {
	defer func() {
		if len(r.errs) > 0 {
			_ = recover()
		}
	}()
	return f(r)
}
