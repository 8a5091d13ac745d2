package lexer

import "bytes"

// window is the input that is being read: the chunk itself as long as nothing has
// to outlive it, and an owned buffer from the moment when a call or a possible
// opener crosses the end of a chunk. An owned window takes the next chunk in
// growing steps, so little of it is copied for nothing if the call ends early; then the
// window moves back onto the chunk.
//
// Invariants:
//   - win[0] is the byte at offset base of the input, prev the one before it
//   - win[:pos] is read, win[pos:scan] is looked at, and 0 <= pos <= scan <= len(win)
//   - win[:bound] is what a call may have of it
//   - win is either part of the chunk, or owned and the beginning of buf; then
//     chunk[:used] is a copy of its end
type window struct {
	win   []byte
	base  int
	pos   int
	scan  int
	bound int
	stop  int  // offset of the limit on the call's bytes
	prev  byte // 0 at the beginning of the input

	chunk []byte
	used  int
	owned bool
	buf   []byte
	spare []byte // the buffer before that; earlier tokens of this chunk may point to it
}

// firstStep is how many bytes of a chunk an owned window takes first.
const firstStep = 512

// drained reports whether all that was fed is in the window and read.
func (w *window) drained() bool { return w.pos == len(w.win) && w.used == len(w.chunk) }

// feed adds a chunk, to be read when the window is. Of the window the bytes from
// win[keep] on are still needed.
func (w *window) feed(chunk []byte, keep int) {
	if w.used < len(w.chunk) || !w.owned && len(w.win) > keep { // not all was read: take it
		w.buf = append(bytes.Clone(w.win[keep:]), w.chunk[w.used:]...)
		w.slide(w.buf, keep)
		w.chunk, w.used, w.owned = nil, 0, true
	} else if w.owned && keep > 0 {
		w.slide(w.win[keep:], keep) // which looks at the byte before
		w.buf = append(w.buf[:0], w.win...)
		w.win = w.buf
	}
	if w.owned && len(chunk) <= firstStep {
		w.buf = append(w.win, chunk...)
		w.win = w.buf
		w.rebound()
		return
	}
	w.chunk, w.used = chunk, 0
}

// refill makes more of the chunk readable. At the end of the chunk it saves the
// bytes from win[keep] on and returns false.
func (w *window) refill(keep int) bool {
	held, rest := len(w.win)-keep, len(w.chunk)-w.used
	switch {
	case rest > 0 && held <= w.used: // all that is held is in this chunk
		w.slide(w.chunk[w.used-held:], keep)
		w.used, w.owned = len(w.chunk), false
		return true
	case rest > 0: // held is from earlier chunks, and so owned
		n := min(rest, max(firstStep, held))
		w.buf = append(w.win, w.chunk[w.used:w.used+n]...)
		w.used += n
		w.slide(w.buf, 0)
		return true
	case held == 0:
		w.slide(nil, keep)
		w.owned = false
	case !w.owned:
		w.buf, w.spare = append(w.spare[:0], w.win[keep:]...), w.buf
		w.slide(w.buf, keep)
		w.owned = true
	}
	w.chunk, w.used = nil, 0
	return false
}

// slide makes win the window, whose first byte is now at index n.
func (w *window) slide(win []byte, n int) {
	if n > 0 {
		w.prev = w.win[n-1]
		w.base += n
		w.pos -= n
		w.scan -= n
	}
	w.win = win
	w.rebound()
}

// limit returns the index at which the limit on the call's bytes falls, which may
// be after the window's end.
func (w *window) limit() int { return w.stop - w.base }

func (w *window) rebound() { w.bound = min(len(w.win), w.limit()) }
