package manual

import (
	"crypto/rand"
	"strings"

	"github.com/callwire/callwire/parse"
)

// RandomTags returns tags with eight random characters in them, for one conversation:
// <call-x7k2m4qd> and </call-x7k2m4qd>. Text that was written before the conversation began
// contains them with a chance of only one in 2^40.
//
// Use the same tags to read and write calls, and keep them for the whole conversation.
func RandomTags() parse.Tags {
	name := "call-" + strings.ToLower(rand.Text()[:8])
	return parse.Tags{Open: "<" + name + ">", Close: "</" + name + ">"}
}
