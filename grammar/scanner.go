package grammar

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A token is a terminal with its name and the state in which it was read.
type token struct {
	lexer.Token
	name  string
	state string
	fault *fault // why no production takes it
}

func (t *token) start() int { return startOf(t.Token) }
func (t *token) end() int   { return endOf(t.Token) }

func startOf(t Token) int { return t.Pos.Offset }
func endOf(t Token) int   { return t.Pos.Offset + len(t.Value) }

// isOneOf reports whether t has one of the names.
func (t *token) isOneOf(names ...string) bool { return slices.Contains(names, t.name) }

// A scanner reads the tokens of one call, one at a time, up to one with a fault.
type scanner struct {
	*reader
	pos     int
	state   string
	outer   []string // the states after the closing brackets to come
	dots    int      // of the path that is being read
	tag     int      // where the next tag is, if not before pos
	mayGrow bool     // the last token would be longer if no tag began after it
}

// next reads a token. At the end of the text it is an empty one.
//
// Rule: framing.truncated
func (s *scanner) next() token {
	text := s.text
	for s.pos < len(text) {
		t := token{state: s.state}
		t.Pos.Offset = s.pos
		end, code := s.match(&t)
		t.Value = text[s.pos:end]
		s.pos = end
		switch {
		case t.name == Blank:
			continue
		case t.name == tokUnclosed && end < len(text):
			t.fault = &fault{InvalidJSON, end}
		case t.isOneOf(tokUnclosed, tokTruncated):
			t.fault = &fault{UnterminatedCall, len(text)}
		case code != "":
			t.fault = &fault{code, t.start()}
		case t.name == tokSpace:
			s.dots = 0
		case t.name == tokPunct && t.Value == ".":
			s.dots++
		}
		return t
	}
	end := token{state: s.state, fault: &fault{UnterminatedCall, s.pos}}
	end.Pos.Offset = s.pos
	return end
}

// match recognizes what begins at s.pos: it names t and goes to the next state. It returns
// the end, and the code of the error if t is one.
func (s *scanner) match(t *token) (end int, code Code) {
	p, text := s.table[s.state], s.text
	until := len(text)
	if s.wire {
		t.name, end, until = s.matchTag(p)
		switch {
		case t.name == tokOpen:
			return end, p.Opener
		case t.name == tokClose && p.Close:
			return end, ""
		case t.name != "":
			return end, p.Error
		}
	}
	for _, rule := range p.Tokens {
		limit := until
		if rule.Token == tokString || rule.Token == tokUnclosed {
			limit = len(text)
		}
		at := rule.match.FindStringSubmatchIndex(text[s.pos:limit])
		if at == nil {
			continue
		}
		end = s.pos + at[len(at)-1] // what follows a group must follow the token
		t.name = rule.Token
		s.mayGrow = end == until && len(rule.match.FindString(text[s.pos:])) > end-s.pos
		s.follow(rule)
		return end, ""
	}
	t.name = tokOther
	return s.pos + 1, p.Error
}

// matchTag reads a tag of the wire format, or finds where the next one begins, which
// ends every token except a string.
func (s *scanner) matchTag(p *State) (name string, end, next int) {
	rest := s.text[s.pos:]
	if s.state == "after-member-key" && rest[0] == ':' {
		return "", 0, len(s.text) // a colon, even if a tag begins with one
	}
	name, end = s.tagAt(s.pos)
	if name == tokTruncated && !s.mayGrow && !p.allows(rest, s.close) {
		return tokOther, s.pos + 1, 0
	}
	for s.tag = max(s.tag, s.pos); s.tag < len(s.text); s.tag++ {
		if tag, _ := s.tagAt(s.tag); tag != "" {
			break
		}
	}
	return name, end, s.tag
}

// allows reports whether a tag that begins with the rest of the text may be here, or a
// token that does.
func (p *State) allows(rest, closing string) bool {
	if p.Opener == NestedCall || p.Close && strings.HasPrefix(closing, rest) {
		return true
	}
	begins := func(t Transition) bool { return t.match.MatchString(rest) }
	return slices.ContainsFunc(p.Tokens, begins)
}

// follow goes to the state that the transition leads to.
func (s *scanner) follow(t Transition) {
	if t.After != "" {
		s.outer = append(s.outer, t.After)
	}
	s.state = t.Next
	if t.Next == "" {
		last := len(s.outer) - 1
		s.state, s.outer = s.outer[last], s.outer[:last]
	}
}

// depth returns how many brackets and dots are open, without those of the arguments object
// and around it.
func (s *scanner) depth() int {
	depth := len(s.outer) + s.dots
	for i, state := range s.arguments {
		if i < len(s.outer) && s.outer[i] == state {
			depth--
		}
	}
	return depth
}
