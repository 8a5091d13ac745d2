package lexer

import "unicode/utf8"

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
	i := l.pos
	if l.state == inName {
		n := i
		for i < len(w) && table[w[i]]&(isName|isHigh) == isName {
			i++
		}
		if i == len(w) || i-n > l.limits.Name || table[w[i]]&isSpace == 0 && !l.closes(w[i:]) {
			return
		}
		toks = append(toks, Token{Start: base + n, End: base + i, Kind: Name})
		l.state = inSpace
		l.pos, l.scan = i, i
	}
	for len(toks) < tape-2 {
		at := i // resume here
		for i < len(w) && table[w[i]]&isSpace != 0 {
			i++
		}
		key := i
		for i < len(w) && table[w[i]]&(isKey|isHigh) == isKey {
			i++
		}
		if i == key || i == at {
			if i > at || !l.closes(w[i:]) {
				break
			}
			toks = append(toks, Token{Start: base + i, End: base + i + len(l.close), Kind: Close})
			i += len(l.close)
			l.steps += i - at
			l.state, l.pos, l.scan = inText, i, i
			break
		}
		if i+1 >= len(w) || w[i] != '=' || i-at >= 1<<30 {
			break
		}
		eq := i
		i++
		flags := Flags(0)
		switch q := w[i]; q {
		case '"', '\'':
			end, seen := plain(w, i+1, q)
			if end == len(w) || w[end] != q || seen&highs != 0 && !utf8.Valid(w[i:end]) {
				goto done
			}
			flags = First | Last
			if seen&controls != 0 {
				flags |= Control
			}
			i = end + 1
		case '[', '{':
			goto done
		default:
			for i < len(w) && table[w[i]]&(endsWord|isHigh) == 0 {
				i++
			}
		}
		if i == len(w) || table[w[i]]&isSpace == 0 && !l.closes(w[i:]) {
			break
		}
		toks = append(toks, Token{Start: base + at, End: base + i, key: int32(key - at), value: int32(eq + 1 - at), Kind: Pair, Flags: flags})
		l.args = true
		l.dots = 0
		l.steps += i - at
		l.pos, l.scan = i, i
	}
done:
	l.toks = toks
}

// closes reports whether w begins with the close tag.
func (l *Lexer) closes(w []byte) bool {
	return len(w) >= len(l.close) && string(w[:len(l.close)]) == l.close
}
