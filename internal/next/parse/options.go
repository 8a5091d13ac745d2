package parse

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/repair"
)

// Options configure how a message is read. The zero Options read as the specification says and
// refuse every call that may not be meant.
type Options struct {
	Format *format.Format // nil means the wire format
	Tags   format.Tags    // around a call, instead of those of the format
	Limits lexer.Limits

	Repair              bool // read likely mistakes; no effect with Strict
	Strict              bool // an issue is a fault
	AllowAfterMalformed bool // accept a call after a malformed span
	AllowUnclosed       bool // accept a complete call at the end of the message without a closing tag
	AllowInCode         bool // accept a call in Markdown code

	Reasoning lexer.Reasoning // what is read as reasoning, in which there are no calls

	WholeCalls bool               // emit no events of a call before Call
	NewID      func(n int) string // returns the ID of call n, counted from 1; nil means call-n
	NoFastPath bool               // read every argument lexeme by lexeme, for tests
}

// format returns the format with the tags of o.
func (o *Options) format() *format.Format {
	f := o.Format
	if f == nil {
		f = format.Wire
	}
	if o.Tags != (format.Tags{}) {
		own := *f
		own.Call = o.Tags
		f = &own
	}
	return f
}

// Config is a compiled catalog with Options. It does not change, so any number of Parsers may
// share it.
type Config struct {
	Options
	limits lexer.Limits
	syntax *lexer.Syntax
	tools  *tools
	repair *repair.Tools // nil: no repairs
}

// Compile prepares a catalog. A nil catalog has no tools, so every call is malformed;
// [sig.AnyTool] has every tool, untyped. The error reports a Format or Tags that cannot be read.
func Compile(catalog *sig.Catalog, o *Options) (*Config, error) {
	if o == nil {
		o = new(Options)
	}
	f := o.format()
	if f.ToolTags() && catalog.Lookup(nil) != nil {
		return nil, &format.Error{Format: f.Name, Reason: "want a catalog that lists the tools: their names are the tags"}
	}
	lc := lexer.Config{
		Format: f, Limits: o.Limits, AllowUnclosed: o.AllowUnclosed, NoFastPath: o.NoFastPath,
		Reasoning: o.Reasoning, Code: !o.AllowInCode, Repair: o.Repair && !o.Strict,
	}
	if f.ToolTags() || lc.Repair {
		for _, t := range catalog.Tools() {
			lc.Tools = append(lc.Tools, t.Name)
		}
	}
	switch f.Body {
	case format.Elements:
		lc.NewFilter = newElements
	case format.Block:
		lc.NewFilter = newBlock
	}
	syntax, err := lexer.Compile(lc)
	if err != nil {
		return nil, err
	}
	c := &Config{Options: *o, limits: syntax.Limits(), syntax: syntax, tools: compileTools(catalog)}
	if o.Repair && !o.Strict {
		c.repair = repair.NewTools(catalog)
	}
	return c, nil
}
