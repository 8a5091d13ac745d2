package middleware

import "github.com/callwire/callwire/manual"

// demand is what a request asks for, as far as it matters here.
type demand struct {
	tools   [][]byte // declared; empty: the request has a history of tools only
	mode    mode
	tool    string // the tool asked for, under named
	one     bool   // at most one call in a message
	n       int    // choices
	streams bool
}

// mode is what tool_choice says.
type mode uint8

const (
	auto mode = iota
	none
	required
	named
	foreign // what is not understood here
)

// required reports whether a call is required.
func (m mode) required() bool { return m == required || m == named }

// instruction returns what the model is told in this request alone, "" where it
// may do as it likes.
func (d demand) instruction() string {
	switch d.mode {
	case required:
		return "Answer with at least one tool call."
	case named:
		return "Answer with a call of the tool " + d.tool + "."
	}
	return ""
}

// system returns the manual and what belongs to it in all requests of this kind.
func (d demand) system(set *toolset) string {
	switch {
	case d.mode == none || set.catalog == nil:
		return ""
	case d.one:
		return manual.Merge(set.manual, "Write at most one call in a message.", manual.Last)
	}
	return set.manual
}
