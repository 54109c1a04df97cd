package proxy

import (
	"errors"
	"fmt"
	"net"

	"github.com/brunt-go/brunt/network/toxic"
)

// Toxics returns the toxics in the order they were added.
func (p *Proxy) Toxics() []toxic.Active { return p.toxics.Toxics() }

// Toxic returns a toxic by its name. The error matches toxic.ErrNotFound.
func (p *Proxy) Toxic(name string) (toxic.Active, error) {
	for _, a := range p.toxics.Toxics() {
		if a.Spec.Name == name {
			return a, nil
		}
	}
	return toxic.Active{}, fmt.Errorf("%w: %q", toxic.ErrNotFound, name)
}

// Add puts a toxic behind those that are there, on open connections too. The error
// is what toxic.CheckSpec finds wrong with it, or matches toxic.ErrExists.
func (p *Proxy) Add(s toxic.Spec) error {
	p.change.Lock()
	defer p.change.Unlock()
	if p.closed {
		return ErrClosed
	}
	if err := CheckToxic(s); err != nil {
		return err
	}
	if err := p.toxics.Add(s); err != nil {
		return err
	}
	p.tell(Event{Type: ToxicAdded, Toxic: s.Name, Stream: s.Stream})
	return p.settle() // a toxic that was added makes nothing listen: no error
}

// Update puts what f makes of a toxic in its place, at once and all of it or, with
// an error, nothing of it. Updates of one proxy come one after another. f must not
// call the proxy. The error is f's, what toxic.CheckSpec finds wrong, or matches
// toxic.ErrNotFound.
func (p *Proxy) Update(name string, f func(toxic.Spec) (toxic.Spec, error)) error {
	p.change.Lock()
	defer p.change.Unlock()
	old, err := p.Toxic(name)
	if err != nil {
		return err
	}
	s, err := f(old.Spec)
	if err != nil {
		return err
	}
	s.Name = name
	if err := CheckToxic(s); err != nil {
		return err
	}
	if err := p.toxics.Update(s); err != nil {
		return err
	}
	if err := p.settle(); err != nil {
		return errors.Join(err, p.toxics.Update(old.Spec), p.settle())
	}
	p.tell(Event{Type: ToxicChanged, Toxic: name, Stream: s.Stream})
	return nil
}

// Remove takes a toxic away. What it holds back goes on. The error matches
// toxic.ErrNotFound, or says why connections could not be accepted again; then the
// toxic stays.
func (p *Proxy) Remove(name string) error {
	p.change.Lock()
	defer p.change.Unlock()
	return p.remove(name)
}

func (p *Proxy) remove(name string) error {
	old, err := p.Toxic(name)
	if err != nil {
		return err
	}
	var l net.Listener
	if p.readmits(name) { // what may fail comes first: a toxic put back would stand behind the others
		if l, err = p.open(p.Addr()); err != nil {
			return err
		}
	}
	if err := p.toxics.Remove(name); err != nil {
		return err // never: it is there, and changes come one after another
	}
	p.mirror()
	if l != nil {
		p.expose(l)
		p.tell(Event{Type: Accepting})
	}
	p.tell(Event{Type: ToxicRemoved, Toxic: name, Stream: old.Spec.Stream})
	return nil
}

// Reset takes every toxic away and starts the proxy.
func (p *Proxy) Reset() error {
	p.change.Lock()
	defer p.change.Unlock()
	if p.closed {
		return ErrClosed
	}
	var errs []error
	for _, a := range p.toxics.Toxics() {
		errs = append(errs, p.remove(a.Spec.Name))
	}
	if !p.Enabled() {
		errs = append(errs, p.start(p.Upstream()))
	}
	return errors.Join(errs...)
}
