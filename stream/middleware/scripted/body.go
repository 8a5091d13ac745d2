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

// body is the body of an answer. It is written as it is read: no goroutine.
type body struct {
	ctx     context.Context
	pause   time.Duration
	pieces  [][]byte
	broken  bool // at the end of pieces
	started bool
	closed  atomic.Bool
}

// newBody returns a body that breaks after some bytes, or never if breakAfter is 0.
func newBody(ctx context.Context, s Shape, events []event, breakAfter int) *body {
	b := &body{ctx: ctx, pause: s.Pause, pieces: s.layOut(events), broken: breakAfter > 0}
	if breakAfter <= 0 {
		return b
	}
	left := breakAfter
	for i, piece := range b.pieces {
		if left <= len(piece) {
			b.pieces[i] = piece[:left]
			b.pieces = b.pieces[:i+1]
			break
		}
		left -= len(piece)
	}
	return b
}

func (b *body) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, errors.New("scripted: read of a closed body")
	}
	if len(p) == 0 {
		return 0, nil
	}
	piece, err := b.next()
	n := copy(p, piece)
	if n < len(piece) {
		b.pieces = append([][]byte{piece[n:]}, b.pieces...)
	}
	return n, err
}

func (b *body) Close() error {
	b.closed.Store(true)
	return nil
}

// next waits for the next piece and returns it.
func (b *body) next() ([]byte, error) {
	if err := b.wait(); err != nil {
		return nil, err
	}
	if len(b.pieces) == 0 {
		if b.broken {
			return nil, errBroken
		}
		return nil, io.EOF
	}
	piece := b.pieces[0]
	b.pieces = b.pieces[1:]
	return piece, nil
}

// wait pauses before every piece but the first, unless the request is canceled.
func (b *body) wait() error {
	if !b.started || b.pause <= 0 || len(b.pieces) == 0 {
		b.started = true
		return b.ctx.Err()
	}
	timer := time.NewTimer(b.pause)
	defer timer.Stop()
	select {
	case <-b.ctx.Done():
		return b.ctx.Err()
	case <-timer.C:
		return nil
	}
}
