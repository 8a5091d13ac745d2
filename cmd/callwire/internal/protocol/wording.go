package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/bridge"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// Wording returns the options of package manual for tools explained in the words of w,
// with calls in the format of that name. The error is for people.
func Wording(w *corpus.Wording, name string) (o manual.Options, err error) {
	choose := func(what, value string, names ...string) int {
		i := slices.Index(names, value)
		if value == "" {
			i = 0
		}
		if i < 0 && err == nil {
			err = fmt.Errorf("%s is %s, found %q", what, strings.Join(names, " or "), value)
		}
		return max(i, 0)
	}
	o.Signatures = sig.SignatureOptions{
		Style:        sig.Style(choose("style", w.Style, "compact", "classic")),
		Description:  w.Description,
		Parameters:   sig.Detail(choose("parameters", w.Parameters, "full", "off")),
		HideDefaults: w.HideDefaults,
	}
	if w.Description == sig.DefaultDescription { // what the loader answers is longer, unless a length is asked for
		o.Signatures.Description = 0
	}
	o.Plan = sig.PlanOptions{
		Syntax:   sig.Syntax(choose("syntax", w.Syntax, "wire", "json")),
		Fallback: sig.Fallback(choose("fallback", w.Fallback, "complex", "error", "force")),
	}
	o.Tags = format.Tags{Open: w.Open, Close: w.Close}
	o.Header = w.Header
	o.Lazy = Lazy{w.Lazy, w.Loader}.Options()
	if err != nil {
		return o, err
	}
	p, err := Format(name)
	if err != nil {
		return o, fmt.Errorf("protocol: %w", err)
	}
	o.Format = bridge.Format(p)
	if tags := lexer.Delims(o.Tags); tags != (lexer.Delims{}) {
		if p == nil {
			err = tags.Validate()
		} else {
			_, err = Framed(p, tags)
		}
		if err != nil {
			return o, fmt.Errorf("open and close: %w", err)
		}
	}
	return o, err
}

// AllTools stands among the names of lazy tools for all; no tool has that name.
const AllTools = "*"

// Lazy are the tools that are explained when the model asks: those that say so,
// and those of the names.
type Lazy struct {
	Names  []string
	Loader string // the tool by which it asks
}

// Options returns what package manual is told of them.
func (l Lazy) Options() manual.Lazy {
	lazy := manual.Lazy{Loader: l.Loader}
	if len(l.Names) > 0 {
		lazy.Tool = func(t *sig.Tool) bool {
			return t.Lazy || slices.Contains(l.Names, t.Name) || slices.Contains(l.Names, AllTools)
		}
	}
	return lazy
}
