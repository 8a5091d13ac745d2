package constrain

import (
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// Some formats put values between marks, strings without quotes and escapes. Text that
// looks like a mark could be one, so a grammar does not derive it in strings.

// markPattern returns a pattern of what looks like a mark of the format, "" if it has none,
// and the characters that marks begin with.
func markPattern(f *format.Format) (pattern string, first charset) {
	if f.Body != format.Parameters {
		return "", first
	}
	var alts []string
	for _, mark := range []string{
		f.Parameter.Open, f.Parameter.End, f.Parameter.Value, f.Parameter.Close,
		f.Function.Open, f.Function.End, f.Function.Close,
	} {
		if len(mark) < 2 {
			continue // one character cannot be kept out
		}
		first = first.union(chars(mark[:1]))
		pattern := regexp.QuoteMeta(mark)
		if name := element.FindStringSubmatch(mark); name != nil {
			pattern = "</?" + name[1] + "[=>]"
		}
		if !slices.Contains(alts, pattern) {
			alts = append(alts, pattern)
		}
	}
	return strings.Join(alts, "|"), first
}

// element matches a mark that looks like a tag of XML.
var element = regexp.MustCompile(`^</?([a-z_]+)[=>]$`)

// betweenMarks reports whether a mark can contain the name.
func betweenMarks(name string, m format.Marks) bool {
	return name != "" && !strings.ContainsFunc(name, notInMark(m).has)
}

// notInMark returns the characters that end the word of a mark.
func notInMark(m format.Marks) charset {
	return controls.union(chars(` <>`)).union(chars(m.End[:min(1, len(m.End))]))
}

// parameters returns the arguments, each between its marks, and the end of the function.
func (m *mapper) parameters(t *sig.Type) *node {
	f := m.o.Format
	begin, middle, end := m.literal(f.Parameter.Open), f.Parameter.End, f.Function.Close
	if f.Parameter.Value != "" {
		middle += f.Layout.Line + f.Parameter.Value
	}
	if f.Lines {
		middle += "\n"
	}
	if end != "" {
		end += f.Layout.Line
	}
	parameter := func(key *node, t *sig.Type) *node {
		return m.seq(begin, key, m.literal(middle), m.value(t, inMarks))
	}
	if isMap(t) {
		key := m.repeat(m.class(anything.without(notInMark(f.Parameter))), 1, limits.Unbounded)
		one := parameter(key, typeOf(t.Extra))
		return m.seq(m.repeat(one, 0, m.o.FreeKeys), m.literal(end))
	}
	required, optional := m.fields(t, func(name string, t *sig.Type) *node {
		if !betweenMarks(name, f.Parameter) {
			return never
		}
		return parameter(m.literal(name), t)
	})
	return m.seq(m.inOrder(required, optional, empty), m.literal(end))
}

// valueEnd returns what follows a value.
func (m *mapper) valueEnd() string {
	f := m.o.Format
	if f.Lines {
		return "\n" + f.Parameter.Close + f.Layout.Line
	}
	return f.Parameter.Close + f.Layout.Line
}

// overlap returns patterns of the texts before which the end would be found too early: a }
// before }}.
func overlap(end string) (patterns string) {
	for i := 1; i < len(end); i++ {
		if strings.Index(end[:i]+end, end) < i {
			patterns = join(patterns, regexp.QuoteMeta(end[:i])+"$")
		}
	}
	return patterns
}
