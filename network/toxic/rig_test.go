package toxic

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/brunt-go/brunt/network/memnet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a link of a Set between a client and a server.
type rig struct {
	t              testing.TB
	set            *Set
	link           *Link
	begin          time.Time
	client, server net.Conn
	done           chan error // what Run returned
}

func newRig(t testing.TB, specs ...Spec) *rig {
	t.Helper()
	set := newSet(t, DefaultSettings())
	for _, s := range specs {
		add(t, set, s)
	}
	return connect(t, set)
}

func newSet(t testing.TB, s Settings) *Set {
	t.Helper()
	set, err := NewSet(s)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// connect runs a new link of set over an in-memory network.
func connect(t testing.TB, set *Set) *rig {
	t.Helper()
	client, front := pair(t)
	back, server := pair(t)
	return join(t, set, client, front, back, server)
}

func join(t testing.TB, set *Set, client, front, back, server net.Conn) *rig {
	t.Helper()
	r := &rig{t: t, set: set, link: set.NewLink(front), begin: time.Now(), client: client, server: server, done: make(chan error, 1)}
	go func() { r.done <- r.link.Run(t.Context(), back) }()
	return r
}

// pair returns the ends of a connection.
func pair(t testing.TB) (net.Conn, net.Conn) {
	t.Helper()
	n := memnet.New()
	l, err := n.Listen("tcp", ":80")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := n.Dial("tcp", ":80")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

func add(t testing.TB, set *Set, s Spec) {
	t.Helper()
	if err := set.Add(s); err != nil {
		t.Fatal(err)
	}
}

// at runs f so long after the link's beginning.
func (r *rig) at(d time.Duration, f func()) {
	if wait := d - time.Since(r.begin); wait > 0 {
		time.Sleep(wait)
	}
	f()
}

// send writes to a connection, at once.
func (r *rig) send(c net.Conn, text string) {
	r.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		r.t.Errorf("write %q: %v", text, err)
	}
}

// end closes both ends and returns Run's error.
func (r *rig) end() error {
	r.client.Close()
	r.server.Close()
	return <-r.done
}

// log reads c to its end and returns what came when, such as "100ms ping, 200ms EOF".
// What came at one instant is one event.
func (r *rig) log(c net.Conn) string {
	var events []string
	var text string
	var at time.Duration
	flush := func() {
		if text != "" {
			events = append(events, fmt.Sprintf("%v %s", at, squeeze(text)))
		}
		text = ""
	}
	for buf := make([]byte, 1<<20); ; {
		n, err := c.Read(buf)
		took := time.Since(r.begin)
		if took != at {
			flush()
		}
		text, at = text+string(buf[:n]), took
		if err != nil {
			flush()
			return strings.Join(append(events, fmt.Sprintf("%v %s", took, ending(err))), ", ")
		}
	}
}

// squeeze writes a run of more than 8 of a byte as its length.
func squeeze(s string) string {
	if len(s) > 8 && strings.Count(s, s[:1]) == len(s) {
		return fmt.Sprintf("%s*%d", s[:1], len(s))
	}
	return s
}

func ending(err error) string {
	switch {
	case errors.Is(err, io.EOF):
		return "EOF"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	default:
		return err.Error()
	}
}

// halfClose ends the direction to the peer.
func halfClose(c net.Conn) {
	if err := c.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		panic(err)
	}
}
