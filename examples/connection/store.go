// Package connection is a client of a small key-value store, and tests of what it
// does when the connection to the store breaks. It knows nothing of brunt.
package connection

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"time"
)

// Client asks a store: a line "GET key" is answered by a line. It is not safe for
// concurrent use.
type Client struct {
	// Address is where the store is.
	Address string
	// Timeout is how long one attempt may take.
	Timeout time.Duration
	// Attempts is how often a Get is tried.
	Attempts int

	conn  net.Conn
	lines *bufio.Reader
}

// Get returns the value of a key. Each attempt after the first is made on a new
// connection.
func (c *Client) Get(key string) (value string, err error) {
	for range c.Attempts {
		if value, err = c.try(key); err == nil {
			return value, nil
		}
		c.Close()
	}
	return "", fmt.Errorf("get %s: %w", key, err)
}

func (c *Client) try(key string) (string, error) {
	if c.conn == nil {
		conn, err := (&net.Dialer{Timeout: c.Timeout}).Dial("tcp", c.Address)
		if err != nil {
			return "", err
		}
		c.conn, c.lines = conn, bufio.NewReader(conn)
	}
	if err := c.conn.SetDeadline(time.Now().Add(c.Timeout)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(c.conn, "GET %s\n", key); err != nil {
		return "", err
	}
	line, err := c.lines.ReadString('\n')
	return strings.TrimSpace(line), err
}

// Close closes the connection.
func (c *Client) Close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}
