package format

import (
	"fmt"
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

// Validate reports why calls cannot be read in this format. The error is an [*Error].
//
// Each tag around a call has 2 to 64 bytes of UTF-8 without whitespace and control characters,
// and neither contains the other, except that a Markdown fence may close what a longer one with
// the same beginning has opened. The tags of the wire format have at most 32 bytes of ASCII, and
// begin with punctuation that no value begins with.
func (f *Format) Validate() error {
	for _, other := range f.Also {
		if err := other.Validate(); err != nil {
			return err
		}
	}
	var reason string
	var tag string
	switch {
	case f.Body > Block:
		reason = fmt.Sprintf("want a kind of body, have %d", f.Body)
	case f.Body == Block && f.Codec == nil:
		reason = "want a codec of the arguments"
	case f.ToolTags():
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
	if reason == "" {
		return nil
	}
	return &Error{f.Name, tag, reason}
}

// checkMarks checks what is between the tags of a call.
func (f *Format) checkMarks() (tag, reason string) {
	if f.Body == Envelope && len(f.NameKeys) > 0 {
		if len(f.ArgumentKeys) == 0 {
			return f.Call.Open, "want the keys of the arguments beside those of the name"
		}
		return "", ""
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
