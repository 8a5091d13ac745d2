package manual

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Feedback tells the model what is wrong with a call that it wrote, in the form of an
// error result: what was expected, where in its own text, and how to write that call
// correctly, or another call of the same tool if its meaning is unclear. It takes a
// malformed segment, or a call with issues, and returns "" for every other segment. It
// takes time linear in the segment.
//
// Of the model's text it repeats a few bytes around the fault, neutralized, and the
// corrected call: one call, which reads back. Whatever the tools, it is at most four
// times the segment plus 24 KB long: a long signature is cut, and of a long enum it
// lists the members most like the value.
func (o Options) Feedback(catalog *sig.Catalog, s parse.Segment) string {
	o = o.among(catalog)
	var lines []string
	if misfit, ok := o.misfit(catalog, s); ok {
		lines = append(lines, "This call was not executed.")
		s = misfit
	}
	switch {
	case s.Kind == parse.Malformed && s.Err != nil:
		what, at := o.fault(&s)
		lines = append(lines, o.line("This call was not executed. "+what))
		if where := o.excerpt(s.Text, at); where != "" {
			lines = append(lines, where)
		}
	case s.Kind == parse.Call && len(s.Issues) > 0:
		var typ *sig.Type // of the last issue; many issues may share it
		var expected string
		for i, issue := range s.Issues {
			if i == mostIssues {
				lines = append(lines, o.line(fmt.Sprintf("and %d more of the kind.", len(s.Issues)-i)))
				break
			}
			if issue.Type != typ {
				typ, expected = issue.Type, o.expected(issue.Type)
			}
			line := o.explain(issue.Code, expected)
			if fix := o.repairFix(issue); fix != "" {
				line, issue.Path = fmt.Sprintf("%s: the call was read as it was meant; %s.", issue.Code, fix), ""
			}
			if issue.Code == lexer.TypeMismatch && isNullAt(s.Text, issue.At-s.Start) {
				line += " Leave the argument out instead of writing null."
			}
			if issue.Code == lexer.NotInEnum && expected == "" {
				line += members(issue, s)
			}
			if issue.Code == lexer.UnknownArgument {
				line += didYouMean(nearestArgument(catalog.Lookup([]byte(s.Name)), issue.Path))
			}
			if issue.Path != "" {
				line = begin(issue.Path, longestPath) + ": " + line
			}
			lines = append(lines, o.line(line))
			if issue.Code != lexer.MissingArgument {
				if where := o.excerpt(s.Text, issue.At-s.Start); where != "" {
					lines = append(lines, where)
				}
			}
		}
	default:
		return ""
	}
	lines = append(lines, o.remedy(catalog, s)...)
	name := s.Name
	if len(name) > longestPath {
		name = ""
	}
	return o.wrap(errorTag, name, strings.Join(lines, "\n"))
}

// repairFix returns how to write correctly what a repair of the wire format has read,
// "" for every other issue.
func (o Options) repairFix(issue parse.Issue) string {
	if issue.Code == lexer.Repaired && o.Protocol == nil {
		for _, r := range parse.Repairs() {
			if r.Name == issue.Path {
				return r.Fix
			}
		}
	}
	return ""
}

// isNullAt reports whether the value at the offset is null.
func isNullAt(text []byte, at int) bool {
	return at >= 0 && at < len(text) && bytes.HasPrefix(text[at:], []byte("null"))
}

// fault returns what is wrong with a malformed call, and the offset in its text.
func (o Options) fault(s *parse.Segment) (what string, at int) {
	code := s.Err.Code
	if at, open := o.openString(s); open {
		line, column := position(s.Text, at)
		return fmt.Sprintf("%s: the string opened at %d:%d is not closed; close it with the quote that it begins with, and write the call again, whole.", code, line, column), at
	}
	at = s.Err.Offset - s.Start
	if !s.Closed && !s.Cut && at == len(s.Text) && code != lexer.Unterminated {
		code = lexer.NestedCall // the next call begins there
	}
	return o.explain(code, ""), at
}

// openString returns the offset of the quote that opened the last string of a malformed
// call, if no quote closes it, or only one after a close tag, which was meant for
// another string or prose.
func (o Options) openString(s *parse.Segment) (at int, open bool) {
	if o.Protocol != nil || s.Cut || s.Err.Code != lexer.Unterminated && s.Err.Code != lexer.ExpectedSpace {
		return 0, false
	}
	d := o.tags()
	l, _ := lexer.New(lexer.Config{Delims: d}) // with illegal tags everything is text
	l.Feed(s.Text)
	l.Close()
	var last lexer.Token
	for tokens := l.Tokens(); len(tokens) > 0; tokens = l.Tokens() {
		for _, t := range tokens {
			switch t.Kind {
			case lexer.String:
				last = t
			case lexer.Fault:
				unclosed := last.Kind == lexer.String && last.End == t.Start &&
					(last.Flags&lexer.Last == 0 || strings.Contains(string(s.Text[last.Start:last.End]), d.Close))
				return last.Start, unclosed
			}
		}
	}
	return 0, false
}

// position returns the line and the column, in characters, of an offset in text,
// both counted from 1.
func position(text []byte, at int) (line, column int) {
	before := text[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}

// The bounds of one feedback.
const (
	mostIssues    = 10   // of a call that are listed
	longestPath   = 256  // of a path or a name that is repeated, in bytes
	longestLine   = 2048 // of a signature or an example
	mostMembers   = 10   // of an enum that are listed
	longestMember = 64
)

// misfit returns the call that a lenient reader makes of a malformed segment: one with
// issues, which say more than the first of them says as an error.
func (o Options) misfit(catalog *sig.Catalog, s parse.Segment) (call parse.Segment, ok bool) {
	if s.Kind != parse.Malformed || s.Cut || !s.Closed {
		return s, false
	}
	read := parse.Options{Protocol: o.Protocol, Delims: o.tags()}.Text(string(s.Text), catalog)
	if len(read) != 1 || read[0].Kind != parse.Call || len(read[0].Issues) == 0 {
		return s, false
	}
	return read[0], true
}

// expected returns the type that a value should have had, as signatures write it, or ""
// if there is none or it is long.
func (o Options) expected(t *sig.Type) string {
	const longest = 200
	if t == nil || len(t.Enum) > longest {
		return ""
	}
	text := o.signatures().Type(t)
	if len(text) > longest {
		return ""
	}
	return text
}

// explain returns what a code means to whoever wrote the call, without the examples of
// the table, which use the default tags. The expected type, if not empty, is added.
func (o Options) explain(code lexer.Code, expected string) string {
	if p, ok := o.Protocol.(parse.Hinter); ok {
		if want, fix := p.Hint(code); fix != "" {
			if expected == "" {
				expected = want
			}
			return fmt.Sprintf("%s: expected %s; %s.", code, expected, fix)
		}
	}
	for _, info := range lexer.Codes() {
		if info.Code == code {
			fix, _, _ := strings.Cut(info.Fix, ": "+lexer.DefaultDelims.Open)
			if expected == "" {
				expected = info.Expected
			}
			return fmt.Sprintf("%s: expected %s; %s.", code, expected, fix)
		}
	}
	return string(code)
}

// excerpt returns the text around the fault at offset at, with a mark before it.
func (o Options) excerpt(text []byte, at int) string {
	const before, after = 24, 24
	if len(text) == 0 {
		return ""
	}
	at = min(max(at, 0), len(text))
	from, to := runeStart(text, max(0, at-before)), runeStart(text, min(len(text), at+after))
	part := string(text[from:at]) + "⟨here⟩" + string(text[at:to])
	if from > 0 {
		part = "…" + part
	}
	if to < len(text) {
		part += "…"
	}
	return o.line("At: " + part)
}

// runeStart returns the offset of the character that contains the byte at offset i, or
// i if it is not valid UTF-8.
func runeStart(text []byte, i int) int {
	for n := i; n > i-utf8.UTFMax && n >= 0 && n < len(text); n-- {
		if utf8.RuneStart(text[n]) {
			return n
		}
	}
	return i
}

// spaces replaces other whitespace with spaces.
var spaces = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// line returns text, possibly untrusted, as one line of an answer that is not a call:
// without tags, and fully visible.
func (o Options) line(text string) string {
	text = sig.Visible(spaces.Replace(text))
	if g := o.guard(); g.In(text) { // otherwise it may be neutralized already
		return g.Neutralize(text)
	}
	return text
}

// remedy returns the lines that say how to write the call correctly.
func (o Options) remedy(catalog *sig.Catalog, s parse.Segment) []string {
	if s.Kind == parse.Malformed {
		if call, ok := o.mended(catalog, s); ok && len(call) <= longestLine+2*len(s.Text) {
			return []string{"Write: " + call}
		}
	}
	tool := catalog.Lookup([]byte(s.Name))
	if s.Name == "" {
		tool = mentioned(catalog, s.Text)
	}
	if tool == nil {
		var lines []string
		if s.Name != "" {
			if near := didYouMean(nearestTool(catalog, s.Name)); near != "" {
				lines = []string{o.line(strings.TrimSpace(near))}
			}
		}
		lines = append(lines, o.known(catalog)...)
		if call := o.anyCall(catalog); s.Name == "" && call != "" {
			lines = append(lines, "Such as: "+call)
		}
		return lines
	}
	plan := o.planOf(tool)
	lines := []string{o.line("Signature: " + cutLine(o.signatures().Signature(plan)))}
	if call, ok := o.Example(catalog, plan); ok && len(call) <= longestLine {
		lines = append(lines, "Such as: "+call)
	}
	return lines
}

// mentioned returns the only tool whose name occurs at the beginning of a text, or nil
// if there is none or more than one.
func mentioned(catalog *sig.Catalog, text []byte) (tool *sig.Tool) {
	const longest = 512
	head := text[:min(len(text), longest)]
	for _, word := range bytes.FieldsFunc(head, func(c rune) bool { return !lexeme.IsName("a" + string(c)) }) {
		for word := range bytes.FieldsFuncSeq(word, func(c rune) bool { return c == '.' || c == ':' || c == '/' }) {
			if t := catalog.Lookup(word); t != nil && tool != nil && t != tool {
				return nil
			} else if t != nil {
				tool = t
			}
		}
	}
	return tool
}

// anyCall returns a call of the least harmful tool, "" if there is none.
func (o Options) anyCall(catalog *sig.Catalog) (call string) {
	least := harms + 1
	for i, t := range catalog.Tools() {
		if i == mostKnown {
			break
		}
		if h := harmOf(t.Name); h < least {
			if example, ok := o.Example(catalog, o.planOf(t)); ok && len(example) <= longestLine {
				call, least = example, h
			}
		}
	}
	return call
}

// mostKnown is how many tools are looked at, and named, if the call's tool is unknown.
const mostKnown = 50

// known returns a line with the names of the tools.
func (o Options) known(catalog *sig.Catalog) []string {
	var names []string
	for i, t := range catalog.Tools() {
		if i == mostKnown {
			names = append(names, "…")
			break
		}
		names = append(names, t.Name)
	}
	if names == nil {
		return nil
	}
	return []string{o.line("Tools: " + strings.Join(names, ", "))}
}
