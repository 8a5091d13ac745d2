package manual

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// This file is the only one that reads and writes calls, or depends on their format.

// newGuard returns the guard against the tags of calls and results.
func (m *Manual) newGuard() guard.Guard {
	if p := m.opts.prompter(); p != nil {
		return guard.New(p.Tags(m.catalog)...)
	}
	return guard.New(append(m.tags.Openers(), m.tags.Close,
		"<"+resultTag, "</"+resultTag, "<"+errorTag, "</"+errorTag)...)
}

// format writes a call as one that a reader takes, in JSON if isJSON.
func (m *Manual) format(
	catalog *sig.Catalog, name string, input []byte, isJSON bool,
) (string, error) {
	format := parse.FormatOptions{
		Protocol: m.opts.Protocol, Delims: m.tags, JSON: isJSON, Salvage: true, Visible: true,
	}
	return format.Format(catalog, name, input)
}

// read reads calls as the application does, strictly or with repairs.
func (m *Manual) read(text string, isStrict, repairs bool) []parse.Segment {
	options := parse.Options{
		Protocol: m.opts.Protocol, Delims: m.tags, Strict: isStrict, Salvage: repairs,
	}
	return options.Text(text, m.catalog)
}

// write writes a call and checks that it fits its schema, reads back without an issue and is fully
// visible, in one line in the wire format: a tool's name may contain what looks like a line end, or
// changes the direction of text. A literal may contain a result tag, which would end the result that
// shows the call.
func (m *Manual) write(plan sig.Plan, input []byte) (call string, ok bool) {
	call, err := m.format(m.catalog, plan.Tool.Name, input, plan.Syntax == sig.JSON)
	isHidden := sig.Invisible
	if m.opts.Protocol != nil { // it may write a call in several lines
		isHidden = func(r rune) bool { return r != '\n' && sig.Invisible(r) }
	}
	if err != nil || strings.ContainsFunc(call, isHidden) || m.holdsResult(call) {
		return "", false
	}
	if args := plan.Tool.Args; args != nil && !args.Accepts(input) {
		return "", false
	}
	read := m.read(call, true, false)
	return call, len(read) == 1 && read[0].Kind == parse.Call && sameJSON(read[0].Input, input)
}

// holdsResult reports whether a call contains a result tag.
func (m *Manual) holdsResult(call string) bool {
	if p := m.opts.prompter(); p != nil {
		open, end := p.ResultTags("")
		return strings.Contains(call, open) || strings.Contains(call, end)
	}
	return m.guard.In(strings.TrimSuffix(strings.TrimPrefix(call, m.tags.Open), m.tags.Close))
}

// writing returns a call of the history. A tool that isn't in the catalog is untyped.
func (m *Manual) writing(p *Part) (string, error) {
	input := inputOf(p.Input)
	plan, known := m.plans[p.Name]
	if !known {
		return m.format(nil, p.Name, input, false)
	}
	if p.Text != "" && m.isSource(p, input) {
		return p.Text, nil
	}
	return m.format(m.catalog, p.Name, input, plan.Syntax == sig.JSON)
}

// isSource reports whether the text of a call is what the model wrote: it reads as that call.
func (m *Manual) isSource(p *Part, input []byte) bool {
	read := m.read(p.Text, false, false)
	return len(read) == 1 && read[0].Kind == parse.Call && read[0].Name == p.Name &&
		sameJSON(read[0].Input, input)
}

// arguments returns what a call has between its tool's name and the close tag; ok is false if it
// isn't a call of the wire format with key=value.
func (m *Manual) arguments(call, name string) (arguments string, ok bool) {
	arguments, ok = strings.CutPrefix(call, m.tags.Open+name+" ")
	return strings.TrimSuffix(arguments, m.tags.Close), ok && !strings.HasPrefix(arguments, "{")
}

// corrected returns the call that a malformed segment was probably meant to be, as it should have
// been written. The result is shown to the model, never executed.
func (m *Manual) corrected(s *parse.Segment) (call string, ok bool) {
	const longest = 4096
	if s.Cut || len(s.Text) > longest || s.Err.Code == lexer.AfterMalformed {
		return "", false
	}
	if _, isOpen := m.openString(s); isOpen {
		return "", false // where the value ends is unknown
	}
	read := m.read(m.closed(s), false, true)
	if len(read) != 1 || read[0].Kind != parse.Call {
		return "", false
	}
	plan, known := m.plans[read[0].Name]
	if !known {
		plan = sig.Plan{Tool: &sig.Tool{Name: read[0].Name}}
	}
	return m.write(plan, read[0].Input)
}

// closed returns the text of a malformed call with a close tag at its end.
func (m *Manual) closed(s *parse.Segment) string {
	text := string(s.Text)
	if s.Closed || m.opts.Protocol != nil {
		return text
	}
	text = strings.TrimSpace(text)
	for n := len(m.tags.Close) - 1; n > 1; n-- { // part of a close tag isn't part of a value
		if strings.HasSuffix(text, m.tags.Close[:n]) {
			text = strings.TrimSpace(text[:len(text)-n])
			break
		}
	}
	return text + m.tags.Close
}

// misfit returns the call that a lenient reader makes of a malformed segment: one with issues,
// which say more than the first of them says as an error.
func (m *Manual) misfit(s *parse.Segment) (call *parse.Segment, ok bool) {
	if s.Kind != parse.Malformed || s.Cut || !s.Closed {
		return s, false
	}
	read := m.read(string(s.Text), false, false)
	if len(read) != 1 || read[0].Kind != parse.Call || len(read[0].Issues) == 0 {
		return s, false
	}
	return &read[0], true
}

// openString returns the offset of the quote that opened the last string of a malformed call, if no
// quote closes it, or only one after a close tag, which was meant for another string or prose.
func (m *Manual) openString(s *parse.Segment) (at int, isOpen bool) {
	isSuch := s.Err.Code == lexer.Unterminated || s.Err.Code == lexer.ExpectedSpace
	if m.opts.Protocol != nil || s.Cut || !isSuch {
		return 0, false
	}
	l, err := lexer.New(lexer.Config{Delims: m.tags})
	if err != nil {
		return 0, false
	}
	l.Feed(s.Text)
	l.Close()
	var last lexer.Token
	for tokens := l.Tokens(); len(tokens) > 0; tokens = l.Tokens() {
		for _, t := range tokens {
			switch t.Kind {
			case lexer.String:
				last = t
			case lexer.Fault:
				holdsTag := bytes.Contains(s.Text[last.Start:last.End], []byte(m.tags.Close))
				return last.Start, last.Kind == lexer.String && last.End == t.Start &&
					(last.Flags&lexer.Last == 0 || holdsTag)
			}
		}
	}
	return 0, false
}

// explain returns what a code means to whoever wrote the call, without the examples of the table,
// which use the default tags. The expected type replaces the table's, if it isn't empty.
func (m *Manual) explain(code lexer.Code, expected string) string {
	if p, ok := m.opts.Protocol.(parse.Hinter); ok {
		if want, fix := p.Hint(code); fix != "" {
			if expected == "" {
				expected = want
			}
			return fmt.Sprintf(expectedFix, code, expected, fix)
		}
	}
	for _, info := range lexer.Codes() {
		if info.Code == code {
			fix, _, _ := strings.Cut(info.Fix, ": "+lexer.DefaultDelims.Open)
			if expected == "" {
				expected = info.Expected
			}
			return fmt.Sprintf(expectedFix, code, expected, fix)
		}
	}
	return string(code)
}

// repairFix returns how to write correctly what a repair has read, "" for every other issue.
func (m *Manual) repairFix(issue *parse.Issue) string {
	if issue.Code == lexer.Repaired && m.opts.Protocol == nil {
		for _, r := range parse.Repairs() {
			if r.Name == issue.Path {
				return r.Fix
			}
		}
	}
	return ""
}

// resultTags returns what is before and after the result of a tool, on lines of their own. Number
// is that of the call in its step, 0 to leave it out.
func (m *Manual) resultTags(name string, number int, failed bool) (open, end string) {
	if p := m.opts.prompter(); p != nil {
		return p.ResultTags(name)
	}
	tag := resultTag
	if failed {
		tag = errorTag
	}
	before, after := lineEnds("<"+tag+">", "</"+tag+">", m.tags.Open)
	open = before + "<" + tag
	if name != "" {
		open += " name=" + m.quoteName(name)
	}
	if number > 0 {
		open += fmt.Sprintf(` call="%d"`, number)
	}
	return open + ">", "</" + tag + ">" + after
}

// lineEnds returns what must come before the first tag of a result and after the last, so that no
// opener includes part of a tag and the text around it: a line end, which no opener contains, or
// nothing. A close tag is harmless there: no call is open.
func lineEnds(first, last, open string) (before, after string) {
	for n := 1; n < len(open); n++ {
		if strings.HasPrefix(first, open[n:]) {
			before = "\n"
		}
		if strings.HasSuffix(last, open[:n]) {
			after = "\n"
		}
	}
	return before, after
}

// quoteName returns a name as a JSON string without tags.
func (m *Manual) quoteName(name string) string {
	quoted := escapeAngles(sig.Visible(string(rawjson.Quote(strings.ToValidUTF8(name, "\ufffd")))))
	if !m.guard.In(quoted + ">") {
		return quoted
	}
	var b strings.Builder
	for _, c := range []byte(quoted) {
		if c == m.tags.Open[0] || c == m.tags.Close[0] { // no escape contains one of these
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapeAngles escapes what could look like a tag in a JSON string, as encoding/json does.
func escapeAngles(quoted string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(quoted)
}
