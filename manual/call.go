package manual

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// This file reads and writes calls. Only this file, result.go and listing.go depend on the format
// of calls.

// isWire reports whether calls are written as name key=value, under any tags. Every other format
// lists tools in its own way.
func (m *Manual) isWire() bool { return m.format.Body == format.Arguments }

// setGuards sets the guards against tags of results, and against those of calls and everything else
// that a repairing reader takes for an opener.
func (m *Manual) setGuards() {
	tags := m.resultMarks()
	m.results = guard.New(tags...)
	m.isApart = m.results.In(m.format.Call.Open) || m.results.In(m.format.Call.Close)
	hasToolTags := false
	for _, f := range m.format.Set() {
		tags = append(append(tags, f.Markup()...), f.Call.Openers()...)
		hasToolTags = hasToolTags || f.ToolTags()
	}
	if hasToolTags {
		tags = append(tags, toolTags(m.catalog)...)
	}
	m.guard = guard.New(tags...)
}

// toolTags returns the beginnings of tags that are named after tools of the catalog, or after any
// tool if that is nil.
func toolTags(catalog *sig.Catalog) (tags []string) {
	for _, t := range catalog.Tools() {
		tags = append(tags, "<"+t.Name, "</"+t.Name)
	}
	for c := range 256 {
		if catalog == nil && lexeme.ClassOf(byte(c))&lexeme.NameStart != 0 {
			tags = append(tags, "<"+string([]byte{byte(c)}), "</"+string([]byte{byte(c)}))
		}
	}
	return tags
}

// writeCall writes a call so that a repairing reader takes it, in JSON if isJSON. Index is how many
// calls the conversation has before it.
func (m *Manual) writeCall(
	catalog *sig.Catalog, call parse.Call, isJSON bool, index int,
) (string, error) {
	o := &parse.FormatOptions{
		Format: m.opts.Format, Tags: m.opts.Tags, JSON: isJSON, Repair: true, Visible: true,
		Index: index,
	}
	text, err := parse.AppendCalls(nil, catalog, []parse.Call{call}, o)
	return string(text), err
}

// readOne returns the call that text is; ok is false if it is anything else. Tags around several
// calls, and whitespace, may be around it.
func (m *Manual) readOne(
	catalog *sig.Catalog, text string, o parse.Options,
) (s parse.Segment, ok bool) {
	o.Format, o.Tags = m.opts.Format, m.opts.Tags
	o.AllowInCode, o.AllowAfterMalformed = true, true
	segments, err := parse.Message(catalog, text, &o)
	if err != nil {
		return s, false
	}
	for _, read := range segments {
		switch {
		case read.Call != nil && !ok:
			s, ok = read, true
		case read.Call != nil || read.Err != nil || strings.TrimSpace(read.Text) != "":
			return s, false
		}
	}
	return s, ok
}

// write writes a call and checks that it fits its schema, reads back without an issue and is fully
// visible, in one line in the wire format: a tool's name may contain what looks like a line end, or
// changes the direction of text. A literal may contain a result tag, which would end the result
// that shows the call. A call that fails a check is "".
func (m *Manual) write(plan sig.Plan, input []byte) string {
	args := plan.Tool.Args
	shown := withoutNulls(args, input)
	written := parse.Call{Name: plan.Tool.Name, Input: shown}
	call, err := m.writeCall(m.catalog, written, plan.JSON, 0)
	isHidden := unseen.Is
	if !m.isWire() { // it may write a call in several lines
		isHidden = func(r rune) bool { return r != '\n' && unseen.Is(r) }
	}
	if err != nil || strings.ContainsFunc(call, isHidden) || !m.isApart && m.results.In(call) {
		return ""
	}
	read, ok := m.readOne(m.catalog, call, parse.Options{Strict: true})
	switch {
	case !ok, args != nil && !args.Accepts(read.Call.Input),
		!sameJSON(read.Call.Input, input) && !sameJSON(read.Call.Input, shown):
		return ""
	}
	return call
}

// withoutNulls returns arguments without nulls that a call may leave out, as the prompt asks for.
func withoutNulls(args *sig.Type, input []byte) []byte {
	if args == nil || !bytes.Contains(input, []byte("null")) {
		return input
	}
	isLeftOut := func(m rawjson.Member) bool {
		f := args.Field([]byte(m.Key))
		if f == nil || !rawjson.IsNull(m.Value) {
			return false
		}
		return !f.Required || f.Type.Restricts() && f.Type.Kinds != sig.Null
	}
	return rawjson.Object(slices.DeleteFunc(rawjson.ParseObject(input), isLeftOut)).Append(nil)
}

// writing returns a call of the history. A tool that isn't in the catalog is untyped.
func (m *Manual) writing(p *Part) (string, error) {
	plan, isKnown := m.plans[p.Name]
	catalog := m.catalog
	switch {
	case isKnown:
	case m.format.ToolTags():
		catalog = (*sig.Catalog)(nil).With(sig.Tool{Name: p.Name})
	default:
		catalog = sig.AnyTool
	}
	call := parse.Call{ID: p.ID, Name: p.Name, Input: inputOf(p.Input)}
	return m.writeCall(catalog, call, isKnown && plan.JSON, p.call.index)
}

// idOf returns the ID of a call of the history as the model sees it, "" if the format has none.
func (m *Manual) idOf(p *Part) string {
	if !m.format.NameIsID {
		return ""
	}
	return format.CallID(p.ID, p.Name, p.call.index)
}

// hasSource reports whether the source of a message has its calls, and returns their IDs there. It
// may also have calls that were not accepted.
func (m *Manual) hasSource(message *Message) (ids []string, ok bool) {
	catalog := m.catalog
	if len(catalog.Tools()) == 0 { // no tool is announced, but some were called
		catalog = sig.AnyTool
	}
	segments, err := parse.Message(catalog, message.Source, &parse.Options{
		Format: m.opts.Format, Tags: m.opts.Tags,
		AllowInCode: true, AllowAfterMalformed: true, AllowUnclosed: true,
		NewID: func(int) string { return "" }, // for two calls with one ID, too
	})
	for i := range message.Parts {
		p := &message.Parts[i]
		if p.Kind != Call {
			continue
		}
		at := slices.IndexFunc(segments, func(s parse.Segment) bool {
			isNamed := s.Call != nil && s.Call.Name == p.Name
			return isNamed && sameJSON(s.Call.Input, inputOf(p.Input))
		})
		if at < 0 {
			return nil, false
		}
		ids = append(ids, cmp.Or(segments[at].Call.ID, m.idOf(p)))
		segments = segments[at+1:]
	}
	return ids, err == nil && ids != nil && !slices.ContainsFunc(message.Parts, Part.isResult)
}

// isCut reports whether the source of a malformed call is longer than the text of the segment.
func isCut(s *parse.Segment) bool { return s.End-s.Start > len(s.Text) }

// corrected returns the call that a malformed segment was probably meant to be, as it should have
// been written, or "". The result is shown to the model, never executed.
func (m *Manual) corrected(s *parse.Segment) string {
	const longest = 4096
	if s.Err == nil || s.Err.Code == lexer.AfterMalformed || isCut(s) || len(s.Text) > longest {
		return ""
	}
	if _, isOpen := m.openString(s); isOpen { // where its value ends is unknown
		return ""
	}
	read, ok := m.readOne(m.catalog, m.closed(s), parse.Options{Repair: true})
	if !ok {
		return ""
	}
	plan, isKnown := m.plans[read.Call.Name]
	if !isKnown {
		plan.Tool = &sig.Tool{Name: read.Call.Name}
	}
	call := m.write(plan, read.Call.Input)
	if len(call) > longestLine+2*len(s.Text) {
		return ""
	}
	return call
}

// closed returns the text of a malformed call with a closing tag at its end.
func (m *Manual) closed(s *parse.Segment) string {
	if s.Err.Closed || !m.isWire() {
		return s.Text
	}
	end := m.format.Call.Close
	text := strings.TrimSpace(s.Text)
	for n := len(end) - 1; n > 1; n-- { // part of a closing tag isn't part of a value
		if before, isPart := strings.CutSuffix(text, end[:n]); isPart {
			return strings.TrimSpace(before) + end
		}
	}
	return text + end
}

// misfit returns the call that a lenient reader finds in a malformed segment. It has all issues; an
// error reports only the first.
func (m *Manual) misfit(s *parse.Segment) (call parse.Segment, ok bool) {
	if s.Err == nil || isCut(s) || !s.Err.Closed {
		return call, false
	}
	call, ok = m.readOne(m.catalog, s.Text, parse.Options{})
	return call, ok && len(call.Call.Issues) > 0
}

// openString returns the offset of the quote that opened the last string of a malformed call, if no
// quote closes it, or only one after a closing tag, which was meant for another string or prose.
func (m *Manual) openString(s *parse.Segment) (at int, isOpen bool) {
	isSuch := s.Err.Code == lexer.Unterminated || s.Err.Code == lexer.ExpectedSpace
	if !m.isWire() || isCut(s) || !isSuch {
		return 0, false
	}
	lexemes, err := lexer.Lexemes(m.format, lexer.Limits{}, []byte(s.Text))
	if err != nil {
		return 0, false
	}
	var last lexer.Lexeme
	for _, x := range lexemes {
		if x.Kind == "fault" {
			isLast := last.Kind == "string" && (!last.Closed || last.End == x.Start)
			holdsTag := isLast && strings.Contains(s.Text[last.Start:x.Start], m.format.Call.Close)
			return last.Start, isLast && (!last.Closed || holdsTag)
		}
		last = x
	}
	return 0, false
}

// explain returns what a code means to whoever wrote the call, without the examples of the table,
// which use the default tags. The expected type replaces the table's, if it isn't empty.
func (m *Manual) explain(code lexer.Code, expected string) string {
	want, fix := lexer.Advice(m.format, code)
	if fix == "" {
		return string(code)
	}
	fix, _, _ = strings.Cut(fix, ": "+format.Wire.Call.Open)
	if tags := m.format.Call; !m.isWire() && tags.Open != "" {
		// An example shows the tags, and a form with them isn't a call.
		fix = strings.NewReplacer(
			tags.Open+" ", "", tags.Open, "", " "+tags.Close, "", tags.Close, "").Replace(fix)
	}
	return fmt.Sprintf(expectedFix, code, cmp.Or(expected, want), fix)
}
