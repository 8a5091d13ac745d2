package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Wording returns the options of package manual for tools explained in the words of w,
// with calls in a format. The error is for people.
func Wording(w *corpus.Wording, f *parse.Format) (o manual.Options, err error) {
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
		Classic:        choose("style", w.Style, "compact", "classic") == 1,
		Description:    w.Description,
		HideParameters: choose("parameters", w.Parameters, "full", "off") == 1,
		HideDefaults:   w.HideDefaults,
	}
	// By default, the loader's answers may be longer than the manual's descriptions.
	if w.Description == sig.DefaultDescription {
		o.Signatures.Description = 0
	}
	o.Plan = sig.PlanOptions{
		Syntax:   sig.Syntax(choose("syntax", w.Syntax, "wire", "json")),
		Fallback: sig.Fallback(choose("fallback", w.Fallback, "complex", "error", "force")),
	}
	o.Header = w.Header
	o.Lazy.Loader = w.Loader
	if len(w.Lazy) > 0 {
		o.Lazy.Tool = func(t *sig.Tool) bool {
			return t.Lazy || slices.Contains(w.Lazy, t.Name) || slices.Contains(w.Lazy, AllTools)
		}
	}
	o.Format = f
	return o, err
}

// AllTools is the name that makes all tools lazy; no tool has it.
const AllTools = "*"
