package middleware

import (
	"io"

	"github.com/callwire/callwire/stream"
)

// steady reads from a reader that may break the promises of io.Reader: a count that
// cannot be is an error, and so are endless reads of nothing.
type steady struct {
	r    io.Reader
	idle int // reads in a row that brought neither bytes nor an error
}

// mostIdle is how many reads may bring neither bytes nor an error.
const mostIdle = 100

// Read implements io.Reader.
func (s *steady) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	switch {
	case n < 0 || n > len(p):
		return 0, stream.ErrInvalidRead
	case n > 0 || err != nil:
		s.idle = 0
	case s.idle == mostIdle:
		return 0, io.ErrNoProgress
	default:
		s.idle++
	}
	return n, err
}
