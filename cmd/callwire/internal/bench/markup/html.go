package markup

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// HTML is markup, which is written as it is.
type HTML string

// Page is a page while it is written. The zero Page is empty.
type Page struct{ b strings.Builder }

// Put writes format, which is markup, with its verbs filled in as fmt does. An argument
// of type [HTML] goes in as it is; whatever else can hold text is escaped, so that it
// stays text, between tags and in quoted attributes alike.
func (p *Page) Put(format string, args ...any) {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case HTML:
			safe[i] = string(arg)
		case bool, int, int64, uint64, float64:
			safe[i] = arg
		default:
			safe[i] = html.EscapeString(fmt.Sprint(arg))
		}
	}
	fmt.Fprintf(&p.b, format, safe...)
}

// HTML returns what is written so far, to be put into another page.
func (p *Page) HTML() HTML { return HTML(p.b.String()) }

// WriteTo writes the page to w.
func (p *Page) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, p.b.String())
	return int64(n), err
}
