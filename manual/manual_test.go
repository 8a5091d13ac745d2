package manual

import (
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// must returns the manual of a catalog, with the default tags if those of the options are refused.
func must(catalog *sig.Catalog, o Options) *Manual {
	m, err := New(catalog, &o)
	if m == nil {
		o.Tags, o.Form = parse.Tags{}, sig.Auto
		m, err = New(catalog, &o)
	}
	if m == nil {
		panic(err)
	}
	return m
}

// check returns the error of New.
func check(catalog *sig.Catalog, o Options) error {
	_, err := New(catalog, &o)
	return err
}

// rewrite rewrites messages. The error is that of New.
func rewrite(o Options, catalog *sig.Catalog, messages []Message) ([]Message, error) {
	m, err := New(catalog, &o)
	if m == nil {
		return nil, err
	}
	out, _ := m.Rewrite(messages)
	return out, nil
}
