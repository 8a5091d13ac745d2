// Package protocol finds formats by their names, and turns options that are words into those of
// the packages that read and write calls.
//
//	f, err := protocol.Format("hermes", parse.Tags{})
package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// Formats returns the names of the formats that are read and written.
func Formats() []string { return format.Names(append(protocol.All(), yaml.XML)) }

// Format returns the format of that name, or the wire format if it is empty; with other tags around
// a call unless they are empty.
func Format(name string, tags parse.Tags) (*parse.Format, error) {
	f := protocol.Lookup(cmp.Or(name, protocol.Wire.Name), yaml.XML)
	switch {
	case f == nil:
		return nil, fmt.Errorf("there is no protocol %q, but %s", name,
			strings.Join(Formats(), ", "))
	case tags == (parse.Tags{}):
		return f, nil
	case f.ToolTags():
		return nil, fmt.Errorf("the tags of a call in %s are named after its tool", f)
	}
	own := *f
	own.Call = tags
	err := own.Validate()
	var illegal *format.Error
	if errors.As(err, &illegal) {
		err = fmt.Errorf("tag %q: %s", illegal.Tag, illegal.Reason)
	}
	return &own, err
}

// Tools returns the catalog for reading calls without known tools. Every name is a tool, except in
// a format whose tags are named after tools.
func Tools(f *parse.Format, catalog *sig.Catalog) *sig.Catalog {
	if catalog == nil && (f == nil || !f.NeedsTools()) {
		return sig.AnyTool
	}
	return catalog
}

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
	forms := [...]sig.Form{sig.Auto, sig.Refuse, sig.KeyValue}
	o.Form = forms[choose("fallback", w.Fallback, "complex", "error", "force")]
	if choose("syntax", w.Syntax, "wire", "json") == 1 {
		o.Form = sig.JSON
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
