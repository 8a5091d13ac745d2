package sig

import (
	"strings"
	"unicode/utf8"
)

// comment writes the comment on a parameter: its constraints and descriptions. A
// type shared by several parameters is described once, unless that is short. also
// is what the tool's description says about the parameter.
func (w *writer) comment(dst []byte, needs []phrase, t *Type, also string) []byte {
	if w.o.Parameters == Off {
		return dst
	}
	var all annotation
	if t != nil && !w.commented[t] {
		all = w.annotation(t)
	}
	if len(all.prose) == 0 || w.o.Parameters == Full {
		all.addProse(w, "", "", also)
	}
	var text commentText
	text.limit = w.longest
	for _, f := range append(needs, all.facts...) {
		if f.text == "" || text.add(f.text) {
			for _, c := range f.of {
				w.shown[c]++
			}
		}
	}
	if text.addProse(strings.Join(all.prose, "; ")) {
		for _, d := range all.whole {
			w.whole[d] = true
		}
	}
	said := string(text.text)
	if len(said) > maxInline {
		w.commented[t] = true
	}
	if w.lengths != nil {
		w.lengths = append(w.lengths, text.runes)
	}
	if said == "" || said == ellipsis {
		return dst
	}
	dst = append(dst, ' ')
	return append(dst, w.guard.Neutralize("("+balanced(said)+")")...) // some tags begin with parentheses
}

// commentText is the text of a comment, at most limit characters long.
type commentText struct {
	text         []byte
	runes, limit int
}

// add adds a fact if it fits, and reports whether it did.
func (c *commentText) add(fact string) bool {
	n := utf8.RuneCountInString(fact) + len(c.separator())
	if c.runes+n > c.limit {
		return false
	}
	c.text = append(append(c.text, c.separator()...), fact...)
	c.runes += n
	return true
}

// addProse adds as much of the prose as fits, and reports whether all of it did.
func (c *commentText) addProse(prose string) bool {
	if prose == "" {
		return true
	}
	part := cut(prose, c.limit-c.runes-len(c.separator()))
	if part == "" || part == ellipsis && len(c.text) > 0 {
		return false
	}
	c.text = append(append(c.text, c.separator()...), part...)
	c.runes = utf8.RuneCount(c.text)
	return part == prose
}

func (c *commentText) separator() string {
	if len(c.text) == 0 {
		return ""
	}
	return "; "
}

// shortened returns a description in one line, shortened as the options ask.
func (w *writer) shortened(text string) string {
	text = oneLine(text)
	if w.o.Parameters == Short {
		text = cut(strings.TrimSuffix(firstSentence(text), "."), shortDetail)
	}
	return text
}

// needs returns, by property name, which other properties a property requires.
func (w *writer) needs(object *Type) (all map[string][]phrase) {
	if w.o.Parameters == Off {
		return nil
	}
	for i := range object.Constraints {
		c := &object.Constraints[i]
		if c.Keyword != "dependentRequired" && c.Keyword != "dependencies" {
			continue
		}
		eachDependency(c, func(name string, needed []string) {
			text := "needs " + strings.Join(needed, ", ")
			if !showsInComment(text) || w.guard.In(text) {
				return
			}
			if all == nil {
				all = make(map[string][]phrase)
			}
			all[name] = append(all[name], phrase{text, []*Constraint{c}})
		})
	}
	return all
}

// balanced returns text with unmatched parentheses replaced by brackets.
func balanced(text string) string {
	if !strings.ContainsAny(text, "()") {
		return text
	}
	b := []byte(text)
	var open []int
	for i, c := range b {
		switch {
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		case c == ')':
			b[i] = ']'
		}
	}
	for _, i := range open {
		b[i] = '['
	}
	return string(b)
}
