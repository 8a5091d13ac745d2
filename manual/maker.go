package manual

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

// maker makes up argument values.
type maker struct {
	terse bool // strings are one word
	depth int
	words int // strings made up so far
	tries int // values asked for
}

// The bounds of one example.
const (
	maxExampleDepth = 5   // of nesting
	maxExampleTries = 500 // values made up
	maxGiven        = 32  // values looked at of those the schema gives for one place
)

// arguments returns a compact arguments object or nil: the required properties and, if
// there are few, the first optional one that is short and not a string; if there are
// none, any one property.
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
	case required == 0 && extra == nil:
		extra = m.telling(t)
	}
	if text := m.object(t, extra); text != nil {
		return text
	}
	return m.object(t, nil)
}

// telling returns the first property with a value that is not empty, or nil.
func (m *maker) telling(t *sig.Type) *sig.Field {
	const enough = 8
	for i := range t.Fields {
		f := &t.Fields[i]
		if v := m.value(f.Name, f.Type); v != nil && !bytes.HasPrefix(v, []byte("{}")) && !bytes.HasPrefix(v, []byte("[]")) {
			return f
		}
		if i == enough {
			break
		}
	}
	return nil
}

// showsMore reports whether a value of the type is written bare, and is not just
// any string.
func showsMore(t *sig.Type) bool {
	return t != nil && t.Says() && (len(t.Enum) > 0 || t.Kinds&(sig.Integer|sig.Boolean) != 0) && t.Kinds&(sig.Array|sig.Object) == 0
}

// object returns an object with the required properties and one more, if given.
func (m *maker) object(t *sig.Type, more *sig.Field) []byte {
	out := []byte{'{'}
	written := make(map[string]bool)
	add := func(f *sig.Field) bool {
		value := m.value(f.Name, f.Type)
		if len(written) > 0 {
			out = append(out, ',')
		}
		out = append(append(out, f.JSONKey...), value...)
		written[f.Name] = true
		return value != nil
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required && !add(f) {
			return nil
		}
	}
	if more != nil && !more.Required && !add(more) {
		return nil
	}
	if !constraintsOf(t).allowObject(written) {
		return nil
	}
	return append(out, '}')
}

// constraints are what a schema requires beyond types, and its examples.
type constraints struct {
	examples   []json.RawMessage
	patterns   []string
	compiled   []*regexp.Regexp // patterns, once needed; nil for one that is not checked
	format     string
	multiples  []float64
	length     bounds
	value      bounds
	items      bounds
	properties bounds
	needs      map[string][]string // which other properties a property requires
	strange    bool                // there are others, which are not checked
}

// bounds are the limits of something, nil if there is none.
type bounds struct {
	least, most *float64
	over, under *float64
}

// constraintsOf returns the constraints of a type.
func constraintsOf(t *sig.Type) *constraints {
	c := &constraints{examples: t.Examples}
	l := t.Limits
	if l == nil {
		return c
	}
	if len(l.Formats) > 0 {
		c.format = l.Formats[0]
	}
	c.patterns = l.Patterns
	c.length, c.items, c.properties = boundsOf(l.Length), boundsOf(l.Items), boundsOf(l.Properties)
	number := func(text json.Number) *float64 {
		n, _ := text.Float64()
		return &n
	}
	if b := l.Value.Min; b != nil && b.Exclusive {
		c.value.over = number(b.Number)
	} else if b != nil {
		c.value.least = number(b.Number)
	}
	if b := l.Value.Max; b != nil && b.Exclusive {
		c.value.under = number(b.Number)
	} else if b != nil {
		c.value.most = number(b.Number)
	}
	for _, m := range l.MultipleOf {
		c.multiples = append(c.multiples, *number(m))
	}
	for _, n := range l.Needs {
		if c.needs == nil {
			c.needs = make(map[string][]string)
		}
		c.needs[n.Name] = append(c.needs[n.Name], n.Others...)
	}
	c.strange = len(l.Other) > 0
	return c
}

func boundsOf(r sig.Range) (b bounds) {
	least, most := float64(r.Min), float64(r.Max)
	b.least = &least
	if r.Max != sig.Unbounded {
		b.most = &most
	}
	return b
}

// allowObject reports whether an object may have these properties.
func (c *constraints) allowObject(names map[string]bool) bool {
	if c.strange || !c.properties.allow(float64(len(names))) {
		return false
	}
	for name := range names {
		for _, needed := range c.needs[name] {
			if !names[needed] {
				return false
			}
		}
	}
	return true
}

// allow reports whether n is within the bounds.
func (b *bounds) allow(n float64) bool {
	return !(b.least != nil && n < *b.least ||
		b.most != nil && n > *b.most ||
		b.over != nil && n <= *b.over || b.under != nil && n >= *b.under)
}

// value returns a compact value of the type for a property with that name, or nil.
func (m *maker) value(name string, t *sig.Type) []byte {
	m.depth++
	defer func() { m.depth-- }()
	if m.tries++; m.depth > maxExampleDepth || m.tries > maxExampleTries {
		return nil
	}
	if t == nil {
		return m.text(name, "", &constraints{})
	}
	c := constraintsOf(t)
	for _, given := range append(slices.Clip(c.examples[:min(len(c.examples), maxGiven)]), t.Default) {
		if given := scalar(given); given != nil && m.allows(t, given, c) {
			return given
		}
	}
	for i := range t.Enum[:min(len(t.Enum), maxGiven)] {
		if e := &t.Enum[i]; e.Kind != sig.Null && strings.TrimSpace(e.Text) != "" && m.allows(t, e.JSON, c) {
			return e.JSON
		}
	}
	for _, alt := range t.Alts {
		if alt.Kinds != sig.Null {
			if v := m.value(name, alt); v != nil && m.allows(t, v, c) {
				return v
			}
		}
	}
	switch k := t.Free; {
	case k&sig.String != 0:
		return m.text(name, t.Description, c)
	case k&(sig.Integer|sig.Number) != 0:
		return m.number(c)
	case k&sig.Boolean != 0:
		return []byte("true")
	case k&sig.Array != 0:
		return m.array(name, t, c)
	case k&sig.Object != 0:
		var extra *sig.Field
		if !slices.ContainsFunc(t.Fields, func(f sig.Field) bool { return f.Required }) {
			extra = m.telling(t)
		}
		return m.object(t, extra)
	case t.Kinds&sig.Null != 0:
		return []byte("null")
	}
	return nil
}

// scalar returns a short JSON scalar in compact form, or nil.
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

// allows reports whether the type allows a value that the schema gives.
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
		kind = sig.Array
	case '{':
		kind = sig.Object
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
	if !c.length.allow(float64(utf8.RuneCountInString(text))) {
		return false
	}
	if c.compiled == nil {
		c.compile()
	}
	for _, re := range c.compiled {
		if re == nil || !re.MatchString(text) {
			return false
		}
	}
	return true
}

// compile compiles the patterns, except long ones.
func (c *constraints) compile() {
	const longest = 512
	c.compiled = make([]*regexp.Regexp, len(c.patterns))
	for i, pattern := range c.patterns {
		if len(pattern) <= longest && (len(pattern) <= longest/8 || !strings.Contains(pattern, "{")) {
			c.compiled[i], _ = regexp.Compile(pattern)
		}
	}
}

func (c *constraints) allowNumber(n float64) bool {
	for _, by := range c.multiples {
		if q := n / by; by != 0 && math.Abs(q-math.Round(q)) > 1e-9*math.Abs(q) {
			return false
		}
	}
	return c.value.allow(n)
}

// number returns a small number.
func (m *maker) number(c *constraints) []byte {
	for _, n := range c.numbers() {
		if n == float64(int64(n)) && c.allowNumber(n) {
			return strconv.AppendInt(nil, int64(n), 10)
		}
	}
	return nil
}

// numbers returns a few numbers that may be allowed.
func (c *constraints) numbers() []float64 {
	list := append([]float64{3, 1, 10, 50, 100, 1000, 0, -1}, c.multiples[:min(len(c.multiples), maxGiven)]...)
	for _, bound := range []*float64{c.value.least, c.value.most, c.value.over, c.value.under} {
		if bound != nil {
			list = append(list, *bound, *bound+1, *bound-1)
		}
	}
	return list
}

// array returns an array of two elements, or as many as required.
func (m *maker) array(name string, t *sig.Type, c *constraints) []byte {
	const most = 4
	least := 0
	if c.items.least != nil {
		least = int(min(*c.items.least, most+1))
	}
	want := max(2, least, len(t.Prefix))
	if c.items.most != nil {
		want = int(min(float64(want), *c.items.most))
	}
	if want > most || want < least || want < len(t.Prefix) || c.strange {
		return nil
	}
	if elem := t.Item(0); want > least && len(t.Prefix) == 0 && (elem == nil || elem.Kinds&^(sig.String|sig.Null) != 0) {
		want = max(1, least) // two are for lists of words
	}
	name = strings.TrimSuffix(name, "s")
	out := []byte{'['}
	var last []byte
	made := 0
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
		made++
	}
	if made < least {
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

// formats are sample values for the formats of JSON Schema.
var formats = map[string]string{
	"date": "2026-05-01", "date-time": "2026-05-01T09:00:00Z", "time": "09:00:00Z", "duration": "PT30M",
	"email": "user@example.com", "uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/a",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "example.com",
}

// hints are sample values for words in the names of properties.
var hints = []struct{ word, value string }{
	{"email", "user@example.com"}, {"url", "https://example.com/"}, {"uri", "https://example.com/"},
	{"path", "docs/index.md"}, {"file", "index.md"}, {"directory", "docs"}, {"date", "2026-05-01"},
	{"city", "New York"}, {"location", "New York"}, {"country", "France"}, {"timezone", "Asia/Tokyo"},
	{"query", "release notes"}, {"title", "Weekly report"}, {"currency", "EUR"}, {"language", "en"},
	{"id", "4f2a"}, {"owner", "acme"}, {"org", "acme"}, {"repo", "website"}, {"branch", "main"},
	{"topic", "ocean tides"}, {"message", "See you at nine"}, {"body", "See you at nine"}, {"pattern", "invoice"},
}

// text returns a string for a property with that name, possibly an example from its
// description.
func (m *maker) text(name, description string, c *constraints) []byte {
	words := splitWords(name)
	tries := []string{formats[c.format]}
	if c.format == "" {
		if !m.terse {
			tries = append(tries, exampleIn(description))
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
		tries = append(tries, "some "+strings.Join(words, " "), "text", "1", "a", "A", "abc", "ABC", "text to fill the length", "00000000")
	}
	for _, text := range tries {
		if text != "" && c.allowText(text) {
			return rawjson.Quote(text)
		}
	}
	return nil
}

// smallLetter returns an ASCII letter in lower case. Other letters stay, since they
// could change length and thus offsets.
func smallLetter(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r | 0x20
	}
	return r
}

// exampleIn returns a short example from a description, such as Oslo from "A city, e.g.
// Oslo", or "".
func exampleIn(description string) string {
	const longest, most = 40, 4 // bytes and words
	small := strings.Map(smallLetter, description)
	for _, lead := range [...]string{"e.g. ", "e.g., ", "for example ", "for example, ", "such as ", "example: "} {
		i := strings.Index(small, lead)
		if i < 0 {
			continue
		}
		text := strings.TrimLeft(description[i+len(lead):], ":, ")
		if text == "" {
			continue
		}
		for _, quotes := range [...]string{`""`, "''", "``", "“”", "‘’"} {
			open, end := quotes[:len(quotes)/2], quotes[len(quotes)/2:]
			if inner, ok := strings.CutPrefix(text, open); ok {
				inner, _, ok = strings.Cut(inner, end)
				if !ok || len(inner) > longest || strings.ContainsAny(inner, "\r\n") {
					return ""
				}
				return inner
			}
		}
		if end := strings.IndexAny(text, ",;)\r\n"); end >= 0 {
			text = text[:end]
		}
		text = strings.TrimRight(strings.TrimSpace(text), ".")
		if len(text) > longest || len(strings.Fields(text)) > most || strings.ContainsAny(text, "\"'`([{<=") || strings.Contains(text, ". ") {
			return ""
		}
		return text
	}
	return ""
}
