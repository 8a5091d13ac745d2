package middleware

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// idSource makes the ids of the calls in one response. An id is derived from the id of the
// response, the choice and the number of the call, and from the request, because some servers give
// every response the same id and others none. So the same exchange always gets the same ids, and
// the steps of a conversation, whose requests grow, get different ones.
//
// No state is kept for the result of a call: the request that brings the result contains
// the call too.
type idSource struct {
	prefix  string                   // call_ or toolu_
	request func() [sha256.Size]byte // hash of the request: a message without a call needs none
}

func newIDSource(prefix string, request []byte) idSource {
	hash := func() [sha256.Size]byte { return sha256.Sum256(request) }
	return idSource{prefix, sync.OnceValue(hash)}
}

// id returns the id of call n of a choice, both counted from 0. It is as long as the
// providers' ids, and has only letters, digits and _.
func (s *idSource) id(response string, choice, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %d %d %s", s.request(), choice, n, response))
	return s.prefix + hex.EncodeToString(sum[:12])
}
