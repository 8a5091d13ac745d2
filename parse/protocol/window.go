package protocol

// window is the input being read: the chunk itself while nothing has to outlive it,
// else an owned buffer that takes the chunk in growing steps.
//
// The window of package lexer holds more: how far it has looked, the byte before it,
// and the limit on a call; its fastest loops change these with every slide. A shared
// window would carry them here, or call back there, and export its fields.
//
// Invariants:
//   - win[0] is the byte at offset base of the message, win[:pos] is read
//   - win is part of the chunk, or owned; then chunk[:used] is a copy of its end
//   - bytes that were handed out are not moved before the next chunk
type window struct {
	win  []byte
	base int
	pos  int

	chunk []byte
	used  int
	owned bool
	buf   []byte // memory for an owned window
	spare []byte // the buffer before it; parts of this chunk may point to it
}

// firstStep is how many bytes of a chunk an owned window takes first.
const firstStep = 512

// reset prepares for a new message. Memory is kept.
func (w *window) reset() { *w = window{buf: w.buf[:0], spare: w.spare} }

// feed adds a chunk; the one before is used up. The bytes from win[keep] on are still
// needed.
func (w *window) feed(chunk []byte, keep int) {
	held := w.win[keep:]
	switch {
	case w.used < len(w.chunk) || !w.owned && len(held) > 0: // some is unread: take it
		w.buf = append(append([]byte(nil), held...), w.chunk[w.used:]...)
		w.slide(w.buf, keep)
		w.owned = true
	case len(held) == 0:
		w.slide(chunk, keep)
		w.chunk, w.used, w.owned = chunk, len(chunk), false
		return
	case keep > 0:
		w.buf = append(w.buf[:0], held...)
		w.slide(w.buf, keep)
	}
	w.chunk, w.used = chunk, 0
	w.refill(0)
}

// refill makes more of the chunk readable. At the end of the chunk it saves the bytes
// from win[keep] on and returns false.
func (w *window) refill(keep int) bool {
	held, rest := len(w.win)-keep, len(w.chunk)-w.used
	switch {
	case rest > 0 && held <= w.used: // all that is held is in this chunk
		w.slide(w.chunk[w.used-held:], keep)
		w.used, w.owned = len(w.chunk), false
		return true
	case rest > 0:
		n := min(rest, max(firstStep, held))
		w.buf = append(w.win, w.chunk[w.used:w.used+n]...)
		w.used += n
		w.win = w.buf
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
	w.base += n
	w.pos -= n
	w.win = win
}

// offset returns the offset in the message of win[i].
func (w *window) offset(i int) int { return w.base + i }

// slice returns the input from offset start to offset end.
func (w *window) slice(start, end int) []byte {
	return w.win[start-w.base : end-w.base : end-w.base]
}
