package middleware

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// idSource makes the ids of the calls in one response. An id is derived from the
// id of the response, the choice and the number of the call, and from the request,
// because some servers give every response the same id and others none. So the same
// exchange always gets the same ids, and the steps of a conversation, whose requests
// grow, get different ones.
//
// No state is kept for the result of a call: the request that brings the result contains
// the call too.
type idSource struct {
	prefix  string   // call_ or toolu_
	body    []byte   // of the request, until it is hashed: a message without a call needs no hash
	request [32]byte // hash of it
}

// id returns the id of call n of a choice, both counted from 0. It is as long as the
// providers' ids, and has only letters, digits and _.
func (s *idSource) id(response string, choice, n int) string {
	if s.body != nil {
		s.request, s.body = sha256.Sum256(s.body), nil
	}
	b := make([]byte, 0, 128)
	b = append(b, s.request[:]...)
	b = strconv.AppendInt(b, int64(choice), 10)
	b = append(b, '/')
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(b, '/')
	b = append(b, response...)
	sum := sha256.Sum256(b)
	return s.prefix + hex.EncodeToString(sum[:12])
}

// shortID returns an id of a response for use in idSource.id, where it is hashed for each
// call.
func shortID(id string) string {
	if len(id) <= 64 {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return string(sum[:])
}
