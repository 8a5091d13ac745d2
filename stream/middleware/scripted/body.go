package scripted

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// errBroken is how a connection breaks.
var errBroken = errors.New("scripted: the connection broke")

// A body is the body of an answer. It is written as it is read: no goroutine.
type body struct {
	ctx    context.Context
	pause  time.Duration
	wait   time.Duration // before the next piece: none before the first
	pieces [][]byte
	rest   []byte // of a piece
	end    error
	closed atomic.Bool
}

// newBody returns a body that breaks after some bytes, or never if breakAfter is 0.
func newBody(ctx context.Context, s Shape, events []event, breakAfter int) *body {
	b := &body{ctx: ctx, pause: s.Pause, pieces: s.layOut(events), end: io.EOF}
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

func (b *body) Read(p []byte) (n int, err error) {
	switch {
	case b.closed.Load():
		return 0, errors.New("scripted: read of a closed body")
	case len(p) == 0:
		return 0, nil
	case len(b.rest) == 0:
		b.rest, err = b.next()
	}
	n = copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, err
}

func (b *body) Close() error {
	b.closed.Store(true)
	return nil
}

// next waits for the next piece and returns it.
func (b *body) next() ([]byte, error) {
	if b.wait > 0 && len(b.pieces) > 0 {
		select {
		case <-b.ctx.Done():
		case <-time.After(b.wait):
		}
	}
	b.wait = b.pause
	switch {
	case b.ctx.Err() != nil:
		return nil, b.ctx.Err()
	case len(b.pieces) == 0:
		return nil, b.end
	}
	piece := b.pieces[0]
	b.pieces = b.pieces[1:]
	return piece, nil
}
