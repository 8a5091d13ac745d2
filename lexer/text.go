package lexer

import "github.com/callwire/callwire/lexer/lexeme"

// tagAt says which tag begins at win[i].
func (l *Lexer) tagAt(i int) lexeme.Tag {
	l.steps++
	return l.tags.At(l.win[i:])
}

// opener looks at the opener whose first byte is win[i] and at the whitespace after
// it, from index from on if that is after the opener. It returns the index where it
// stopped, and OpenTag if the byte there begins a call, NoTag if there is no call, and
// SomeTag if more input decides.
//
// Rule: framing.open.
func (l *Lexer) opener(i, from int) (int, lexeme.Tag) {
	w, open := l.win, l.tags.Open
	j := i + len(open)
	if from > j {
		j = from
	} else if t := l.tagAt(i); t != lexeme.OpenTag {
		if t == lexeme.SomeTag && lexeme.MatchTag(w[i:], open) != 0 && len(open) < l.limits.Bytes {
			return i, t
		}
		return i, lexeme.NoTag
	}
	bound := i + l.limits.Bytes // the name must start before
	for ; j < bound; j++ {
		if j == len(w) {
			return j, lexeme.SomeTag
		}
		l.steps++
		c := w[j]
		k := l.tags.Classes[c]
		switch {
		case k&lexeme.Space != 0:
			continue
		case k&lexeme.NameStart != 0 || c == '{' || c == '[':
			return j, lexeme.OpenTag
		case k&lexeme.BeginsTag != 0 && lexeme.ClassOf(c)&lexeme.NameStart != 0:
			switch l.tagAt(j) {
			case lexeme.NoTag:
				return j, lexeme.OpenTag
			case lexeme.SomeTag:
				return j, lexeme.SomeTag
			}
		}
		return j, lexeme.NoTag
	}
	return j, lexeme.NoTag
}

// readText reads prose up to the next call.
//
// Rule: framing.text.
func (l *Lexer) readText() bool {
	if l.regions.bytewise {
		return l.readProse()
	}
	for i := l.scan; ; i++ {
		from := i
		i, _ = l.tags.NextOpen(l.win, i)
		l.steps += i - from
		if i > 0 {
			l.regions.last = l.win[i-1]
		}
		if i == len(l.win) {
			l.piece(Text, i)
			return false
		}
		if opens, more := l.opens(i); opens {
			return more
		}
		if l.regions.nearMisses {
			if begins, more := l.region(i); begins {
				return more
			}
		}
	}
}

// opens reads the text before win[i] and the opener there, and reports whether there is
// or may be one; more is the answer of the state.
func (l *Lexer) opens(i int) (opens, more bool) {
	j, t := l.opener(i, 0)
	if t == lexeme.NoTag {
		return false, false
	}
	l.piece(Text, i)
	if t == lexeme.OpenTag {
		l.begin(j)
		return true, true
	}
	if j > i {
		l.state, l.scan = inOpen, j
	}
	return true, false
}

// readOpen goes on after an opener, in the whitespace where the window ended.
func (l *Lexer) readOpen() bool {
	j, t := l.opener(l.pos, l.scan)
	switch t {
	case lexeme.OpenTag:
		l.begin(j)
	case lexeme.SomeTag:
		l.scan = j
		return false
	default:
		l.state, l.scan = inText, l.pos // a near miss may begin there
	}
	return true
}

// piece puts win[pos:to] into a token, if it is not empty, and rests there.
func (l *Lexer) piece(k Kind, to int) {
	if l.pos < to {
		l.emit(k, 0, l.pos, to)
	}
	l.scan = to
}

// begin starts the call whose opener is at pos and whose name is at win[j].
func (l *Lexer) begin(j int) {
	from := l.pos
	coded := l.regions.code && l.regions.markdown.Code()
	l.enter(from)
	if coded {
		l.emit(Open, 0, from, from)
		l.failAt(InCode, from, j)
		return
	}
	l.emit(Open, 0, from, j)
	if c := l.win[j]; c == '{' || c == '[' {
		l.fail(ExpectedName, j)
	}
}

// enter starts the call whose opener is at win[i].
func (l *Lexer) enter(i int) {
	c := &l.call
	c.start = l.base + i
	c.nest, c.json, c.args, c.done, c.high = c.nest[:0], false, false, false, false
	l.stop = c.start + l.limits.Bytes
	l.rebound()
	l.raw = nil
	l.state = inName
	if r := &l.regions; r.code {
		r.markdown.Call()
	}
}

// finish ends the call with the close tag at win[i].
//
// Rule: framing.close.
func (l *Lexer) finish(i int) bool {
	end := i + len(l.tags.Close)
	if limit := l.limit(); end > limit {
		l.failIn(CallTooLong, limit, i)
		return true
	}
	l.closes(i, end)
	return true
}

// closes ends the call, or the damage, with the tag win[i:end].
func (l *Lexer) closes(i, end int) {
	l.state = inText
	l.regions.last = l.win[end-1]
	l.emit(Close, 0, i, end)
}
