package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Events follows what happens on the server, until ctx is done, the server closes
// or the loop ends. An error, which is the last thing it yields, says why it could
// not go on; then Filter.After can be the last ID it saw.
func (c *Client) Events(ctx context.Context, f Filter) iter.Seq2[Event, error] {
	query := url.Values{}
	for name, value := range map[string]string{"proxy": f.Proxy, "toxic": f.Toxic, "type": string(f.Type)} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if f.After != nil {
		query.Set("after", strconv.FormatUint(*f.After, 10))
	}
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		response, err := c.send(ctx, http.MethodGet, nil, query, "events")
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer response.Body.Close()
		if err := streams(response); err != nil {
			yield(Event{}, err)
			return
		}
		lines := bufio.NewReader(response.Body)
		for {
			e, err := next(lines)
			switch {
			case err != nil && (errors.Is(err, io.EOF) || ctx.Err() != nil):
				return
			case err != nil:
				yield(Event{}, fmt.Errorf("events: %w", err))
				return
			case !yield(e, nil):
				return
			}
		}
	}
}

// next reads a server-sent event. Only its data is of interest: the rest is in
// there too.
func next(lines *bufio.Reader) (Event, error) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return Event{}, err
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var e Event
		return e, json.Unmarshal([]byte(data), &e)
	}
}
