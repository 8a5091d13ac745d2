package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

// maker makes up values that fit their types: what the schema gives, in its examples, default and
// literals, or else what the format, the name or the kind suggests.
type maker struct {
	isTerse bool // made-up strings are letters
	letters int  // used so far
	depth   int
	tries   int // values requested
}

// The bounds of one example.
const (
	maxExampleDepth = 6   // of nesting
	maxExampleTries = 500 // values made up
	maxGiven        = 32  // values looked at of those the schema gives for one place
	maxElements     = 4   // of a list
	maxOptional     = 9   // optional properties that are tried
	longestGiven    = 48  // bytes of a value from the schema
)

// object returns an object with the required properties, in compact form, or nil. A property that
// may be left out is added if it shows more of the syntax and is one of few arguments, or if
// nothing is required.
func (m *maker) object(t *sig.Type) []byte {
	var required, more rawjson.Object
	needed := neededBy(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		if !needed[f.Name] {
			continue
		}
		v := m.value(f.Name, f.Type)
		if v == nil {
			return nil
		}
		required = append(required, rawjson.Member{Key: f.Name, Value: v})
	}
	if len(required) == 0 || len(required) <= 2 && m.depth == 0 {
		more = m.optional(t, showsMore)
	}
	if more == nil && len(required) == 0 {
		more = m.optional(t, func(*sig.Type) bool { return true })
	}
	return first(t, append(slices.Clip(required), more...).Append(nil), required.Append(nil))
}

// neededBy returns the required properties, those that they need, and so on.
func neededBy(t *sig.Type) map[string]bool {
	needed := make(map[string]bool)
	var queue []string
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required {
			queue = append(queue, f.Name)
		}
	}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if !needed[name] {
			needed[name] = true
			queue = append(queue, cmp.Or(t.Limits, &limits.None).Needs[name]...)
		}
	}
	return needed
}

// optional returns the first optional property of such a type with a value that isn't empty.
func (m *maker) optional(t *sig.Type, isSuch func(*sig.Type) bool) rawjson.Object {
	tries := 0
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Required || !isSuch(f.Type) {
			continue
		}
		v := m.value(f.Name, f.Type)
		if v != nil && string(v) != "{}" && string(v) != "[]" {
			return rawjson.Object{{Key: f.Name, Value: v}}
		}
		tries++
		if tries == maxOptional {
			break
		}
	}
	return nil
}

// showsMore reports whether a value of the type is written bare, and is not just any string.
func showsMore(t *sig.Type) bool {
	if t == nil || !t.Restricts() || t.Kinds&(sig.Array|sig.Object) != 0 {
		return false
	}
	return len(t.Enum) > 0 || t.Kinds&(sig.Integer|sig.Boolean) != 0
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

// value returns a compact value of the type for a property with that name, or nil.
func (m *maker) value(name string, t *sig.Type) []byte {
	m.depth++
	defer func() { m.depth-- }()
	m.tries++
	if m.depth > maxExampleDepth || m.tries > maxExampleTries {
		return nil
	}
	if t == nil {
		return rawjson.Quote(m.placeholder(name))
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
		return m.text(name, t)
	case k&(sig.Integer|sig.Number) != 0:
		return first(t, numbers(cmp.Or(t.Limits, &limits.None))...)
	case k&sig.Boolean != 0:
		return []byte("true")
	case k&sig.Array != 0:
		return m.array(name, t)
	case k&sig.Object != 0:
		return m.object(t)
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
		e := &t.Enum[i]
		isShort := len(e.JSON) <= longestExample
		if e.Kind != sig.Null && isShort && strings.TrimSpace(e.Text) != "" {
			values = append(values, e.JSON)
		}
	}
	return values
}

// numbers returns small integers, and those near the limits.
func numbers(l *limits.Limits) (values [][]byte) {
	tries := []float64{3, 10, 100, 1, 0}
	for _, by := range l.MultipleOf[:min(len(l.MultipleOf), maxGiven)] {
		n, _ := by.Float64()
		tries = append(tries, n)
	}
	for _, bound := range []*limits.Bound{l.Min, l.Max} {
		if bound != nil {
			n, _ := bound.Number.Float64()
			tries = append(tries, n, n+1, n-1)
		}
	}
	for _, n := range tries {
		if n == float64(int64(n)) {
			values = append(values, strconv.AppendInt(nil, int64(n), 10))
		}
	}
	return values
}

// array returns an array of two words or literals or of one other element, or as many as required;
// or nil.
func (m *maker) array(name string, t *sig.Type) []byte {
	items := cmp.Or(t.Limits, &limits.None).Items
	least, want := max(items.Min, len(t.Prefix)), 2
	if e := t.Item(0); e == nil || e.Kinds&^(sig.String|sig.Null) != 0 {
		want = 1
	}
	want = min(max(want, least), items.Max)
	if want > maxElements || want < least {
		return nil
	}
	var list [][]byte
	for i := range want {
		e := t.Item(i)
		if e != nil && e.Kinds == 0 {
			break
		}
		value := m.value(strings.TrimSuffix(name, "s"), e)
		if e != nil && i > 0 && i < len(e.Enum) {
			value = e.Enum[i].JSON
		}
		if value == nil {
			return nil
		}
		if i >= max(least, 1) && bytes.Equal(value, list[i-1]) {
			break
		}
		list = append(list, value)
	}
	return first(t, rawjson.AppendArray(nil, list))
}

// text returns a string for a property with that name, or nil.
func (m *maker) text(name string, t *sig.Type) []byte {
	l := cmp.Or(t.Limits, &limits.None)
	tries := []string{m.placeholder(name), "text"}
	description := begin(t.Description, maxDescription) // many properties may share a long one
	if found := exampleText.FindStringSubmatch(description); found != nil && !m.isTerse {
		tries = slices.Insert(tries, 0, found[1])
	}
	for _, unit := range []string{"a", "A", "1"} {
		tries = append(tries, strings.Repeat(unit, min(max(1, l.Length.Min), longestGiven)))
	}
	if len(l.Formats) > 0 {
		tries = []string{formats[l.Formats[0]]}
	}
	for _, text := range tries {
		if v := first(t, rawjson.Quote(text)); v != nil && text != "" {
			return v
		}
	}
	return nil
}

// exampleText finds an example in a description, such as San Jose in "A city, e.g. San Jose".
var exampleText = regexp.MustCompile(`(?:[Ee]\.g\.,?|[Ss]uch as|[Ff]or example,?) ` +
	"[\"'`“]?" + `([\w@:/.-]{0,40}\w(?: [A-Z0-9]\w{0,20}){0,2})` + "[\"'`”]?(?:[.,;)]|$)")

// placeholder returns a string for a property with that name.
func (m *maker) placeholder(name string) string {
	if m.isTerse {
		m.letters++
		return string(rune('a' + (m.letters-1)%26))
	}
	words := splitWords(name)
	if len(words) > 0 && endings[words[len(words)-1]] != "" {
		return endings[words[len(words)-1]]
	}
	return "some " + strings.Join(words, " ")
}

// formats are sample values for the formats of JSON Schema.
var formats = map[string]string{
	"date": "2026-05-01", "date-time": "2026-05-01T09:00:00Z", "time": "09:00:00Z",
	"duration": "PT30M", "email": "user@example.com", "hostname": "example.com",
	"uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/a",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
}

// endings are sample values for names of properties by their last words.
var endings = map[string]string{
	"email": "user@example.com", "url": "https://example.com/", "uri": "https://example.com/",
	"path": "docs/index.md", "file": "index.md", "date": "2026-05-01", "id": "a12",
	"city": "New York", "location": "New York", "country": "France", "timezone": "Asia/Tokyo",
	"currency": "EUR", "language": "en", "query": "release notes", "title": "Weekly report",
	"repo": "website", "branch": "main",
}
