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
	Tag    string // the tag concerned
	Reason string // what is wanted, and what is there instead
}

// Error returns the name, the tag and the reason.
func (e *Error) Error() string {
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
	return a == b || a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
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
	case f.Body == Arguments:
		tag, reason = f.Call.checkWire()
	default:
		tag, reason = f.checkMarks()
		if reason == "" {
			tag, reason = f.Call.check(f.Begin())
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
		if reason := checkTag(tag); reason != "" {
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

// checkTag checks one tag.
func checkTag(tag string) (reason string) {
	if len(tag) < 2 || len(tag) > 64 {
		return fmt.Sprintf("want 2 to 64 bytes, have %d", len(tag))
	}
	if !utf8.ValidString(tag) {
		return "want valid UTF-8"
	}
	for _, c := range tag {
		if unicode.IsSpace(c) || unicode.IsControl(c) {
			return fmt.Sprintf("want no whitespace and no control characters, have %q", c)
		}
	}
	return ""
}

// check checks tags around a body that begins with begin.
func (t Tags) check(begin string) (tag, reason string) {
	for _, tag := range []string{t.Open, t.Close} {
		if reason := checkTag(tag); reason != "" {
			return tag, reason
		}
	}
	if strings.Contains(t.Close, t.Open) || strings.Contains(t.Open[1:], t.Close) {
		return t.Open, fmt.Sprintf("want neither tag inside the other, which is %q", t.Close)
	}
	for n := 1; n < len(t.Open); n++ { // text before the opener must not hide it
		if strings.HasPrefix(t.Open[:n]+t.Open+begin, t.Open+begin) {
			return t.Open, fmt.Sprintf(
				"it ends with its first bytes, %q: want no call to begin after these", t.Open[:n])
		}
	}
	return "", ""
}

// checkWire checks the tags of the wire format.
func (t Tags) checkWire() (tag, reason string) {
	for _, tag := range []string{t.Open, t.Close} {
		if len(tag) < 2 || len(tag) > 32 {
			return tag, fmt.Sprintf("want 2 to 32 bytes, have %d", len(tag))
		}
		for i := range len(tag) {
			if tag[i] <= ' ' || tag[i] >= 0x7f {
				return tag, fmt.Sprintf("want printable ASCII without whitespace, have byte 0x%02x",
					tag[i])
			}
		}
		if isAlphanumeric(tag[0]) || strings.IndexByte("\"'\\=[]{}.,", tag[0]) >= 0 {
			return tag, "want first a punctuation byte other than \" ' \\ = [ ] { } . ,"
		}
	}
	if strings.Contains(t.Open, t.Close) || strings.Contains(t.Close, t.Open) {
		return t.Open, fmt.Sprintf("want neither tag inside the other, which is %q", t.Close)
	}
	for n := 1; n < len(t.Open); n++ {
		if strings.HasSuffix(t.Open, t.Open[:n]) && beginsCall(t.Open[n]) {
			return t.Open, fmt.Sprintf(
				"it ends with its first bytes, %q: want no name to begin after these", t.Open[:n])
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
