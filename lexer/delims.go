package lexer

import (
	"fmt"
	"strings"
)

// Delims are the two tags around a call. The zero value means [DefaultDelims].
//
// Rule: framing.delims.
type Delims struct {
	Open  string // begins a call, "<call>" by default
	Close string // ends it, "</call>" by default
}

// DefaultDelims are the tags that the format specifies.
var DefaultDelims = Delims{Open: "<call>", Close: "</call>"}

// OrDefault returns d, or the default tags when d is the zero value.
func (d Delims) OrDefault() Delims {
	if d == (Delims{}) {
		return DefaultDelims
	}
	return d
}

// Validate reports why d is not a legal pair of tags: each has 2 to 32
// printable ASCII bytes without whitespace and begins with punctuation other
// than quotes and \ = [ ] { } . , and neither contains the other.
func (d Delims) Validate() error {
	for _, tag := range [...]string{d.Open, d.Close} {
		if len(tag) < 2 || len(tag) > 32 {
			return fmt.Errorf("tag %q: want 2 to 32 bytes, have %d", tag, len(tag))
		}
		for i := range len(tag) {
			if tag[i] <= ' ' || tag[i] >= 0x7f {
				return fmt.Errorf("tag %q: want printable ASCII without whitespace, have byte 0x%02x", tag, tag[i])
			}
		}
		if isAlnum(tag[0]) || strings.IndexByte("\"'\\=[]{}.,", tag[0]) >= 0 {
			return fmt.Errorf("tag %q: want first a punctuation byte other than \" ' \\ = [ ] { } . ,", tag)
		}
	}
	if strings.Contains(d.Open, d.Close) || strings.Contains(d.Close, d.Open) {
		return fmt.Errorf("tags %q and %q: want neither inside the other", d.Open, d.Close)
	}
	return nil
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
