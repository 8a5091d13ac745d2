package railroad

import "slices"

// A Grammar is the productions by their names. It must be decided by the next word
// alone, and no production may begin with itself.
type Grammar map[string]*Node

// A Visit is one passage through the diagram of a production.
type Visit struct {
	Production string `json:"production"`
	Parent     int    `json:"parent"` // the index of the visit that it is part of, -1 of the first
	Steps      []Step `json:"steps"`
}

// A Step is a part of the diagram that is visited.
type Step struct {
	At   string `json:"at"`   // its name, as in the attribute data-at
	Word int    `json:"word"` // the index of the word that is read there, or next

	Terminal bool `json:"terminal,omitempty"` // the word is read there
}

// Walk leads words, the names of terminals, through the production of that name. It
// returns the visits in the order in which they begin, and how many words were read:
// all of them if the words are one such production. The way ends at a word that is not
// allowed at its place. The word "" is a fault: the way ends there, without skipping
// optional parts to get to it.
func (g Grammar) Walk(production string, words []string) ([]Visit, int) {
	w := &walk{grammar: g, words: words}
	w.visit(production, -1)
	return w.visits, w.next
}

type walk struct {
	grammar Grammar
	words   []string
	next    int // word
	visits  []Visit
	current int // visit
}

// word returns the next word, "" at the end.
func (w *walk) word() string {
	if w.next < len(w.words) {
		return w.words[w.next]
	}
	return ""
}

// step notes that a part of n is visited.
func (w *walk) step(n *Node, part string) {
	v := &w.visits[w.current]
	v.Steps = append(v.Steps,
		Step{At: n.at(part), Word: w.next, Terminal: part == "" && n.Terminal != ""})
}

// visit passes through a production, and reports whether it came to its end.
func (w *walk) visit(production string, parent int) bool {
	n := w.grammar[production]
	if n == nil {
		return false
	}
	w.current = len(w.visits)
	w.visits = append(w.visits, Visit{Production: production, Parent: parent})
	mine := w.current
	w.step(n, "start")
	passed := w.pass(n)
	w.current = mine
	if passed {
		w.step(n, "end")
	}
	w.current = parent
	return passed
}

// fault reports whether the way ends here.
func (w *walk) fault() bool { return w.next < len(w.words) && w.words[w.next] == "" }

// pass passes through a node, and reports whether it came to its end.
func (w *walk) pass(n *Node) bool {
	if w.fault() {
		return false
	}
	switch n.Kind {
	case Word:
		return w.passWord(n)
	case Sequence:
		for i, one := range n.Parts {
			w.step(n, part(i))
			if !w.pass(one) {
				return false
			}
		}
		w.step(n, "out")
	case Choice:
		i := slices.IndexFunc(n.Parts, w.begins)
		if i < 0 {
			i = slices.IndexFunc(n.Parts, w.empty)
		}
		if i < 0 {
			return false
		}
		w.step(n, part(i))
		if !w.pass(n.Parts[i]) {
			return false
		}
		w.step(n, part(i)+".out")
	case Optional:
		if !w.begins(n.Parts[0]) {
			w.step(n, "skip")
			return true
		}
		w.step(n, "in")
		if !w.pass(n.Parts[0]) {
			return false
		}
		w.step(n, "out")
	case Loop:
		return w.passLoop(n)
	}
	return true
}

func (w *walk) passLoop(n *Node) bool {
	w.step(n, "in")
	back := n.Parts[0]
	if n.Between != nil {
		back = n.Between
	}
	for {
		before := w.next
		if !w.pass(n.Parts[0]) {
			return false
		}
		if !w.begins(back) || w.next == before {
			break
		}
		w.step(n, "back")
		if n.Between != nil && !w.pass(n.Between) {
			return false
		}
	}
	if w.fault() {
		return false
	}
	w.step(n, "out")
	return true
}

func (w *walk) passWord(n *Node) bool {
	switch {
	case n.Production != "":
		w.step(n, "")
		return w.visit(n.Production, w.current)
	case !w.begins(n):
		return false
	}
	w.step(n, "")
	if n.Terminal != "" {
		w.next++
	}
	return true
}

// begins reports whether n can begin with the next word.
func (w *walk) begins(n *Node) bool {
	switch n.Kind {
	case Word:
		if n.Production != "" {
			to := w.grammar[n.Production]
			return to != nil && w.begins(to)
		}
		return w.word() != "" && (n.Terminal == w.word() || slices.Contains(n.Follow, w.word()))
	case Sequence:
		for _, one := range n.Parts {
			if w.begins(one) {
				return true
			}
			if !w.empty(one) {
				return false
			}
		}
		return false
	}
	return slices.ContainsFunc(n.Parts, w.begins)
}

// empty reports whether n can be nothing.
func (w *walk) empty(n *Node) bool {
	switch n.Kind {
	case Word:
		to := w.grammar[n.Production]
		return to != nil && w.empty(to)
	case Sequence:
		return !slices.ContainsFunc(n.Parts, func(one *Node) bool { return !w.empty(one) })
	case Choice:
		return slices.ContainsFunc(n.Parts, w.empty)
	case Loop:
		return w.empty(n.Parts[0])
	}
	return true
}
