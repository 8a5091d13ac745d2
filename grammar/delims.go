package grammar

import (
	"fmt"
	"regexp"
	"strings"
)

// Delims are the two tags around a call.
//
// A tag has 2 to 32 printable ASCII bytes without whitespace. It begins with a
// punctuation byte other than the quotes and \ = [ ] { } . , which have a
// meaning in a body. Neither tag contains the other. If the opener ends with
// one of its own prefixes, the byte after that prefix must not be one that can
// begin a call: text before an opener must not change what it opens.
//
// Rule: framing.close
type Delims struct {
	Open, Close string
}

// DefaultDelims are the tags that the format specifies.
var DefaultDelims = Delims{Open: "<call>", Close: "</call>"}

var legalTag = regexp.MustCompile("^[!#$%&()*+\\-/:;<>?@^_`|~][!-~]{1,31}$")

// Check returns an error if d is not legal.
func (d Delims) Check() error {
	for _, tag := range []string{d.Open, d.Close} {
		if !legalTag.MatchString(tag) {
			return fmt.Errorf("grammar: tag %q: want 2 to 32 bytes of printable ASCII without "+
				"whitespace, not a letter, digit, quote or one of \\ = [ ] { } . , first", tag)
		}
	}
	if strings.Contains(d.Open, d.Close) || strings.Contains(d.Close, d.Open) {
		return fmt.Errorf("grammar: tags %q and %q: one contains the other", d.Open, d.Close)
	}
	for n := 1; n < len(d.Open); n++ {
		if callBegins.MatchString(d.Open[n:]) && strings.HasSuffix(d.Open, d.Open[:n]) {
			return fmt.Errorf("grammar: tag %q: its first %d bytes are also its last, "+
				"and a call could begin after them", d.Open, n)
		}
	}
	return nil
}
