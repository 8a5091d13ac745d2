package manual

import (
	"fmt"
	"io"

	"github.com/callwire/callwire/lexer"
)

// RandomDelims returns tags with eight random characters in them, for one
// conversation: <call-x7k2m9qd> and </call-x7k2m9qd>. Text that was written
// before the conversation began cannot contain them but by a chance of one in
// 2^40. The randomness is read from r, which is crypto/rand.Reader in earnest;
// the error is that of r.
//
// The same tags belong into Options of this package, [parse.Options] and
// [parse.FormatOptions], and the conversation must keep them.
func RandomDelims(r io.Reader) (lexer.Delims, error) {
	const alphabet = "abcdefghjkmnpqrstuvwxyz023456789" // 32, none like another
	var mark [8]byte
	if _, err := io.ReadFull(r, mark[:]); err != nil {
		return lexer.Delims{}, fmt.Errorf("manual: no random tags: %w", err)
	}
	for i, b := range mark {
		mark[i] = alphabet[b%32]
	}
	return lexer.Delims{Open: "<call-" + string(mark[:]) + ">", Close: "</call-" + string(mark[:]) + ">"}, nil
}
