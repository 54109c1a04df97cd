package toxic

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// newStation returns a station of a toxic that hits.
func newStation(s Spec) *station {
	return &station{armed: newArmed(s, 1, new(atomic.Int64)), link: &Link{}}
}

func newArmed(s Spec, serial uint64, hits *atomic.Int64) *armed {
	return &armed{spec: s, serial: serial, start: s.Toxic.Arm(), hits: hits}
}

// drain takes everything that is out.
func (p *pipeline) drain() (data []byte, end End) {
	for p.out.len() > 0 {
		c := p.out.pop()
		p.size -= cost(c)
		data = append(data, c.Data...)
		end = c.End
	}
	return data, end
}

// What leaves late by the clock arrives at the next toxic when it was due: delays
// add up exactly whenever the pipeline is looked at.
func TestPipeline_lateTimers(t *testing.T) {
	t.Parallel()
	base := time.Unix(1_700_000_000, 0)
	p := pipeline{limit: 1 << 20}
	for i, s := range chain(&Latency{Latency: 100 * ms}, &Bandwidth{Rate: 1}, &Latency{Latency: 50 * ms}) {
		st := newStation(s)
		st.armed.serial = uint64(i)
		p.insert(st, 0, base)
	}
	p.push(Chunk{Data: []byte("abc"), At: base})
	if next := p.advance(base); !next.Equal(base.Add(100 * ms)) {
		t.Errorf("next = %v, want 100ms", next.Sub(base))
	}
	if next := p.advance(base.Add(140 * ms)); !next.Equal(base.Add(153 * ms)) { // 40 ms late
		t.Errorf("next = %v, want 153ms", next.Sub(base))
	}
	if data, _ := p.drain(); len(data) != 0 {
		t.Errorf("%q came out early", data)
	}
	p.advance(base.Add(153 * ms))
	if data, _ := p.drain(); string(data) != "abc" || p.size != 0 {
		t.Errorf("%q came out, size %d; want abc and 0", data, p.size)
	}
}

// A queue of bytes that is cut up behind a peer that does not read stays bounded.
func TestPipeline_slicerMemory(t *testing.T) {
	t.Parallel()
	base := time.Unix(1_700_000_000, 0)
	p := pipeline{limit: 1 << 16}
	for i, s := range chain(&Latency{Latency: ms}, &Slicer{AverageSize: 1}) {
		st := newStation(s)
		st.armed.serial = uint64(i)
		p.insert(st, 0, base)
	}
	pushed := 0
	for p.size < p.limit {
		p.push(Chunk{Data: make([]byte, 1000), At: base})
		pushed += 1000
	}
	p.advance(base.Add(time.Second))
	if p.size > 2*p.limit+1000 {
		t.Errorf("size = %d, want at most %d", p.size, 2*p.limit)
	}
	total := 0
	for total < pushed {
		data, _ := p.drain()
		if len(data) == 0 {
			t.Fatalf("%d of %d bytes came out", total, pushed)
		}
		total += len(data)
		p.advance(base.Add(time.Second))
	}
	if p.size != 0 {
		t.Errorf("size = %d when everything is out, want 0", p.size)
	}
}

// Toxics that lose nothing, in random settings.
func drawToxic(t *rapid.T) Toxic {
	delay := time.Duration(rapid.IntRange(0, 50).Draw(t, "ms")) * ms
	switch rapid.SampledFrom([]string{"latency", "bandwidth", "slow_close", "timeout", "slicer", "noop"}).Draw(t, "kind") {
	case "latency":
		return &Latency{Latency: delay, Jitter: delay, OnConnect: rapid.Bool().Draw(t, "on_connect")}
	case "bandwidth":
		return &Bandwidth{Rate: rapid.Int64Range(0, 50).Draw(t, "rate"), Burst: rapid.Int64Range(0, 500).Draw(t, "burst")}
	case "slow_close":
		return &SlowClose{Delay: delay}
	case "timeout":
		return &Timeout{}
	case "slicer":
		size := rapid.Int64Range(1, 50).Draw(t, "size")
		return &Slicer{AverageSize: size, SizeVariation: rapid.Int64Range(0, size-1).Draw(t, "variation"), Delay: delay / 10}
	default:
		return &Noop{}
	}
}

// Toxics come, change and go between any bytes at any times: all bytes come out,
// in order, none before it came in, and the memory is given back.
func TestPipeline_losesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(1_700_000_000, 0)
		p := pipeline{limit: 1 << 30}
		var sent, got []byte
		serial := uint64(0)
		take := func() {
			data, _ := p.drain()
			got = append(got, data...)
		}
		pick := func() *station {
			if len(p.stations) == 0 {
				return nil
			}
			return p.stations[rapid.IntRange(0, len(p.stations)-1).Draw(t, "station")]
		}
		steps := rapid.IntRange(1, 40).Draw(t, "steps")
		for range steps {
			next := p.advance(now)
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				data := bytes.Repeat([]byte{byte(len(sent))}, rapid.IntRange(1, 300).Draw(t, "size"))
				sent = append(sent, data...)
				p.push(Chunk{Data: bytes.Clone(data), At: now})
			case 2:
				serial++
				a := newArmed(Spec{Toxic: drawToxic(t)}, serial, new(atomic.Int64))
				p.insert(&station{armed: a, link: &Link{}, site: Site{Opened: now}}, rapid.SampledFrom([]int64{0, 0, 100, 1000}).Draw(t, "after"), now)
			case 3:
				if s := pick(); s != nil {
					p.change(s, newArmed(Spec{Toxic: drawToxic(t)}, s.armed.serial, s.armed.hits), now)
				}
			case 4:
				if s := pick(); s != nil {
					p.remove(s, now)
				}
			}
			if !next.IsZero() && !next.After(now) {
				t.Fatalf("advance to %v says there is more to do at %v", now, next)
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "pass")) * ms)
			p.advance(now)
			take()
			if !bytes.HasPrefix(sent, got) {
				t.Fatalf("out of order or lost: %v came out of %v", got, sent)
			}
		}
		p.push(Chunk{End: EndFIN, At: now})
		for len(p.stations) > 0 {
			p.remove(p.stations[0], now)
		}
		data, end := p.drain()
		if got = append(got, data...); !bytes.Equal(got, sent) || end != EndFIN {
			t.Fatalf("%d of %d bytes came out and then %v, want all and fin", len(got), len(sent), end)
		}
		if p.size != 0 || p.arrived != int64(len(sent)) || p.left != p.arrived || p.dropped != 0 {
			t.Fatalf("size %d, arrived %d, left %d, dropped %d; want 0, %d, the same, 0", p.size, p.arrived, p.left, p.dropped, len(sent))
		}
	})
}

func TestQueue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		in, out := int64(0), int64(0)
		for _, push := range rapid.SliceOfN(rapid.Bool(), 0, 2000).Draw(t, "ops") {
			if push {
				q.push(Chunk{Offset: in})
				in++
			} else if q.len() > 0 {
				if c := q.pop(); c.Offset != out {
					t.Fatalf("pop = %d, want %d", c.Offset, out)
				}
				out++
			}
			if q.len() != int(in-out) {
				t.Fatalf("len = %d, want %d", q.len(), in-out)
			}
		}
	})
}
