package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/brunt-go/brunt/health"
)

// prices are what the items cost. There are none before load has run.
type prices struct {
	read   func(name string) ([]byte, error)
	file   string // JSON; "" for a few that are built in
	all    atomic.Pointer[map[string]int]
	loaded health.Binary
}

// load is the job: it is done once, and the App is ready then.
func (p *prices) load(context.Context) error {
	all := map[string]int{"tea": 4, "coffee": 5}
	if p.file != "" {
		data, err := p.read(p.file)
		if err != nil {
			return fmt.Errorf("load prices: %w", err)
		}
		if err := json.Unmarshal(data, &all); err != nil {
			return fmt.Errorf("load prices from %s: %w", p.file, err)
		}
	}
	p.all.Store(&all)
	p.loaded.Set(true)
	return nil
}

func (p *prices) of(item string) (int, bool) {
	all := p.all.Load()
	if all == nil {
		return 0, false
	}
	price, ok := (*all)[item]
	return price, ok
}
