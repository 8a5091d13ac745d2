package lexer

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The straight path reads what nearly all calls consist of, in one run without
// a change of state: a name, then arguments with a scalar or a short array of
// scalars behind them, then the close tag, all within the window. Where anything
// else comes it stops in front of it and leaves it to the states, so that it
// decides nothing by itself. It makes a third of the time of a call.

// straight reads on from pos, the first byte of a name (inName) or of the
// whitespace before an argument (inSpace).
func (l *Lexer) straight() {
	w := l.win[:l.bound]
	table := l.class
	toks, base := l.toks, l.base
	at := l.pos // all before is in tokens
	from := at
	if l.state == inName {
		n := at + l.letters(w[at:], plainName)
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
		eq, dots := key, 0
		for {
			n := eq
			if eq < len(w) {
				eq += l.letters(w[eq:], plainKey)
			}
			if eq == n || eq+1 >= len(w) || w[eq] != '=' && w[eq] != '.' {
				goto done
			}
			if w[eq] == '=' {
				break
			}
			if dots++; dots > min(l.limits.Depth, 255) {
				goto done
			}
			eq++
		}
		v := eq + 1
		if v-at >= 1<<30 {
			break
		}
		end, of, flags := v, Bare, Flags(0)
		switch q := w[v]; q {
		case '"', '\'':
			e, seen := plain(w, v+1, q)
			if e == len(w) || w[e] != q || seen&highs != 0 && !utf8.Valid(w[v:e]) {
				goto done
			}
			of, flags = String, First|Last
			if seen&controls != 0 {
				flags |= Control
			}
			end = e + 1
		case '[':
			end = l.list(w, v)
			if end == 0 || dots == l.limits.Depth {
				goto done
			}
			of = ArrayOpen
		case '{':
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
		t.of, t.dots, t.key, t.value = of, uint8(dots), int32(key-at), int32(v-at)
		l.args = true
		at = end
	}
done:
	l.toks = toks
	l.steps += at - from
	l.pos, l.scan = at, at
}

// list returns the index behind the array that begins at w[i], if it holds
// nothing but strings without backslashes and words of plain bytes, and 0 if
// not. Blanks stand behind commas only.
func (l *Lexer) list(w []byte, i int) int {
	var all uint64
	from := i
	for i++; i < len(w); i++ {
		if w[i] == ' ' && i > from+1 {
			i++
		}
		n := i
		if i < len(w) && (w[i] == '"' || w[i] == '\'') {
			e, seen := plain(w, i+1, w[i])
			if e == len(w) || w[e] != w[i] || seen&controls != 0 {
				return 0
			}
			all |= seen
			i = e + 1
		} else {
			for i < len(w) && l.class[w[i]]&plainItem != 0 {
				i++
			}
		}
		if i == len(w) {
			return 0
		}
		if w[i] == ']' && (i > n || n == from+1) {
			break
		}
		if w[i] != ',' || i == n {
			return 0
		}
	}
	if i >= len(w) || all&highs != 0 && !utf8.Valid(w[from:i]) {
		return 0
	}
	return i + 1
}

// Split appends the tokens that a Pair stands for to dst. The Pair must be of
// the last Tokens.
func (l *Lexer) Split(dst []Token, t *Token) []Token {
	w := l.Slice(t.Start, t.End)
	at := 0
	add := func(k Kind, f Flags, to int) {
		dst = append(dst, Token{Start: t.Start + at, End: t.Start + to, Kind: k, Flags: f})
		at = to
	}
	add(Space, 0, int(t.key))
	value := int(t.value)
	for i := at; i < value; i++ {
		switch w[i] {
		case '.':
			add(Key, 0, i)
			add(Dot, 0, i+1)
		case '=':
			add(Key, 0, i)
			add(Equals, 0, i+1)
		}
	}
	if t.of != ArrayOpen {
		add(t.of, t.Flags, len(w))
		return dst
	}
	add(ArrayOpen, 0, at+1)
	for at < len(w)-1 {
		switch c := w[at]; c {
		case ',':
			add(Comma, 0, at+1)
		case ' ':
			add(Space, 0, at+1)
		case '"', '\'':
			n, _ := plain(w, at+1, c)
			add(String, First|Last, n+1)
		default:
			n := at
			for w[n] != ',' && w[n] != ']' {
				n++
			}
			add(Bare, 0, n)
		}
	}
	add(ArrayClose, 0, len(w))
	return dst
}

// Singles returns toks, of the last Tokens, with each Pair split, in memory of
// its own: the form that is the same under every chunking, but for where pieces
// end.
func (l *Lexer) Singles(toks []Token) []Token {
	out := make([]Token, 0, len(toks))
	for i := range toks {
		if t := &toks[i]; t.Kind == Pair {
			out = l.Split(out, t)
		} else {
			out = append(out, *t)
		}
	}
	return out
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

// letters is run for names and keys. Under the default tags it goes eight bytes
// at a time through letters, digits, _ and -.
func (l *Lexer) letters(w []byte, role class) int {
	i := 0
	if l.class == classes {
		for ; i+8 <= len(w); i += 8 {
			if stop := others(binary.LittleEndian.Uint64(w[i:])); stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
		}
	}
	for i < len(w) && l.class[w[i]]&role != 0 {
		i++
	}
	return i
}

// others returns the bits of highs for the bytes of x that are no letter, digit,
// _ or -.
func others(x uint64) uint64 {
	low := x &^ highs
	lower := low | 0x20*ones
	letters := (lower + (0x80-'a')*ones) &^ (lower + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	joiners := (0x80*ones - (low ^ '_'*ones)) | (0x80*ones - (low ^ '-'*ones))
	return (^(letters | digits | joiners) | x) & highs
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
