package manual

import (
	"errors"
	"fmt"
	"io"

	"github.com/callwire/callwire/internal/next/public/parse"
)

// RandomTags returns tags with eight random characters in them, for one
// conversation: <call-x7k2m9qd> and </call-x7k2m9qd>. Text that was written
// before the conversation began contains them with a chance of only one in 2^40. The
// randomness comes from r, in production crypto/rand.Reader; the error is the one r
// returned, or [io.ErrNoProgress] if r keeps returning nothing.
//
// Use the same tags to read and write calls, and keep them for the whole conversation.
func RandomTags(r io.Reader) (parse.Tags, error) {
	const alphabet = "abcdefghjkmnpqrstuvwxyz023456789" // 32, no two alike
	const length = 8
	if r == nil {
		return parse.Tags{}, errors.New("manual: no random tags: there is no reader")
	}
	mark := make([]byte, length)
	for n, empty := 0, 0; n < length; empty++ {
		got, err := r.Read(mark[n:])
		switch {
		case got < 0 || got > length-n:
			err = fmt.Errorf("a reader of %d bytes says that it has read %d", length-n, got)
		case got > 0:
			n, empty = n+got, 0
			continue
		case err == nil && empty == 100:
			err = io.ErrNoProgress
		}
		if err != nil {
			return parse.Tags{}, fmt.Errorf("manual: no random tags: %w", err)
		}
	}
	for i, b := range mark {
		mark[i] = alphabet[b%32]
	}
	name := "call-" + string(mark)
	return parse.Tags{Open: "<" + name + ">", Close: "</" + name + ">"}, nil
}
