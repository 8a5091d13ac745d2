package format

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error reports why a Format can be neither read nor written.
type Error struct {
	Format string // its name
	Tag    string // the tag concerned; may be empty
	Reason string // what is wanted, and what is there instead
}

// Error returns the name, the tag and the reason.
func (e *Error) Error() string {
	if e.Tag == "" {
		return fmt.Sprintf("format %s: %s", e.Format, e.Reason)
	}
	return fmt.Sprintf("format %s: tag %q: %s", e.Format, e.Tag, e.Reason)
}

// Validate reports why calls cannot be read in this format, or in one that is read besides it, or
// why these cannot be distinguished. The error is an [*Error].
//
// Each tag around a call has 2 to 64 bytes of UTF-8 without whitespace and control characters,
// and neither contains the other, except that a Markdown fence may close what a longer one with
// the same beginning has opened. The tags of the wire format have at most 32 bytes of ASCII, and
// begin with punctuation that no value begins with.
func (f *Format) Validate() error {
	for _, other := range f.Also {
		switch {
		case other == nil:
			return &Error{f.Name, "", "want formats in Also, have nil"}
		case len(other.Also) > 0:
			return &Error{f.Name, "", "want no Also in a format of Also; use Any"}
		}
	}
	set := f.Set()
	for i, member := range set {
		if tag, reason := member.check(); reason != "" {
			return &Error{member.Name, tag, reason}
		}
		for _, other := range set[:i] {
			if member.clashes(other) {
				reason := "want other tags or another kind of body than those of " + other.Name
				return &Error{member.Name, member.Call.Open, reason}
			}
		}
	}
	return nil
}

// clashes reports whether calls of two formats begin the same.
func (f *Format) clashes(other *Format) bool {
	if f.Call.Open != other.Call.Open || f.ToolTags() {
		return false
	}
	a, b := f.Begin(), other.Begin()
	if a == "" || b == "" {
		return a == b
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// check checks a format alone.
func (f *Format) check() (tag, reason string) {
	switch {
	case f.Body > Block:
		return "", fmt.Sprintf("want a kind of body, have %d", f.Body)
	case f.Body == Block && f.Codec == nil:
		return "", "want a codec of the arguments"
	case f.ToolTags():
		if f.Call != (Tags{}) || f.Section != (Tags{}) {
			return f.Call.Open, "want no tags but those that are named after tools"
		}
	default:
		tag, reason = f.checkMarks()
		if reason == "" {
			tag, reason = f.checkCall()
		}
	}
	if reason == "" && f.Section != (Tags{}) {
		tag, reason = f.checkSection()
	}
	if reason == "" && f.NameIsID && (f.Function.End == "" || len(f.NameKeys) > 0) {
		reason = "want a mark after a name that is an ID"
	}
	for _, r := range f.Reasoning {
		if reason == "" && (r.Open == "" || r.Close == "") {
			tag, reason = r.Open, "want two tags around reasoning"
		}
	}
	return tag, reason
}

// checkMarks checks what is between the tags of a call.
func (f *Format) checkMarks() (tag, reason string) {
	if f.Body == Envelope && len(f.NameKeys) > 0 {
		if len(f.ArgumentKeys) == 0 {
			return f.Call.Open, "want the keys of the arguments beside those of the name"
		}
		return f.Call.Open, f.checkKeys()
	}
	if f.Body == Envelope && f.Function.End == "" {
		return f.Function.Open, "want a mark after the name, or the key of the name"
	}
	if f.Function.Open != "" && f.Function.End == "" {
		return f.Function.Open, "want a mark after the name"
	}
	if f.Body == Parameters {
		m := f.Parameter
		if m.Open == "" || m.End == "" || m.Close == "" {
			return m.Open, "want marks before the key, after it, and after the value"
		}
	}
	for _, end := range []string{f.Function.End, f.Parameter.End} {
		if end != "" && !endsWord(end[0]) {
			return end, "want first a quote, < or >, whitespace or a control character"
		}
	}
	return "", ""
}

// checkKeys checks the keys of an object with a name and arguments.
func (f *Format) checkKeys() (reason string) {
	seen := map[string]bool{"": true}
	for _, key := range slices.Concat(f.NameKeys, f.ArgumentKeys, f.IDKeys) {
		if seen[key] {
			return fmt.Sprintf("want keys that differ and are not empty, have %q", key)
		}
		seen[key] = true
	}
	return ""
}

// endsWord reports whether c can end a name or key.
func endsWord(c byte) bool {
	return c <= ' ' || c == 0x7f || strings.IndexByte(`<>"'`, c) >= 0
}

// checkSection checks the tags around several calls.
func (f *Format) checkSection() (tag, reason string) {
	for _, tag := range []string{f.Section.Open, f.Section.Close} {
		if reason := checkTag(tag, false); reason != "" {
			return tag, reason
		}
		if tag[0] != f.Call.Open[0] && tag[0] != f.Call.Close[0] {
			return tag, "want the first byte of a tag of calls"
		}
		if strings.HasPrefix(tag, f.Call.Open) || strings.HasPrefix(f.Call.Open, tag) {
			return tag, fmt.Sprintf("want a tag that does not begin like that of a call, %q",
				f.Call.Open)
		}
	}
	return "", ""
}

// checkTag checks one tag. Those of the wire format are ASCII, and begin with punctuation that no
// value begins with.
func checkTag(tag string, isWire bool) (reason string) {
	most := 64
	if isWire {
		most = 32
	}
	if len(tag) < 2 || len(tag) > most {
		return fmt.Sprintf("want 2 to %d bytes, have %d", most, len(tag))
	}
	if !isWire && !utf8.ValidString(tag) {
		return "want valid UTF-8"
	}
	for _, c := range tag {
		switch {
		case isWire && (c <= ' ' || c >= 0x7f):
			return fmt.Sprintf("want printable ASCII without whitespace, have %q", c)
		case unicode.IsSpace(c) || unicode.IsControl(c):
			return fmt.Sprintf("want no whitespace and no control characters, have %q", c)
		}
	}
	isValue := strings.IndexByte("\"'\\=[]{}.,", tag[0]) >= 0 || isAlphanumeric(tag[0])
	if isWire && isValue {
		return "want first a punctuation byte other than \" ' \\ = [ ] { } . ,"
	}
	return ""
}

// checkCall checks the tags around a call.
func (f *Format) checkCall() (tag, reason string) {
	t, isWire := f.Call, f.Body == Arguments
	for _, tag := range [...]string{t.Open, t.Close} {
		if reason := checkTag(tag, isWire); reason != "" {
			return tag, reason
		}
	}
	inner := t.Open
	if !isWire { // a fence may close what a longer one has opened
		inner = inner[1:]
	}
	if strings.Contains(t.Close, t.Open) || strings.Contains(inner, t.Close) {
		return t.Open, fmt.Sprintf("want neither tag inside the other, which is %q", t.Close)
	}
	whole := t.Open + f.Begin()
	for n := 1; n < len(t.Open); n++ { // text before the opener must not hide it
		hides := strings.HasPrefix(t.Open[:n]+whole, whole)
		if isWire {
			hides = strings.HasSuffix(t.Open, t.Open[:n]) && beginsCall(t.Open[n])
		}
		if hides {
			return t.Open, fmt.Sprintf(
				"it ends with its first bytes, %q: want no call to begin after these", t.Open[:n])
		}
	}
	return "", ""
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// beginsCall reports whether c after an opener begins a call of the wire format.
func beginsCall(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("_$@{[", c) >= 0
}
