package control

import (
	"testing"
	"testing/synctest"
	"time"
)

// What was leased is gone when nobody renews it, to the nanosecond.
func TestServer_lease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var p Proxy
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80","lease":"30s"}`, &p)
		if want := time.Now().Add(30 * time.Second); p.Lease == nil || !p.Lease.Expires.Equal(want) {
			t.Fatalf("lease %+v, want one that expires at %v", p.Lease, want)
		}
		var x Toxic
		r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"latency","attributes":{"latency":100},"lease":"10s"}`, &x)
		c := r.dial("p:1")
		time.Sleep(10*time.Second - 1)
		if got := r.echo(c, "a"); got > 0 && got != 1 {
			t.Errorf("just before its end the toxic delays by %v, want it gone 1ns into it", got)
		}
		if got := r.echo(c, "b"); got != 0 {
			t.Errorf("after its end the toxic delays by %v", got)
		}
		time.Sleep(20*time.Second - time.Second)
		r.must("POST", "/leases/"+p.Lease.ID, "", nil)
		time.Sleep(30*time.Second - 1)
		if got := r.request("GET", "/proxies/p", "").Status; got != 200 {
			t.Errorf("renewed, the proxy is %d 30s less 1ns later, want 200", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if got := r.request("GET", "/proxies/p", "").Status; got != 404 {
			t.Errorf("it is %d then, want 404", got)
		}
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("its connection lives on")
		}
		if got := r.request("POST", "/leases/"+p.Lease.ID, "").Status; got != 404 {
			t.Errorf("renewing what is gone = %d, want 404", got)
		}
	})
}

// A list that asks for leases renews those there are: who sends it again, after a
// test that was killed for example, has all of their length. What had none gets none.
func TestServer_lease_populate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"stays","listen":"stays:1","upstream":"server:80"}`, nil)
		const list = `[
			{"name":"p","listen":"p:1","upstream":"server:80","lease":"30s","toxics":[{"name":"x","type":"noop","lease":"20s"}]},
			{"name":"stays","listen":"stays:1","upstream":"server:80","lease":"30s"}]`
		r.must("POST", "/populate", list, nil)
		time.Sleep(15 * time.Second)
		r.must("POST", "/populate", list, nil)
		time.Sleep(20*time.Second - 1)
		if got := r.request("GET", "/proxies/p/toxics/x", "").Status; got != 200 {
			t.Errorf("the toxic is %d 20s less 1ns after the second list, want 200", got)
		}
		time.Sleep(10 * time.Second)
		for path, want := range map[string]int{"/proxies/p": 200, "/proxies/p/toxics/x": 404} {
			if got := r.request("GET", path, "").Status; got != want {
				t.Errorf("%s is %d 30s less 1ns after the second list, want %d", path, got, want)
			}
		}
		time.Sleep(time.Hour)
		for path, want := range map[string]int{"/proxies/p": 404, "/proxies/stays": 200} {
			if got := r.request("GET", path, "").Status; got != want {
				t.Errorf("%s is %d after an hour, want %d", path, got, want)
			}
		}
	})
}

// A lease ends with what it was for, and is not about another thing of that name.
func TestServer_leaseOfTheDead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80","lease":"10s"}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"noop","lease":"10s"}`, nil)
		r.must("DELETE", "/proxies/p/toxics/x", "", nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"noop"}`, nil)
		time.Sleep(10*time.Second - 1)
		r.must("POST", "/proxies", `{"name":"q","listen":"q:1","upstream":"server:80","lease":"10s"}`, nil)
		for _, l := range r.server.leases { // as when a renewal comes while its timer goes off
			if l.holder.name == "q" {
				r.server.expire(l)
			}
		}
		r.must("GET", "/proxies/p/toxics/x", "", nil)
		r.must("DELETE", "/proxies/q", "", nil)
		r.must("DELETE", "/proxies/p", "", nil)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"noop"}`, nil)
		time.Sleep(time.Minute)
		r.must("GET", "/proxies/p/toxics/x", "", nil)
		if n := len(r.server.leases); n != 0 {
			t.Errorf("%d leases are left", n)
		}
		r.must("POST", "/proxies/p/toxics", `{"name":"y","type":"noop","lease":"10s"}`, nil)
		r.must("POST", "/reset", "", nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"y","type":"noop"}`, nil)
		time.Sleep(time.Minute)
		r.must("GET", "/proxies/p/toxics/y", "", nil)
	})
}

// Sessions have names of their own, and end as a whole.
func TestServer_sessions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for _, s := range []string{"", "/sessions/a", "/sessions/b"} {
			r.must("POST", s+"/proxies", `{"name":"p","listen":"p:0","upstream":"server:80"}`, nil)
		}
		r.must("POST", "/sessions/a/proxies/p/toxics", `{"type":"noop"}`, nil)
		r.must("POST", "/sessions/b/reset", "", nil)
		var mine map[string]Proxy
		r.must("GET", "/sessions/a/proxies", "", &mine)
		if len(mine) != 1 || mine["p"].Session != "a" || len(mine["p"].Toxics) != 1 {
			t.Errorf("session a has %+v, want p with a toxic", mine)
		}
		r.must("GET", "/proxies", "", &mine)
		if mine["p"].Session != "" || len(mine["p"].Toxics) != 0 {
			t.Errorf("no session has %+v, want p without a toxic", mine)
		}
		r.must("POST", "/sessions/a", `{"lease":"10s"}`, nil)
		var l Lease
		r.must("POST", "/sessions/b", `{"lease":"10s"}`, &l)
		time.Sleep(9 * time.Second)
		r.must("POST", "/leases/"+l.ID, "", nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if got := r.server.Info().Proxies; got != 2 {
			t.Errorf("%d proxies when session a's lease is over, want 2", got)
		}
		r.must("DELETE", "/sessions/b", "", nil)
		if got := len(r.server.All()); got != 1 {
			t.Errorf("%d proxies after both sessions, want 1", got)
		}
		if n := len(r.server.leases); n != 0 {
			t.Errorf("%d leases are left", n)
		}
		if got := r.request("POST", "/sessions/b", `{"lease":"0s"}`).Status; got != 400 {
			t.Errorf("a lease of no time = %d, want 400", got)
		}
	})
}

// A toxic whose end would need an address that someone took goes, with its lease, as
// soon as the address is free.
func TestServer_leaseOverdue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"down","lease":"10s"}`, nil)
		l, err := r.network.Listen("tcp", "p:1")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(15*time.Second - 1)
		if got := r.request("GET", "/proxies/p/toxics/x", ""); got.Status != 200 {
			t.Errorf("while its address is taken the toxic is %d, want 200", got.Status)
		}
		l.Close()
		time.Sleep(again)
		if got := r.request("GET", "/proxies/p/toxics/x", ""); got.Status != 404 {
			t.Errorf("%v after its address was given back the toxic is %d, want 404", again, got.Status)
		}
		r.echo(r.dial("p:1"), "a")
		if n := len(r.server.Latest(10, func(e Event) bool { return e.Type == LeaseExpired })); n != 1 {
			t.Errorf("told %d times that it expired, want once", n)
		}
	})
}
