package lexer

import (
	"encoding/binary"
	"unicode/utf8"
)

// The straight path reads what nearly all calls consist of, in one run without
// a change of state: a name, then arguments of one key each with a bare word or
// a string behind it, then the close tag, all within the window. Where anything
// else comes it stops in front of it and leaves it to the states, so that it
// decides nothing by itself. It halves the time of a call.

// straight reads on from pos, the first byte of a name (inName) or of the
// whitespace before an argument (inSpace).
func (l *Lexer) straight() {
	w := l.win[:l.bound]
	table := l.class
	toks, base := l.toks, l.base
	at := l.pos // all before is in tokens
	from := at
	if l.state == inName {
		n := at + run(table, w[at:], plainName)
		if n == len(w) || n-at > l.limits.Name || table[w[n]]&isSpace == 0 && !l.closes(w[n:]) {
			return
		}
		toks = extend(toks)
		t := &toks[len(toks)-1]
		t.Start, t.End, t.Kind, t.Flags = base+at, base+n, Name, 0
		l.state = inSpace
		at = n
	}
	var t *Token
	for len(toks) < tape-2 {
		key := at + 1
		if at == len(w) || table[w[at]]&isSpace == 0 {
			if l.closes(w[at:]) {
				end := at + len(l.close)
				toks = extend(toks)
				t := &toks[len(toks)-1]
				t.Start, t.End, t.Kind, t.Flags = base+at, base+end, Close, 0
				at = end
				l.state = inText
			}
			break
		}
		for key < len(w) && table[w[key]]&isSpace != 0 {
			key++
		}
		if key >= len(w) {
			break
		}
		eq := key + run(table, w[key:], plainKey)
		v := eq + 1
		if eq == key || v >= len(w) || w[eq] != '=' || v-at >= 1<<30 {
			break
		}
		end, flags := v, Flags(0)
		switch q := w[v]; q {
		case '"', '\'':
			e, seen := plain(w, v+1, q)
			if e == len(w) || w[e] != q || seen&highs != 0 && !utf8.Valid(w[v:e]) {
				goto done
			}
			flags = First | Last
			if seen&controls != 0 {
				flags |= Control
			}
			end = e + 1
		case '[', '{':
			goto done
		default:
			end += run(table, w[v:], plainWord)
		}
		if end == len(w) || table[w[end]]&isSpace == 0 && !l.closes(w[end:]) {
			break
		}
		toks = extend(toks)
		t = &toks[len(toks)-1]
		t.Start, t.End, t.Kind, t.Flags = base+at, base+end, Pair, flags
		t.key, t.value = int32(key-at), int32(v-at)
		l.args = true
		at = end
	}
done:
	l.toks = toks
	l.steps += at - from
	l.pos, l.scan = at, at
}

// run returns how many bytes w begins with that have the role.
func run(table *[256]class, w []byte, role class) int {
	for i, c := range w {
		if table[c]&role == 0 {
			return i
		}
	}
	return len(w)
}

// closes reports whether w begins with the close tag.
func (l *Lexer) closes(w []byte) bool {
	if len(w) >= 8 {
		return binary.LittleEndian.Uint64(w)&l.closeMask == l.closeWord && (l.closeMask != 1<<64-1 || string(w[:min(len(w), len(l.close))]) == l.close)
	}
	return string(w[:min(len(w), len(l.close))]) == l.close
}

// word returns the first eight bytes of tag as a number, and the mask of those
// that there are.
func word(tag string) (word, mask uint64) {
	for i := range min(8, len(tag)) {
		word |= uint64(tag[i]) << (8 * i)
		mask |= 0xff << (8 * i)
	}
	return word, mask
}
