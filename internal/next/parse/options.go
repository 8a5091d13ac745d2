package parse

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/next/lexer"
)

// Options configure a Parser. The zero Options read as the specification says.
type Options struct {
	Format      *lexer.Format // nil means the wire format
	Limits      lexer.Limits
	AcceptAtEnd bool // accept a complete body at the end of the message without a closing tag

	Strict             bool // an issue is a fault
	StopAfterMalformed bool // a call after a malformed span is malformed
	WholeCalls         bool // emit no events of a call before Call

	NewID      func(n int) string // returns the ID of call n, counted from 1; nil means call-n
	NoFastPath bool               // read every argument lexeme by lexeme, for tests
}

// Config is a compiled catalog with Options. It does not change, so any number of Parsers may
// share it.
type Config struct {
	Options
	limits lexer.Limits
	syntax *lexer.Syntax
	tools  *tools // nil: nothing is known about tools

	strictJSON bool // arrays and objects are JSON, without the relaxed superset
}

// Compile prepares a catalog. A nil catalog leaves everything untyped.
func Compile(catalog *sig.Catalog, o Options) *Config {
	c := &Config{Options: o, tools: compileTools(catalog)}
	c.syntax = lexer.Compile(lexer.Config{
		Format: o.Format, Limits: o.Limits, AcceptAtEnd: o.AcceptAtEnd, NoFastPath: o.NoFastPath,
	})
	c.limits = c.syntax.Limits()
	c.strictJSON = o.Format != nil && o.Format.Body == lexer.Envelope
	return c
}
