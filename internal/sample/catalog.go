package sample

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
)

// CatalogSettings describe the catalog's ordinary, fault-free day.
type CatalogSettings struct {
	// StallShare is the share of requests that stall for Stall: the noise of
	// any real service. Default: 0.03.
	StallShare float64
	// Stall is how long they stall. Default: 150ms.
	Stall time.Duration
	// Seed chooses them by the request's index. Default: 19870415.
	Seed uint32
}

// DefaultCatalogSettings returns the defaults.
func DefaultCatalogSettings() CatalogSettings {
	return CatalogSettings{StallShare: 0.03, Stall: 150 * time.Millisecond, Seed: 19870415}
}

// Book is a record of the catalog.
type Book struct {
	No     string `json:"no"`
	Title  string `json:"title"`
	Author string `json:"author"`
}

// Catalog answers GET /record?no=K-903&index=17 with a Book, and GET /healthz.
func Catalog(s CatalogSettings) http.Handler {
	books := map[string]Book{"K-903": {No: "K-903", Title: "book K-903", Author: "Sabahattin Ali"}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", healthy)
	mux.HandleFunc("GET /record", func(w http.ResponseWriter, r *http.Request) {
		index, err := strconv.ParseUint(r.URL.Query().Get("index"), 10, 32)
		if err == nil && seeded.Unit(s.Seed, uint32(index)) < s.StallShare {
			if !pause(r, s.Stall) {
				return
			}
		}
		book, ok := books[r.URL.Query().Get("no")]
		if !ok {
			writeJSON(w, http.StatusNotFound, map[string]string{"error": "no such book"})
			return
		}
		writeJSON(w, http.StatusOK, book)
	})
	return mux
}

// pause waits, and reports whether the caller is still there.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A caller that went away gets nothing; there is nobody to tell.
	_ = json.NewEncoder(w).Encode(v)
}
