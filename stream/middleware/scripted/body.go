package scripted

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
)

// errBroken is how a connection breaks.
var errBroken = errors.New("scripted: the connection broke")

// A body is the body of an answer. A Read returns a piece of it.
type body struct {
	ctx    context.Context
	pieces [][]byte
	end    error
	closed atomic.Bool
}

// newBody returns a body that breaks after some bytes, or never if breakAfter is 0.
func newBody(ctx context.Context, pieces [][]byte, breakAfter int) *body {
	b := &body{ctx: ctx, pieces: pieces, end: io.EOF}
	if breakAfter <= 0 {
		return b
	}
	b.end = errBroken
	for i, piece := range b.pieces {
		if breakAfter <= len(piece) {
			b.pieces = append(b.pieces[:i], piece[:breakAfter])
			break
		}
		breakAfter -= len(piece)
	}
	return b
}

func (b *body) Read(p []byte) (int, error) {
	switch {
	case b.closed.Load():
		return 0, errors.New("scripted: read of a closed body")
	case b.ctx.Err() != nil:
		return 0, b.ctx.Err()
	case len(b.pieces) == 0:
		return 0, b.end
	}
	n := copy(p, b.pieces[0])
	b.pieces[0] = b.pieces[0][n:]
	if len(b.pieces[0]) == 0 {
		b.pieces = b.pieces[1:]
	}
	return n, nil
}

func (b *body) Close() error {
	b.closed.Store(true)
	return nil
}
