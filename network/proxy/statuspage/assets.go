package statuspage

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/internal/visible"
	"github.com/brunt-go/brunt/network/toxic"
)

//go:embed web
var web embed.FS

func templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"show": visible.Line, "bytes": size, "rate": rateText, "clock": clock, "stamp": stamp, "count": count, "within": within, "dict": dict,
	}).ParseFS(web, "web/*.html"))
}

// asset is a file of the page.
type asset struct {
	name, etag string
	data       []byte
}

func assets() []asset {
	var all []asset
	for _, name := range []string{"style.css", "live.js", "icon.svg"} {
		data, err := web.ReadFile("web/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		if name == "style.css" {
			data = append(data, chosen()...)
		}
		sum := sha256.Sum256(data)
		all = append(all, asset{name, `"` + hex.EncodeToString(sum[:8]) + `"`, data})
	}
	return all
}

// ServeHTTP implements http.Handler. A browser asks each time whether the file is
// still the same, so that a new version of the daemon is seen at once.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", a.etag)
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, a.name, time.Time{}, bytes.NewReader(a.data))
}

// chosen is the style that shows the attributes of the type that is chosen in a
// form, without a script. A browser that does not know :has shows those of all.
func chosen() []byte {
	var b bytes.Buffer
	for _, kind := range toxic.Kinds() {
		fmt.Fprintf(&b, "form:has(option[value=%q]:checked) [data-kind]:not([data-kind=%q]) { display: none; }\n", kind, kind)
	}
	return b.Bytes()
}
