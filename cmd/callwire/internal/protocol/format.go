// Package protocol finds formats by their names, and turns options that are words into those of
// the packages that read and write calls.
//
//	f, err := protocol.Format("hermes")
package protocol

import (
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

var wire = protocol.Wire

// Formats returns the names of the formats that are read and written.
func Formats() []string {
	var names []string
	for _, f := range append(protocol.All(), yaml.XML) {
		names = append(names, f.Name)
	}
	return names
}

// Format returns the format of that name; the wire format if the name is empty.
func Format(name string) (*parse.Format, error) {
	if name == "" {
		return wire, nil
	}
	if f := protocol.Lookup(name, yaml.XML); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("there is no protocol %q, but %s", name, strings.Join(Formats(), ", "))
}

// Framed returns the format of that name, with other tags around a call unless they are empty.
func Framed(name string, tags parse.Tags) (*parse.Format, error) {
	f, err := Format(name)
	if err != nil || tags == (parse.Tags{}) {
		return f, err
	}
	return Tagged(f, tags)
}

// Tagged returns f with other tags around a call.
func Tagged(f *parse.Format, tags parse.Tags) (*parse.Format, error) {
	if f.ToolTags() {
		return f, fmt.Errorf("the tags of a call in %s are named after its tool", f)
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
