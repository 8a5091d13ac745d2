package middleware

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// callID returns the id of call n of a choice, both counted from 0. It is derived from the id of
// the response, the choice and the number of the call, and from the request, because some servers
// give every response the same id and others none. So the same exchange always gets the same ids,
// and the steps of a conversation, whose requests grow, get different ones. An id is as long as
// the providers' ids, and has only letters, digits and _.
//
// No state is kept for the result of a call: the request that brings the result contains the call
// too.
func (x *exchange) callID(response string, choice, n int) string {
	if x.hash == nil { // a message without a call needs none
		sum := sha256.Sum256(x.first)
		x.hash = sum[:]
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %d %d %s", x.hash, choice, n, response))
	return x.idPrefix + hex.EncodeToString(sum[:12])
}
