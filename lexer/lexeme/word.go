package lexeme

// A bare word goes on to whitespace or the close tag, a bare item to a comma, a
// closing bracket, a line end or the close tag. Neither has escapes.

// Quotes counts the quotes of a bare word.
type Quotes struct {
	double, single, introduced bool // odd, odd, one ' after punctuation
}

// Flags returns Opened if the quotes look like the rest of a quoted string.
func (q Quotes) Flags() Flags {
	// Rule: issue.open-quote.
	if q.double || q.single && q.introduced {
		return Opened
	}
	return 0
}

// ConsumeWordResumable reads on in the bare word or item that begins at
// w[start], from w[i], at most to w[end]; stop is EndsWord or EndsItem. It
// returns the index of the first byte that is not read, the tag there, and the
// bits of the bytes read.
func (t *Tags) ConsumeWordResumable(w []byte, start, i, end int, stop Class, q *Quotes) (int, Tag, byte) {
	// Rule: value.bare, value.bare-item.
	var seen byte
	for ; i < end; i++ {
		c := w[i]
		if t.Classes[c]&stop == 0 {
			seen |= c
			continue
		}
		if c == '"' {
			q.double = !q.double
			continue
		}
		if c == '\'' {
			q.single = !q.single
			q.introduced = q.introduced || i > start && Introduces(w[i-1])
			continue
		}
		if t.Classes[c]&BeginsTag == 0 {
			break
		}
		if tag := t.At(w[i:]); tag != NoTag {
			return i, tag, seen
		}
	}
	return i, NoTag, seen
}

// ConsumeSimpleWord returns the index after the bare word or item at w[i], if all its
// bytes are plain, or else that of the first one that is not, and the roles that its
// bytes have. Plain is PlainWord or PlainItem.
func (t *Tags) ConsumeSimpleWord(w []byte, i int, plain Class) (end int, seen Class) {
	for ; i < len(w); i++ {
		roles := t.Classes[w[i]]
		if roles&plain == 0 {
			break
		}
		seen |= roles
	}
	return i, seen
}

// CanBeBare reports whether text can stand as a bare word anywhere under these tags.
func (t *Tags) CanBeBare(text []byte) bool {
	// Rule: write.bare.
	if len(text) == 0 || text[0] == '[' || text[0] == '{' {
		return false
	}
	for _, c := range text {
		if c < ' ' || c == 0x7f || c == '<' || c == '>' || t.Classes[c]&EndsWord != 0 {
			return false
		}
	}
	return true
}
