package lex

// Lexeme is a part of a message, as package lexer has it.
type Lexeme struct {
	Kind       string
	Start, End int
	Quoted     bool
	Closed     bool
	Code       Code
}

// Lexemes returns the lexemes of a message. Strings are whole.
func Lexemes(s *Syntax, chunks ...[]byte) []Lexeme {
	r := new(recorder)
	l := new(Lexer).Init(r, s)
	for _, chunk := range chunks {
		l.Write(chunk)
	}
	l.Close(false)
	return r.lexemes
}

// recorder is the Handler that keeps all lexemes.
type recorder struct {
	lexemes []Lexeme
	pos     int // offset of the next text
}

func (r *recorder) add(kind string, start, end int) *Lexeme {
	r.lexemes = append(r.lexemes, Lexeme{Kind: kind, Start: start, End: end})
	return r.last()
}

func (r *recorder) last() *Lexeme { return &r.lexemes[len(r.lexemes)-1] }

// addText adds a piece of text or reasoning, to the last lexeme if continues.
func (r *recorder) addText(kind string, b []byte, continues bool) {
	if !continues || len(r.lexemes) == 0 || r.last().Kind != kind || r.last().Closed {
		r.add(kind, r.pos, r.pos)
	}
	r.pos += len(b)
	r.last().End = r.pos
}

func (r *recorder) Text(b []byte) { r.addText("text", b, true) }

func (r *recorder) Reasoning(b []byte, f Flags) {
	r.addText("reasoning", b, f == 0)
	r.last().Closed = f != 0 // a tag
}

func (r *recorder) Section(b []byte) { r.addText("section", b, false) }

func (r *recorder) String(b []byte, f Flags, at int) {
	if f&First != 0 {
		s := r.add("string", at, at+2)
		if f&Raw != 0 {
			s.End = at
		}
	}
	s := r.last()
	s.End += len(b)
	s.Closed = f&Last != 0
}

func (r *recorder) Key(b []byte, f Flags, at int) {
	k := r.add("key", at, at+len(b))
	if f&First != 0 {
		k.Quoted = true
		k.End += 2
	}
}

func (r *recorder) Close(at, end int, source []byte) {
	r.add("close", at, end)
	r.pos = end
}

func (r *recorder) Damaged(end int, closed bool, source []byte) {
	r.add("damaged", end, end)
	r.pos = end
}

// Offer reads nothing, so that the Lexer pushes every lexeme.
func (r *recorder) Offer(b []byte, at int) (n, dots int) { return 0, 0 }

func (r *recorder) Doubt()                                    {}
func (r *recorder) Foreign(code Code, at int, lineStart bool) {}
func (r *recorder) Open(at int, s *Syntax)                    { r.add("open", at, at) }
func (r *recorder) ID(b []byte)                               { r.add("id", 0, len(b)) }
func (r *recorder) Stray(b []byte, at int)                    { r.add("stray", at, at+len(b)) }
func (r *recorder) Name(b []byte, at int)                     { r.add("name", at, at+len(b)) }
func (r *recorder) Path(b []byte, at, dots int)               { r.add("path", at, at+len(b)) }
func (r *recorder) Word(b []byte, f Flags, at int)            { r.add("word", at, at+len(b)) }
func (r *recorder) Begin(object bool, at int)                 { r.add("begin", at, at+1) }
func (r *recorder) End(at int, source []byte)                 { r.add("end", at, at+1) }

func (r *recorder) Fault(code Code, at int) { r.add("fault", at, at).Code = code }
