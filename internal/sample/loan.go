package sample

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// LoanSettings describe the loan desk and its two guards.
type LoanSettings struct {
	// Catalog is the base URL of the catalog. Required.
	Catalog string
	// Timeout bounds a call of the catalog. Default: 100ms.
	Timeout time.Duration
	// Fallback lends without the book's record when the catalog fails.
	// Default: true.
	Fallback bool
	// Client makes the calls. Default: http.DefaultClient.
	Client *http.Client
}

// DefaultLoanSettings returns the defaults; Catalog has none.
func DefaultLoanSettings() LoanSettings {
	return LoanSettings{Timeout: 100 * time.Millisecond, Fallback: true, Client: http.DefaultClient}
}

// Receipt is the loan desk's answer.
type Receipt struct {
	No string `json:"no"`
	// Title is the book's, or null when the catalog did not say.
	Title *string `json:"title"`
	// Status is "full", or "degraded" for a loan without the record.
	Status string `json:"status"`
}

// Loan answers GET /lend?no=K-903&index=17 with a Receipt, and GET /healthz.
// Without a fallback a loan whose catalog failed is 503.
func Loan(s LoanSettings) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", healthy)
	mux.HandleFunc("GET /lend", func(w http.ResponseWriter, r *http.Request) {
		no := r.URL.Query().Get("no")
		book, err := s.record(r, no)
		switch {
		case err == nil:
			writeJSON(w, http.StatusOK, Receipt{No: no, Title: &book.Title, Status: "full"})
		case s.Fallback:
			writeJSON(w, http.StatusOK, Receipt{No: no, Status: "degraded"})
		default:
			writeJSON(w, http.StatusServiceUnavailable, map[string]string{"error": err.Error()})
		}
	})
	return mux
}

// record asks the catalog, within Timeout.
func (s LoanSettings) record(r *http.Request, no string) (Book, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.Timeout)
	defer cancel()
	query := url.Values{"no": {no}, "index": {r.URL.Query().Get("index")}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Catalog+"/record?"+query.Encode(), nil)
	if err != nil {
		return Book{}, err
	}
	for _, field := range []string{"Traceparent", "Tracestate", "Baggage"} {
		if v := r.Header.Get(field); v != "" {
			req.Header.Set(field, v)
		}
	}
	resp, err := s.Client.Do(req)
	if err != nil {
		return Book{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Book{}, fmt.Errorf("catalog: %s", resp.Status)
	}
	var book Book
	if err := json.NewDecoder(resp.Body).Decode(&book); err != nil {
		return Book{}, fmt.Errorf("catalog: %w", err)
	}
	return book, nil
}
