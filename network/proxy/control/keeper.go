package control

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// keeper renews the leases of a client.
type keeper struct {
	client *Client
	stop   context.CancelFunc
	over   chan struct{} // closed when nothing is renewed any more

	mu  sync.Mutex
	ids []string
}

func newKeeper(c *Client) *keeper {
	ctx, cancel := context.WithCancel(context.Background())
	k := &keeper{client: c, stop: cancel, over: make(chan struct{})}
	go k.run(ctx)
	return k
}

// keep renews a lease from now on.
func (c *Client) keep(l *Lease) {
	if c.keeper == nil || l == nil {
		return
	}
	c.keeper.mu.Lock()
	defer c.keeper.mu.Unlock()
	c.keeper.ids = append(c.keeper.ids, l.ID)
}

// run renews three times in the length of a lease, so that one renewal may fail.
func (k *keeper) run(ctx context.Context) {
	defer close(k.over)
	tick := time.NewTicker(k.client.length / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			k.renew(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func (k *keeper) renew(ctx context.Context) {
	for _, id := range k.all() {
		if _, err := k.client.Renew(ctx, id); gone(err) {
			k.forget(id)
		}
	}
}

func (k *keeper) all() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.ids...)
}

func (k *keeper) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.ids {
		if k.ids[i] == id {
			k.ids = append(k.ids[:i], k.ids[i+1:]...)
			return
		}
	}
}

// close ends renewing and removes what was leased.
func (k *keeper) close() error {
	k.stop()
	<-k.over
	var errs []error
	for _, id := range k.all() {
		if err := k.client.Release(context.Background(), id); err != nil && !gone(err) {
			errs = append(errs, err)
		}
		k.forget(id)
	}
	return errors.Join(errs...)
}

// gone reports whether a lease is no more, as when what it was for was removed.
func gone(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}
