package config

import (
	"context"
	"fmt"
)

// Value is something an App is told, that is read when it is needed. Each method
// returns a changed copy and applies to what the Value is by then, so Default comes
// before the Validate that is to see the default too. The zero Value is never set.
type Value[T any] struct {
	name string                                                   // as an Error calls it
	read func(ctx context.Context, secret bool) (found[T], error) // secret is told downwards
}

// found is what reading a Value came to. It is all zero when the Value is not set.
type found[T any] struct {
	value  T
	set    bool
	secret bool   // told upwards, to what comes after Secret in the chain
	text   string // as an Error shows it
}

// Literal is a Value that is v.
func Literal[T any](v T) Value[T] {
	return Value[T]{read: func(context.Context, bool) (found[T], error) {
		return found[T]{value: v, set: true, text: fmt.Sprint(v)}, nil
	}}
}

// Read returns the value. A Value that is not set, has no default and is not
// required is the zero T. Whatever is wrong is an [*Error], or several of them joined.
func (v Value[T]) Read(ctx context.Context) (T, error) {
	f, err := v.resolve(ctx, false)
	return f.value, err
}

// Default makes the Value d where it is not set.
func (v Value[T]) Default(d T) Value[T] {
	return v.with(func(f found[T], _ bool) (found[T], error) {
		if !f.set {
			f = found[T]{value: d, set: true, secret: f.secret, text: fmt.Sprint(d)}
		}
		return f, nil
	})
}

// Required makes it an error that the Value is not set.
func (v Value[T]) Required() Value[T] {
	return v.with(func(f found[T], _ bool) (found[T], error) {
		if !f.set {
			return found[T]{}, &Error{Name: v.name, Err: errNotSet}
		}
		return f, nil
	})
}

// Validate has check look at the value, where there is one. An error of it should
// say what was expected, and need not name the variable.
func (v Value[T]) Validate(check func(T) error) Value[T] {
	return v.with(func(f found[T], secret bool) (found[T], error) {
		if !f.set {
			return f, nil
		}
		err := quiet(secret, func() error { return check(f.value) })
		if err != nil {
			return found[T]{}, refuse(v.name, f.text, "", err, secret)
		}
		return f, nil
	})
}

// Or is other where the Value is not set. Instead of a secret, other is one too.
func (v Value[T]) Or(other Value[T]) Value[T] {
	either := v
	either.read = func(ctx context.Context, secret bool) (found[T], error) {
		f, err := v.resolve(ctx, secret)
		if f.set || err != nil {
			return f, err
		}
		// What takes the place of a secret is one.
		instead, err := other.resolve(ctx, secret || f.secret)
		instead.secret = instead.secret || f.secret
		return instead, err
	}
	if v.name != "" && other.name != "" {
		either.name = v.name + " or " + other.name
	}
	return either
}

// Secret keeps what the Value holds out of every error, also out of those of parsers
// and checks, wherever in the chain it stands.
func (v Value[T]) Secret() Value[T] {
	read := v.resolve
	v.read = func(ctx context.Context, _ bool) (found[T], error) {
		f, err := read(ctx, true)
		f.secret = true
		return f, err
	}
	return v
}

// with returns v with step after everything else.
func (v Value[T]) with(step func(found[T], bool) (found[T], error)) Value[T] {
	read := v.resolve
	v.read = func(ctx context.Context, secret bool) (found[T], error) {
		f, err := read(ctx, secret)
		if err != nil {
			return found[T]{}, err
		}
		return step(f, secret || f.secret)
	}
	return v
}

func (v Value[T]) resolve(ctx context.Context, secret bool) (found[T], error) {
	if v.read == nil {
		return found[T]{}, nil
	}
	return v.read(ctx, secret)
}
