package manual

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/near"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// The bounds of one feedback.
const (
	mostIssues    = 10   // of a call that are listed
	longestPath   = 256  // of a path or a name that is repeated, in bytes
	longestLine   = 2048 // of a signature or an example
	longestType   = 200  // of an expected type
	mostMembers   = 10   // of an enum that are listed
	mostCompared  = 1000 // of an enum that are looked at
	longestMember = 64
	mostKnown     = 50 // tools that are listed, if the call's tool is unknown
)

// Feedback explains to the model what is wrong with a call that it wrote, as an error result:
// what was expected, where in its own text, and how to write that call correctly, or another call
// of the same tool if its meaning is unclear. It takes a malformed segment, or a call with issues.
// The call is after the result if it would end that, as a fence would end another.
//
// For a call of the loader that [New] added, it returns the answer of [Manual.Load] as a result,
// and "" for every other segment. It takes time linear in the segment.
//
// It repeats a few bytes of the model's text around the fault, neutralized, and the corrected call:
// one call, which reads back. It is at most four times as long as the segment, plus 24 KB: it cuts
// a long signature, and lists only the members of a long enum that are most like the value.
func (m *Manual) Feedback(segment parse.Segment) string {
	s := &segment
	var lines []string
	if call, ok := m.misfit(s); ok {
		lines = append(lines, notExecuted)
		s = &call
	}
	about := result{failed: true}
	switch {
	case s.Call != nil && m.loads(s.Call.Name) && m.loader != "":
		answer := result{name: s.Call.Name, id: s.Call.ID}
		return m.wrap(answer, m.Load(s.Call.Input)) // its calls are examples
	case s.Err != nil:
		about.name = s.Err.Tool
		what, at := m.fault(s)
		lines = append(lines, m.line(notExecuted+" "+what))
		lines = append(lines, m.excerpt(s.Text, at)...)
	case s.Call != nil && len(s.Call.Issues) > 0:
		about.name, about.id = s.Call.Name, s.Call.ID
		lines = append(lines, m.issues(s)...)
	default:
		return ""
	}
	after := ""
	for _, line := range m.remedy(s, about.name) {
		if m.isApart && strings.Contains(line, m.format.Call.Open) {
			after += "\n" + strings.Replace(line, ": ", ":\n", 1)
		} else {
			lines = append(lines, line)
		}
	}
	if len(about.name) > longestPath {
		about.name = ""
	}
	return m.wrap(about, strings.Join(lines, "\n")) + after
}

// issues returns the lines on the issues of a call.
func (m *Manual) issues(s *parse.Segment) (lines []string) {
	for i := range s.Call.Issues {
		if i == mostIssues {
			return append(lines, fmt.Sprintf(moreIssues, len(s.Call.Issues)-i))
		}
		issue := &s.Call.Issues[i]
		lines = append(lines, m.line(m.issueLine(s, issue)))
		if issue.Code != lexer.MissingArgument {
			lines = append(lines, m.excerpt(s.Text, issue.Offset-s.Start)...)
		}
	}
	return lines
}

// issueLine returns the line on one issue.
func (m *Manual) issueLine(s *parse.Segment, issue *parse.Issue) string {
	fix := repair.Fix(issue.Path)
	if issue.Code == lexer.Repaired && fix != "" {
		return fmt.Sprintf(wasRepaired, issue.Code, fix)
	}
	expected := m.expected(issue.Type)
	line := m.explain(issue.Code, expected)
	value := valueAt(s.Text, issue.Offset-s.Start)
	switch {
	case issue.Code == lexer.TypeMismatch && value == "null":
		line += leaveOut
	case issue.Code == lexer.NotInEnum && expected == "":
		line += members(issue.Type, value)
	case issue.Code == lexer.UnknownArgument:
		tool := m.catalog.Lookup([]byte(s.Call.Name))
		if tool == nil {
			break
		}
		if meant := nearestArgument(tool.Args, issue.Path); meant != "" {
			line += fmt.Sprintf(didYouMean, meant)
		}
	}
	if issue.Path != "" {
		line = begin(issue.Path, longestPath) + ": " + line
	}
	return line
}

// fault returns what is wrong with a malformed call, and the offset in its text.
func (m *Manual) fault(s *parse.Segment) (what string, at int) {
	code := s.Err.Code
	if at, isOpen := m.openString(s); isOpen {
		return fmt.Sprintf(openString, code), at
	}
	at = s.Err.Offset - s.Start
	if !s.Err.Closed && !isCut(s) && at == len(s.Text) && code != lexer.Unterminated {
		code = lexer.NestedCall // the next call begins there
	}
	return m.explain(code, ""), at
}

// expected returns the type that a value should have had, as signatures write it, or "" if there is
// none or it is long.
func (m *Manual) expected(t *sig.Type) string {
	if t == nil || len(t.Enum) > longestType {
		return ""
	}
	if text := m.signatures().Type(t); len(text) <= longestType {
		return text
	}
	return ""
}

// signatures returns the options for signatures.
func (m *Manual) signatures() sig.SignatureOptions {
	s := m.opts.Signatures
	s.Tags = m.guard.Tags()
	return s
}

// excerpt returns a line with the text around the fault at offset at, and a mark before it; none if
// text is empty.
func (m *Manual) excerpt(text string, at int) []string {
	const around = 24
	if text == "" {
		return nil
	}
	at = min(max(at, 0), len(text))
	from, to := runeStart(text, max(0, at-around)), runeStart(text, min(len(text), at+around))
	part := text[from:at] + "⟨here⟩" + text[at:to]
	if from > 0 {
		part = "…" + part
	}
	if to < len(text) {
		part += "…"
	}
	return []string{m.line(fmt.Sprintf(faultAt, part))}
}

// runeStart returns the offset of the character that contains the byte at offset i, or
// i if it is not valid UTF-8.
func runeStart(text string, i int) int {
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
func (m *Manual) line(text string) string {
	text = unseen.Escape(spaces.Replace(text))
	if m.guard.In(text) { // otherwise it may be neutralized already
		return m.guard.Neutralize(text)
	}
	return text
}

// remedy returns the lines that show how to write a call of the named tool correctly.
func (m *Manual) remedy(s *parse.Segment, name string) []string {
	if call := m.corrected(s); call != "" {
		return []string{fmt.Sprintf(writeThis, call)}
	}
	tool := m.catalog.Lookup([]byte(name))
	if name == "" {
		tool = m.mentioned(s.Text)
	}
	if tool == nil {
		return m.otherTools(s, name)
	}
	signature := m.signatures().Signature(m.plans[tool.Name])
	lines := []string{m.line(fmt.Sprintf(signatureIs, begin(signature, longestLine)))}
	if call := m.exampleOf(tool.Name); call != "" && len(call) <= longestLine {
		lines = append(lines, fmt.Sprintf(suchAs, call))
	}
	return lines
}

// otherTools returns the lines on the tools that could have been meant by an unknown name.
func (m *Manual) otherTools(s *parse.Segment, name string) (lines []string) {
	var names []string
	for _, t := range m.catalog.Tools() {
		names = append(names, t.Name)
	}
	if found := near.Names(strings.TrimPrefix(name, "functions."), names); found != nil {
		lines = append(lines, m.line(strings.TrimSpace(fmt.Sprintf(didYouMean, found[0]))))
		renamed := *s
		renamed.Text = strings.Replace(s.Text, name, found[0], 1)
		renamed.End += len(renamed.Text) - len(s.Text)
		if call := m.corrected(&renamed); call != "" {
			lines = append(lines, fmt.Sprintf(writeThis, call))
		}
	}
	if len(names) > mostKnown {
		names = append(names[:mostKnown], "…")
	}
	if names != nil {
		lines = append(lines, m.line(fmt.Sprintf(toolsAre, strings.Join(names, ", "))))
	}
	if name == "" && len(m.parts.examples) > 0 && len(m.parts.examples[0]) <= longestLine {
		lines = append(lines, fmt.Sprintf(suchAs, m.parts.examples[0]))
	}
	return lines
}

// mentioned returns the only tool whose name occurs at the beginning of a text, or nil if there is
// none or more than one.
func (m *Manual) mentioned(text string) (tool *sig.Tool) {
	const longest = 100
	text = text[:min(len(text), longest)]
	for _, t := range m.catalog.Tools() {
		switch {
		case !strings.Contains(text, t.Name):
		case tool == nil || strings.Contains(t.Name, tool.Name): // the longer name is meant
			tool = t
		case !strings.Contains(tool.Name, t.Name):
			return nil
		}
	}
	return tool
}

// members returns, after a space, the members of a long enum that are most like the value that
// failed to match, otherwise the first ones, and how many more there are.
func members(t *sig.Type, value string) string {
	if t == nil || len(t.Enum) == 0 {
		return ""
	}
	var short []string
	for i := range t.Enum[:min(len(t.Enum), mostCompared)] {
		if e := &t.Enum[i]; len(e.JSON) <= longestMember {
			short = append(short, string(e.JSON))
		}
	}
	list := near.Names(value, short)
	if list == nil {
		list = short
	}
	list = list[:min(len(list), mostMembers)]
	if more := len(t.Enum) - len(list); more > 0 {
		list = append(list, fmt.Sprintf(moreMembers, more))
	}
	return fmt.Sprintf(enumMembers, strings.Join(list, ", "))
}

// valueAt returns the beginning of the value at the offset, as long as it could be a name.
func valueAt(text string, at int) string {
	if at < 0 || at >= len(text) {
		return ""
	}
	value := text[at:min(len(text), at+2*near.Longest)]
	ends := "\"'<>,]}" + lexeme.Whitespace
	if c := value[0]; c == '"' || c == '\'' {
		value, ends = value[1:], value[:1]
	}
	if end := strings.IndexAny(value, ends); end >= 0 {
		return value[:end]
	}
	return value
}

// nearestArgument returns the path of the declared argument that is most like an unknown path,
// or "".
func nearestArgument(t *sig.Type, path string) string {
	keys := strings.Split(path, ".")
	last := len(keys) - 1
	for _, key := range keys[:last] {
		name, indexes, _ := strings.Cut(key, "[")
		f := t.Field([]byte(name))
		if f == nil {
			return ""
		}
		t = f.Type
		for range strings.Count(indexes, "]") {
			t = t.Item(0)
		}
	}
	var names []string
	for i := 0; t != nil && i < len(t.Fields); i++ {
		names = append(names, t.Fields[i].Name)
	}
	found := near.Names(keys[last], names)
	if found == nil {
		return ""
	}
	keys[last] = found[0]
	return strings.Join(keys, ".")
}
