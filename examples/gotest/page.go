package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Page answers GET /product?id=7 with a product and the stars its reviews gave.
// Its two guards are a timeout and a fallback: without reviews the page has no
// stars, and is a page all the same.
type Page struct {
	Reviews  string // the URL of the reviews
	Timeout  time.Duration
	Fallback bool
	Client   *http.Client
}

// ServeHTTP implements http.Handler.
func (p Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), p.Timeout)
	defer cancel()
	answer := product{ID: r.URL.Query().Get("id")}
	stars, err := Stars(ctx, p.Client, p.Reviews, answer.ID)
	switch {
	case err == nil:
		answer.Stars = &stars
	case !p.Fallback:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // a caller that went away misses nothing
}

type product struct {
	ID    string   `json:"id"`
	Stars *float64 `json:"stars"`
}

// Stars asks the reviews for the stars of a product.
func Stars(ctx context.Context, client *http.Client, reviews, id string) (float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, reviews+"/stars?id="+id, nil)
	if err != nil {
		return 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("reviews: %s", resp.Status)
	}
	var answer struct {
		Stars float64 `json:"stars"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, fmt.Errorf("reviews: %w", err)
	}
	return answer.Stars, nil
}

// Reviews answers GET /stars?id=7.
func Reviews(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, `{"stars": 4.5}`)
}
