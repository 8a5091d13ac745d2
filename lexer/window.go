package lexer

import "bytes"

// The window is what the lexer reads: the chunk itself as long as nothing has
// to outlive it, and an owned buffer from the moment when a call or a possible
// opener crosses the end of a chunk. An owned window takes the next chunk in
// growing steps, so that little of it is copied in vain once the call has
// ended; then the window moves back onto the chunk.

// firstStep is how many bytes of a chunk an owned window takes first.
const firstStep = 512

// keep returns the index in win of the first byte that is still needed.
func (l *Lexer) keep() int {
	if l.state <= inOpen || l.raw != nil {
		return l.pos
	}
	return l.start - l.base
}

// refill makes more of the chunk readable. At the end of the chunk it saves
// what must outlive it and returns false. Tokens read before lose their bytes,
// but for those of the call being read.
func (l *Lexer) refill() bool {
	l.freeze()
	k := l.keep()
	held, rest := len(l.win)-k, len(l.chunk)-l.used
	switch {
	case rest > 0 && held <= l.used: // all that is held is in this chunk
		l.slide(l.chunk[l.used-held:], k)
		l.used, l.owned = len(l.chunk), false
		return true
	case rest > 0: // held is from earlier chunks, and so owned
		n := min(rest, max(firstStep, held))
		l.buf = append(l.win, l.chunk[l.used:l.used+n]...)
		l.used += n
		l.slide(l.buf, 0)
		return true
	case held == 0:
		l.slide(nil, k)
		l.owned = false
	case !l.owned:
		l.buf, l.spare = append(l.spare[:0], l.win[k:]...), l.buf
		l.slide(l.buf, k)
		l.owned = true
	}
	l.chunk, l.used = nil, 0
	return false
}

// takeAll moves all that is held or unread into an owned window.
func (l *Lexer) takeAll() {
	k := l.keep()
	l.buf = append(bytes.Clone(l.win[k:]), l.chunk[l.used:]...)
	l.slide(l.buf, k)
	l.owned = true
}

// compact drops what an owned window no longer needs.
func (l *Lexer) compact() {
	if k := l.keep(); k > 0 {
		prev := l.win[k-1]
		l.buf = append(l.buf[:0], l.win[k:]...)
		l.slide(l.buf, k)
		l.prev = prev
	}
}

// slide makes win the window whose first byte is now at index n.
func (l *Lexer) slide(win []byte, n int) {
	if n > 0 {
		l.prev = l.win[n-1]
		l.base += n
		l.pos -= n
		l.scan -= n
	}
	l.win = win
	l.rebound()
}

// limit returns where in the window the limit on the call's bytes falls, which may
// be behind its end.
func (l *Lexer) limit() int { return l.start - l.base + l.limits.Bytes }

// rebound finds how far the call may be read in the window.
func (l *Lexer) rebound() { l.bound = min(len(l.win), l.limit()) }

// freeze sets the first bytes of damage apart once it has outgrown the limit,
// so that the rest need not be kept.
func (l *Lexer) freeze() {
	if end := l.limit(); l.state >= inSkip && l.raw == nil && len(l.win) > end {
		l.raw = bytes.Clone(l.win[l.start-l.base : end])
	}
}
