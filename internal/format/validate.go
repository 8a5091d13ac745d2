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
// Each tag around a call is UTF-8 without whitespace and control characters, has at least two
// characters and at most 64 bytes, and neither contains the other, except that a Markdown fence may
// close what a longer one with the same beginning has opened. The tags of the wire format have at
// most 32 bytes of ASCII, and begin with punctuation that no value begins with.
func (f *Format) Validate() error {
	c := checker{Format: f}
	for _, other := range f.Also {
		if c.want(other != nil, "", "want formats in Also, have nil") {
			c.want(len(other.Also) == 0, "", "want no Also in a format of Also; use Any")
		}
	}
	if c.err != nil {
		return c.err
	}
	set := f.Set()
	for i, member := range set {
		c.Format = member
		c.check()
		for _, other := range set[:i] {
			c.want(!member.clashes(other), member.Call.Open,
				"want other tags or another kind of body than those of "+other.Name)
		}
		if c.err != nil {
			return c.err
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

// checker records the first thing that is wrong with a format.
type checker struct {
	*Format
	err *Error
}

// want records what is wanted unless it is so, and reports whether nothing is wrong yet.
func (c *checker) want(ok bool, tag, reason string) bool {
	if !ok && c.err == nil {
		c.err = &Error{c.Name, tag, reason}
	}
	return c.err == nil
}

// check checks a format alone.
func (c *checker) check() {
	c.want(c.Body <= Block, "", fmt.Sprintf("want a kind of body, have %d", c.Body))
	c.want(c.Body != Block || c.Codec != nil, "", "want a codec of the arguments")
	if c.ToolTags() {
		c.want(c.Call == (Tags{}) && c.Section == (Tags{}), c.Call.Open,
			"want no tags but those that are named after tools")
	} else {
		c.checkMarks()
		c.checkCall()
		c.checkSection()
	}
	c.want(!c.NameIsID || c.Function.End != "" && len(c.NameKeys) == 0, "",
		"want a mark after a name that is an ID")
	for _, r := range c.Reasoning {
		c.want(r.Open != "" && r.Close != "", r.Open, "want two tags around reasoning")
	}
}

// checkMarks checks what is between the tags of a call.
func (c *checker) checkMarks() {
	if c.Body == Envelope && len(c.NameKeys) > 0 {
		c.want(len(c.ArgumentKeys) > 0, c.Call.Open,
			"want the keys of the arguments beside those of the name")
		seen := map[string]bool{"": true}
		for _, key := range slices.Concat(c.NameKeys, c.ArgumentKeys, c.IDKeys) {
			c.want(!seen[key], c.Call.Open,
				fmt.Sprintf("want keys that differ and are not empty, have %q", key))
			seen[key] = true
		}
		return
	}
	f, m := c.Function, c.Parameter
	c.want(c.Body != Envelope || f.End != "", f.Open,
		"want a mark after the name, or the key of the name")
	c.want(f.Open == "" || f.End != "", f.Open, "want a mark after the name")
	if c.Body == Parameters {
		c.checkParameters()
	}
	for _, mark := range []string{f.Open, m.Open, m.Value} {
		c.want(mark == "" || mark[0] > ' ', mark,
			"want no whitespace first: any may come before it")
	}
	for _, end := range []string{f.End, m.End} {
		c.want(end == "" || endsWord(end[0]), end,
			"want a quote, < or >, whitespace or a control character first")
	}
}

// checkParameters checks the marks around each parameter.
func (c *checker) checkParameters() {
	m, end := c.Parameter, c.End()
	c.want(m.Open != "" && m.End != "" && m.Close != "", m.Open,
		"want marks before the key, after it, and after the value")
	c.want(!strings.HasPrefix(end, m.Open), m.Open,
		fmt.Sprintf("want no beginning of %q, which ends the arguments", end))
	areTags := strings.HasPrefix(m.Open, "<") && strings.HasPrefix(end, "<")
	c.want(c.Function.End != "" || areTags, m.Open,
		"want a mark after the name, or tags after it that begin with <")
}

// endsWord reports whether c can end a name or key.
func endsWord(c byte) bool {
	return c <= ' ' || c == 0x7f || strings.IndexByte(`<>"'`, c) >= 0
}

// checkCall checks the tags around a call.
func (c *checker) checkCall() {
	t, isWire := c.Call, c.Body == Arguments
	if !c.checkTag(t.Open, isWire) || !c.checkTag(t.Close, isWire) {
		return
	}
	inner := t.Open
	if !isWire { // a fence may close what a longer one has opened
		inner = inner[1:]
	}
	c.want(!strings.Contains(t.Close, t.Open) && !strings.Contains(inner, t.Close), t.Open,
		fmt.Sprintf("want neither tag inside the other, which is %q", t.Close))
	whole := t.Open + c.Begin()
	for n := 1; n < len(t.Open); n++ { // text before the opener must not hide it
		hides := strings.HasPrefix(t.Open[:n]+whole, whole)
		if isWire {
			hides = strings.HasSuffix(t.Open, t.Open[:n]) && beginsCall(t.Open[n])
		}
		c.want(!hides, t.Open, fmt.Sprintf(
			"it ends with its first bytes, %q: want no call to begin after these", t.Open[:n]))
	}
}

// checkSection checks the tags around several calls.
func (c *checker) checkSection() {
	if c.Section == (Tags{}) {
		return
	}
	for _, tag := range []string{c.Section.Open, c.Section.Close} {
		if !c.checkTag(tag, false) {
			return
		}
		c.want(tag[0] == c.Call.Open[0] || tag[0] == c.Call.Close[0], tag,
			"want the first byte of a tag of calls")
		c.want(!strings.HasPrefix(tag, c.Call.Open) && !strings.HasPrefix(c.Call.Open, tag), tag,
			fmt.Sprintf("want a tag that does not begin like that of a call, %q", c.Call.Open))
	}
}

// checkTag checks one tag, and reports whether nothing is wrong yet. Those of the wire format are
// ASCII, and begin with punctuation that no value begins with.
func (c *checker) checkTag(tag string, isWire bool) bool {
	most, wanted := 64, "want no whitespace and no control characters"
	isOdd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if isWire {
		most, wanted = 32, "want printable ASCII without whitespace"
		isOdd = func(r rune) bool { return r <= ' ' || r >= 0x7f }
	}
	c.want(utf8.RuneCountInString(tag) >= 2 && len(tag) <= most, tag,
		fmt.Sprintf("want at least 2 characters and at most %d bytes", most))
	c.want(isWire || utf8.ValidString(tag), tag, "want valid UTF-8")
	for _, r := range tag {
		c.want(!isOdd(r), tag, fmt.Sprintf("%s, have %q", wanted, r))
	}
	isValue := strings.IndexAny(tag, "\"'\\=[]{}.,") == 0 || tag != "" && isAlphanumeric(tag[0])
	return c.want(!isWire || !isValue, tag,
		"want punctuation first, but none of \" ' \\ = [ ] { } . ,")
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// beginsCall reports whether c after an opener begins a call of the wire format.
func beginsCall(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("_$@{[", c) >= 0
}
