package manual

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// maker makes up values.
type maker struct {
	terse bool // strings are one word
	depth int
	words int // strings made up so far
}

// maxExampleDepth is how deep made up values nest.
const maxExampleDepth = 5

// arguments returns an arguments object, compact, or nil: the required
// properties and, where these are few, the first optional one that is short and
// no string; where there are none, any one.
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
	switch {
	case required > 2:
		extra = nil
	case required == 0 && extra == nil && len(t.Fields) > 0:
		extra = &t.Fields[0]
	}
	if text := m.object(t, extra); text != nil {
		return text
	}
	return m.object(t, nil)
}

// showsMore reports whether a value of the type is written bare, and is not just
// any string.
func showsMore(t *sig.Type) bool {
	return t != nil && t.Says() && (len(t.Enum) > 0 || t.Kinds&(sig.Integer|sig.Boolean) != 0) && t.Kinds&(sig.Array|sig.Object) == 0
}

// object returns an object with the required properties and one more, if given.
func (m *maker) object(t *sig.Type, extra *sig.Field) []byte {
	out := []byte{'{'}
	add := func(f *sig.Field) bool {
		value := m.value(f.Name, f.Type)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, f.JSONKey...), value...)
		return value != nil
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required && !add(f) {
			return nil
		}
	}
	if extra != nil && !add(extra) {
		return nil
	}
	return append(out, '}')
}

// constraints are the keywords of a schema that types do not know.
type constraints struct {
	Examples         []json.RawMessage `json:"examples"`
	Example          json.RawMessage   `json:"example"`
	Pattern          string            `json:"pattern"`
	MinLength        int               `json:"minLength"`
	MaxLength        *int              `json:"maxLength"`
	Minimum          *float64          `json:"minimum"`
	Maximum          *float64          `json:"maximum"`
	ExclusiveMinimum any               `json:"exclusiveMinimum"`
	ExclusiveMaximum any               `json:"exclusiveMaximum"`
	MultipleOf       float64           `json:"multipleOf"`
	MinItems         int               `json:"minItems"`
	MaxItems         *int              `json:"maxItems"`
	UniqueItems      bool              `json:"uniqueItems"`
	MinProperties    int               `json:"minProperties"`
}

// value returns a value of the type for a property of that name, compact, or
// nil.
func (m *maker) value(name string, t *sig.Type) []byte {
	if m.depth++; m.depth > maxExampleDepth {
		return nil
	}
	defer func() { m.depth-- }()
	if t == nil {
		return m.text(name, "", &constraints{})
	}
	var c constraints
	if len(t.Source) > 0 {
		json.Unmarshal(t.Source, &c) // a keyword of another kind says nothing
	}
	for _, given := range append(c.Examples, c.Example, t.Default) {
		if given := scalar(given); given != nil && m.allows(t, given, &c) {
			return given
		}
	}
	for i := range t.Enum {
		if e := &t.Enum[i]; e.Kind != sig.Null && m.allows(t, e.JSON, &c) {
			return e.JSON
		}
	}
	for _, alt := range t.Alts {
		if alt.Kinds != sig.Null {
			if v := m.value(name, alt); v != nil {
				return v
			}
		}
	}
	switch k := t.Free; {
	case k&sig.String != 0:
		return m.text(name, t.Format, &c)
	case k&(sig.Integer|sig.Number) != 0:
		return m.number(&c)
	case k&sig.Boolean != 0:
		return []byte("true")
	case k&sig.Array != 0:
		return m.array(name, t, &c)
	case k&sig.Object != 0 && c.MinProperties == 0:
		return m.object(t, nil)
	case t.Kinds&sig.Null != 0:
		return []byte("null")
	}
	return nil
}

// scalar returns a short JSON scalar in compact form, else nil.
func scalar(text json.RawMessage) []byte {
	const longest = 48
	text = bytes.TrimSpace(text)
	if len(text) == 0 || len(text) > longest || text[0] == '{' || text[0] == '[' || text[0] == 'n' || string(text) == `""` {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return nil
	}
	return b.Bytes()
}

// allows reports whether a given value is one of the type.
func (m *maker) allows(t *sig.Type, text []byte, c *constraints) bool {
	var kind sig.Kinds
	content := string(text)
	switch text[0] {
	case '"':
		kind = sig.String
		if json.Unmarshal(text, &content) != nil || !c.allowText(content) {
			return false
		}
	case 't', 'f':
		kind = sig.Boolean
	case '[':
		return t.Free&sig.Array != 0
	case '{':
		return t.Free&sig.Object != 0
	default:
		kind = sig.Number
		if !bytes.ContainsAny(text, ".eE") {
			kind = sig.Integer
		}
		if n, err := strconv.ParseFloat(content, 64); err != nil || !c.allowNumber(n) {
			return false
		}
	}
	return t.Free&kind != 0 || t.Member(kind, []byte(content)) != nil
}

func (c *constraints) allowText(text string) bool {
	n := utf8.RuneCountInString(text)
	if n < c.MinLength || c.MaxLength != nil && n > *c.MaxLength {
		return false
	}
	if c.Pattern == "" {
		return true
	}
	const longest = 512
	if len(c.Pattern) > longest || strings.Contains(c.Pattern, "{") && len(c.Pattern) > longest/8 {
		return false
	}
	re, err := regexp.Compile(c.Pattern)
	return err == nil && re.MatchString(text)
}

func (c *constraints) allowNumber(n float64) bool {
	switch {
	case c.Minimum != nil && (n < *c.Minimum || c.ExclusiveMinimum == true && n == *c.Minimum),
		c.Maximum != nil && (n > *c.Maximum || c.ExclusiveMaximum == true && n == *c.Maximum),
		c.MultipleOf != 0 && float64(int64(n/c.MultipleOf))*c.MultipleOf != n:
		return false
	}
	if low, ok := c.ExclusiveMinimum.(float64); ok && n <= low {
		return false
	}
	high, ok := c.ExclusiveMaximum.(float64)
	return !ok || n < high
}

// number returns a small number.
func (m *maker) number(c *constraints) []byte {
	tries := []float64{3, 1, 10, 50, 100, 1000, 0, 0.5, c.MultipleOf}
	for _, bound := range []*float64{c.Minimum, c.Maximum} {
		if bound != nil {
			tries = append(tries, *bound, *bound+1, *bound-1)
		}
	}
	for _, n := range tries {
		if n == float64(int64(n)) && c.allowNumber(n) {
			return strconv.AppendInt(nil, int64(n), 10)
		}
	}
	return nil
}

// array returns an array of two elements, or as many as must be.
func (m *maker) array(name string, t *sig.Type, c *constraints) []byte {
	want := max(2, c.MinItems, len(t.Prefix))
	if c.MaxItems != nil {
		want = min(want, *c.MaxItems)
	}
	const most = 4
	if want > most || want < c.MinItems || want < len(t.Prefix) {
		return nil
	}
	if elem := t.Item(0); want > c.MinItems && len(t.Prefix) == 0 && (elem == nil || elem.Kinds&^(sig.String|sig.Null) != 0) {
		want = max(1, c.MinItems) // two are for lists of words
	}
	name = strings.TrimSuffix(name, "s")
	out := []byte{'['}
	var last []byte
	for i := range want {
		e := t.Item(i)
		if e != nil && e.Kinds == 0 {
			break
		}
		value := m.value(name, e)
		if value == nil {
			return nil
		}
		if bytes.Equal(value, last) {
			if value = m.another(e, value); value == nil {
				break
			}
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, value...)
		last = value
	}
	if last == nil && c.MinItems > 0 {
		return nil
	}
	return append(out, ']')
}

// another returns a member of the enum that is not value.
func (m *maker) another(t *sig.Type, value []byte) []byte {
	if t == nil {
		return nil
	}
	for i := range t.Enum {
		if !bytes.Equal(t.Enum[i].JSON, value) && t.Enum[i].Kind != sig.Null {
			return t.Enum[i].JSON
		}
	}
	return nil
}

// formats are values for the formats of JSON Schema.
var formats = map[string]string{
	"date": "2026-05-01", "date-time": "2026-05-01T09:00:00Z", "time": "09:00:00Z", "duration": "PT30M",
	"email": "user@example.com", "uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/a",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "example.com",
}

// hints are values for words in the names of properties.
var hints = []struct{ word, value string }{
	{"email", "user@example.com"}, {"url", "https://example.com/"}, {"uri", "https://example.com/"},
	{"path", "docs/index.md"}, {"file", "index.md"}, {"directory", "docs"}, {"date", "2026-05-01"},
}

// text returns a string for a property of that name.
func (m *maker) text(name, format string, c *constraints) []byte {
	words := splitWords(name)
	tries := []string{formats[format]}
	if format == "" {
		for _, h := range hints {
			if len(words) > 0 && (words[0] == h.word || words[len(words)-1] == h.word) {
				tries = append(tries, h.value)
			}
		}
		if m.terse {
			tries = append(tries, string(rune('a'+m.words%26)))
			m.words++
		}
		tries = append(tries, "some "+strings.Join(words, " "), "text", "1", "a", "A", "abc", "ABC", "text to fill the length", "00000000")
	}
	for _, text := range tries {
		if text != "" && c.allowText(text) {
			return appendJSON(nil, text)
		}
	}
	return nil
}

// appendJSON appends text, which is UTF-8, as a JSON string with the fewest
// escapes.
func appendJSON(dst []byte, text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text) // a string always can
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// splitWords splits a name at underscores, hyphens and capitals into words of
// letters and digits in lower case.
func splitWords(name string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && lower:
			end()
		}
		lower = !unicode.IsUpper(r)
		word = append(word, unicode.ToLower(r))
	}
	end()
	return words
}
