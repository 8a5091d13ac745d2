package lexer

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Rule: framing.close.

// Delims are the two tags around a call. The zero value means [DefaultDelims].
type Delims struct {
	Open  string // begins a call, "<call>" by default
	Close string // ends it, "</call>" by default
}

// defaultDelims are the tags that the format specifies.
var defaultDelims = Delims{Open: "<call>", Close: "</call>"}

// DefaultDelims are what the zero value stands for. Nothing reads the variable:
// changing it changes no tag.
var DefaultDelims = defaultDelims

// OrDefault returns d, or the default tags when d is the zero value.
func (d Delims) OrDefault() Delims {
	if d == (Delims{}) {
		return defaultDelims
	}
	return d
}

// IsDefault reports whether d stands for the default tags.
func (d Delims) IsDefault() bool { return d.OrDefault() == defaultDelims }

// Validate reports why d is not a legal pair of tags: each has 2 to 32
// printable ASCII bytes without whitespace and begins with punctuation other
// than quotes and \ = [ ] { } . , and neither contains the other. And if the opener
// begins with its own end, no byte that can begin a call may follow that beginning: the
// text "_" before the opener __ and the name t would call _t. Before << and t, the text
// "<" is harmless.
//
// The error is a [*DelimsError].
func (d Delims) Validate() error {
	if d == defaultDelims { // as most often: a parser is made for each call of a decoder
		return nil
	}
	for _, tag := range [...]string{d.Open, d.Close} {
		if len(tag) < 2 || len(tag) > 32 {
			return &DelimsError{d, tag, fmt.Sprintf("want 2 to 32 bytes, have %d", len(tag))}
		}
		for i := range len(tag) {
			if tag[i] <= ' ' || tag[i] >= 0x7f {
				return &DelimsError{d, tag, fmt.Sprintf("want printable ASCII without whitespace, have byte 0x%02x", tag[i])}
			}
		}
		if isAlnum(tag[0]) || strings.IndexByte("\"'\\=[]{}.,", tag[0]) >= 0 {
			return &DelimsError{d, tag, "want first a punctuation byte other than \" ' \\ = [ ] { } . ,"}
		}
	}
	if strings.Contains(d.Open, d.Close) || strings.Contains(d.Close, d.Open) {
		return &DelimsError{d, d.Open, fmt.Sprintf("want neither tag inside the other, which is %q", d.Close)}
	}
	if n := trap(d.Open); n > 0 {
		return &DelimsError{d, d.Open, fmt.Sprintf("its last bytes are its first ones, %q: want no name to begin after these", d.Open[:n])}
	}
	return nil
}

// DelimsError says why a pair of tags is not legal.
type DelimsError struct {
	Delims Delims
	Tag    string // the tag concerned
	Reason string // what was wanted, and what is there instead
}

// Error returns tag and reason.
func (e *DelimsError) Error() string { return fmt.Sprintf("tag %q: %s", e.Tag, e.Reason) }

// trap returns the length of the beginning of an opener that is also its end and after
// which a call can begin; 0 if there is none.
func trap(open string) int {
	for n := 1; n < len(open); n++ {
		if c := open[n]; strings.HasSuffix(open, open[:n]) && (lexeme.ClassOf(c)&lexeme.NameStart != 0 || c == '{' || c == '[') {
			return n
		}
	}
	return 0
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
