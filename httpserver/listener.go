package httpserver

import (
	"net"
	"sync"
	"time"
)

// listener is a listener with so many places. Who finds none waits in the listener
// inside, where the machine keeps a short queue.
type listener struct {
	net.Listener
	places chan struct{}
	write  time.Duration // the connections' timeout
	full   func()
	closed chan struct{}
	close  func()
}

func newListener(inner net.Listener, places int, write time.Duration, full func()) *listener {
	closed := make(chan struct{})
	return &listener{inner, make(chan struct{}, places), write, full, closed, sync.OnceFunc(func() { close(closed) })}
}

// Accept implements net.Listener. It is called by one goroutine.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	default:
		l.full()
		select {
		case l.places <- struct{}{}:
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return newConn(c, l.write, func() { <-l.places }), nil
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.close()
	return l.Listener.Close()
}
