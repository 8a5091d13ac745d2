package manual

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

// maker makes up values that fit their types.
type maker struct {
	terse bool // strings are one word
	depth int
	words int // strings made up so far
	tries int // values requested
}

// The bounds of one example.
const (
	maxExampleDepth = 5   // of nesting
	maxExampleTries = 500 // values made up
	maxGiven        = 32  // values looked at of those the schema gives for one place
	maxElements     = 4   // of a list
	maxTelling      = 9   // optional properties that are tried
	longestGiven    = 48  // bytes of a value from the schema
)

// arguments returns arguments in compact form, or nil: the required ones and, if there are few, the
// first optional one that is written bare and is not just any string; if there are none, any one.
func (m *maker) arguments(t *sig.Type) []byte {
	if t == nil {
		return nil
	}
	var extra *sig.Field
	required := 0
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required {
			required++
		} else if extra == nil && showsMore(f.Type) {
			extra = f
		}
	}
	if required > 2 {
		extra = nil
	} else if required == 0 && extra == nil {
		extra = m.telling(t)
	}
	if input := m.object(t, extra); input != nil || extra == nil {
		return input
	}
	return m.object(t, nil)
}

// showsMore reports whether a value of the type is written bare, and is not just any string.
func showsMore(t *sig.Type) bool {
	if t == nil || !t.Restricts() || t.Kinds&(sig.Array|sig.Object) != 0 {
		return false
	}
	return len(t.Enum) > 0 || t.Kinds&(sig.Integer|sig.Boolean) != 0
}

// telling returns the first property with a value that is not empty, or nil.
func (m *maker) telling(t *sig.Type) *sig.Field {
	for i := range t.Fields[:min(len(t.Fields), maxTelling)] {
		f := &t.Fields[i]
		if v := string(m.value(f.Name, f.Type)); v != "" && v != "{}" && v != "[]" {
			return f
		}
	}
	return nil
}

// object returns an object with the required properties and one more, if it isn't nil; or nil.
func (m *maker) object(t *sig.Type, more *sig.Field) []byte {
	var out rawjson.Object
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required {
			out = append(out, rawjson.Member{Key: f.Name, Value: m.value(f.Name, f.Type)})
		}
	}
	if more != nil {
		out = append(out, rawjson.Member{Key: more.Name, Value: m.value(more.Name, more.Type)})
	}
	if slices.ContainsFunc(out, func(v rawjson.Member) bool { return v.Value == nil }) {
		return nil
	}
	return first(t, out.Append(nil))
}

// first returns the first of the values that fits a type as far as its limits can be checked, or
// nil if none does or they can't.
func first(t *sig.Type, values ...[]byte) []byte {
	for _, v := range values {
		if v != nil && (t == nil || t.Limits.Checkable() && t.Accepts(v)) {
			return v
		}
	}
	return nil
}

// value returns a compact value of the type for a property with that name, or nil: what the schema
// gives, or else one that is made up.
func (m *maker) value(name string, t *sig.Type) []byte {
	m.depth++
	defer func() { m.depth-- }()
	m.tries++
	if m.depth > maxExampleDepth || m.tries > maxExampleTries {
		return nil
	}
	if t == nil {
		return first(nil, m.texts(name, nil)...)
	}
	if v := first(t, given(t)...); v != nil {
		return v
	}
	for _, alt := range t.Alts {
		if alt.Kinds == sig.Null {
			continue
		}
		if v := first(t, m.value(name, alt)); v != nil {
			return v
		}
	}
	switch k := t.Free; {
	case k&sig.String != 0:
		return first(t, m.texts(name, t)...)
	case k&(sig.Integer|sig.Number) != 0:
		return first(t, numbers(t)...)
	case k&sig.Boolean != 0:
		return []byte("true")
	case k&sig.Array != 0:
		return m.array(name, t)
	case k&sig.Object != 0 && !t.Lacks(0):
		return m.object(t, m.telling(t))
	case k&sig.Object != 0:
		return m.object(t, nil)
	case t.Kinds&sig.Null != 0:
		return []byte("null")
	}
	return nil
}

// given returns the short scalars that the schema gives, as examples and the default, and its
// literals.
func given(t *sig.Type) (values [][]byte) {
	list := slices.Clone(t.Examples[:min(len(t.Examples), maxGiven)])
	for _, v := range append(list, t.Default) {
		v = bytes.TrimSpace(v)
		isScalar := len(v) > 0 && bytes.IndexByte([]byte("{[n"), v[0]) < 0 && string(v) != `""`
		if isScalar && len(v) <= longestGiven && json.Valid(v) {
			values = append(values, v)
		}
	}
	for i := range t.Enum[:min(len(t.Enum), maxGiven)] {
		if e := &t.Enum[i]; e.Kind != sig.Null && strings.TrimSpace(e.Text) != "" {
			values = append(values, e.JSON)
		}
	}
	return values
}

// numbers returns small integers, and those near the limits.
func numbers(t *sig.Type) (values [][]byte) {
	tries := []float64{3, 1, 10, 50, 100, 1000, 0, -1}
	if l := t.Limits; l != nil {
		for _, by := range l.MultipleOf[:min(len(l.MultipleOf), maxGiven)] {
			n, _ := by.Float64()
			tries = append(tries, n)
		}
		for _, bound := range []*limits.Bound{l.Value.Min, l.Value.Max} {
			if bound != nil {
				n, _ := bound.Number.Float64()
				tries = append(tries, n, n+1, n-1)
			}
		}
	}
	for _, n := range tries {
		if n == float64(int64(n)) {
			values = append(values, strconv.AppendInt(nil, int64(n), 10))
		}
	}
	return values
}

// array returns an array of two words or one other element, or as many as required; or nil.
func (m *maker) array(name string, t *sig.Type) []byte {
	items := limits.Range{Max: limits.Unbounded}
	if t.Limits != nil {
		items = t.Limits.Items
	}
	least := max(items.Min, len(t.Prefix))
	want := min(max(2, least), items.Max)
	if want > maxElements || want < least {
		return nil
	}
	if e := t.Item(0); e == nil || e.Kinds&^(sig.String|sig.Null) != 0 { // they aren't words
		want = min(want, max(1, least))
	}
	name = strings.TrimSuffix(name, "s")
	var list [][]byte
	for i := range want {
		e := t.Item(i)
		if e != nil && e.Kinds == 0 {
			break
		}
		value := m.value(name, e)
		if value == nil {
			return nil
		}
		if i > 0 && bytes.Equal(value, list[i-1]) {
			value = another(e, value)
		}
		if value == nil {
			break
		}
		list = append(list, value)
	}
	return first(t, rawjson.AppendArray(nil, list))
}

// another returns a member of the enum that is not value, or nil.
func another(t *sig.Type, value []byte) []byte {
	for i := 0; t != nil && i < len(t.Enum); i++ {
		if !bytes.Equal(t.Enum[i].JSON, value) && t.Enum[i].Kind != sig.Null {
			return t.Enum[i].JSON
		}
	}
	return nil
}

// texts returns strings for a property with that name, the first ones from its description, format
// and name.
func (m *maker) texts(name string, t *sig.Type) (values [][]byte) {
	words := splitWords(name)
	var tries []string
	if t != nil && t.Limits != nil && len(t.Limits.Formats) > 0 {
		tries = append(tries, formats[t.Limits.Formats[0]])
	} else {
		if !m.terse && t != nil {
			tries = append(tries, exampleIn(t.Description))
		}
		for _, h := range hints {
			if len(words) > 0 && (words[0] == h.word || words[len(words)-1] == h.word) {
				tries = append(tries, h.value)
			}
		}
		if m.terse {
			tries = append(tries, string(rune('a'+m.words%26)))
			m.words++
		}
		tries = append(tries, "some "+strings.Join(words, " "), "text", "1", "a", "A", "abc", "ABC",
			"text to fill the length", "00000000")
	}
	for _, text := range tries {
		if text != "" {
			values = append(values, rawjson.Quote(text))
		}
	}
	return values
}

// formats are sample values for the formats of JSON Schema.
var formats = map[string]string{
	"date": "2026-05-01", "date-time": "2026-05-01T09:00:00Z", "time": "09:00:00Z",
	"duration": "PT30M", "email": "user@example.com", "hostname": "example.com",
	"uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/a",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
}

// hints are sample values for words in the names of properties.
var hints = []struct{ word, value string }{
	{"email", "user@example.com"}, {"url", "https://example.com/"}, {"uri", "https://example.com/"},
	{"path", "docs/index.md"}, {"file", "index.md"}, {"directory", "docs"}, {"date", "2026-05-01"},
	{"city", "New York"}, {"location", "New York"}, {"country", "France"},
	{"timezone", "Asia/Tokyo"},
	{"query", "release notes"}, {"title", "Weekly report"}, {"currency", "EUR"}, {"language", "en"},
	{"id", "4f2a"}, {"owner", "acme"}, {"org", "acme"}, {"repo", "website"}, {"branch", "main"},
	{"topic", "ocean tides"}, {"message", "See you at nine"}, {"body", "See you at nine"},
	{"pattern", "invoice"},
}

// exampleText finds an example in a description: in quotes, or up to a comma or parenthesis.
var exampleText = regexp.MustCompile(`(?i)(?:e\.g\.,?|for example,?|such as|example:) [:, ]*` +
	"(?:\"([^\"\r\n]+)\"|'([^'\r\n]+)'|`([^`\r\n]+)`|“([^”\r\n]+)”|‘([^’\r\n]+)’|" +
	"([^\"'`“‘,;)\r\n][^,;)\r\n]*))")

// exampleIn returns a short example from a description, such as Oslo from "A city, e.g. Oslo", or
// "".
func exampleIn(description string) string {
	const longest, most = 40, 4 // bytes and words
	found := exampleText.FindStringSubmatch(description)
	if found == nil {
		return ""
	}
	plain := found[len(found)-1]
	if plain == "" { // it is in quotes
		text := strings.Join(found[1:], "")
		if len(text) > longest {
			return ""
		}
		return text
	}
	text := strings.TrimRight(strings.TrimSpace(plain), ".")
	isLong := len(text) > longest || len(strings.Fields(text)) > most
	if isLong || strings.ContainsAny(text, "\"'`([{<=") || strings.Contains(text, ". ") {
		return ""
	}
	return text
}
