package middleware

// A transcript is the text of a message that may still be needed: the source of a call, or
// a message that may be sent back. The decoder counts offsets from text[base], which moves
// when the decoder starts over or text is dropped.
type transcript struct {
	text []byte
	base int
	fed  int  // bytes passed to the decoder
	pos  int  // end of what it has emitted
	most int  // bytes of text kept at most
	full bool // there was more, so the text is incomplete
}

func (t *transcript) add(text []byte) {
	if t.full || len(t.text)+len(text) > t.most {
		t.full, t.text = true, nil
	} else {
		t.text = append(t.text, text...)
	}
	t.fed += len(text)
}

// restart makes offsets count from the end of the text.
func (t *transcript) restart() { t.base, t.pos, t.fed = len(t.text), 0, 0 }

// idle reports whether the decoder has emitted all text.
func (t *transcript) idle() bool { return t.pos == t.fed }

// drop forgets the text that the decoder has emitted.
func (t *transcript) drop() {
	n := max(0, min(t.base+t.pos, len(t.text)))
	t.text = t.text[:copy(t.text, t.text[n:])]
	t.base -= n
	if len(t.text) == 0 && t.idle() {
		t.full = false
		t.base = -t.pos
	}
}

// cut forgets the text from n bytes before the end of what was emitted.
func (t *transcript) cut(n int) {
	t.text = t.text[:max(0, min(len(t.text), t.base+t.pos-n))]
}

// span returns a part of the text, or nil if it was not kept.
func (t *transcript) span(start, end int) []byte {
	from, to := t.base+start, t.base+end
	if t.full || from < 0 || to > len(t.text) {
		return nil
	}
	return t.text[from:to]
}

// upTo returns the text up to an offset.
func (t *transcript) upTo(end int) []byte {
	return t.text[:max(0, min(len(t.text), t.base+end))]
}
