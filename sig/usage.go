package sig

import (
	"strconv"
	"strings"
)

// Before a type is written, its uses are counted: a type that is used twice and is
// not short gets a name.

// maxInline is how long a type may be, in bytes, to be written out wherever it is
// used.
const maxInline = 24

// usage is what is known about a type before it is written.
type usage struct {
	uses   int
	weight int  // approximate length in bytes
	open   bool // being counted: reached again, it contains itself
	cyclic bool
	name   string // once it has been written with a name
}

// look counts the uses of t and of the types below it, and returns the weight of t.
func (w *writer) look(t *Type, depth int) int {
	if t == nil || depth > maxSignatureDepth+2 { // the writer starts counting one level lower
		return len(anyWord)
	}
	u := w.usage[t]
	if u != nil {
		u.uses++
		u.cyclic = u.cyclic || u.open
		return u.weight
	}
	u = &usage{uses: 1, open: true}
	w.usage[t] = u
	u.weight = w.lookBelow(t, depth)
	u.open = false
	return u.weight
}

// lookBelow is look for only the types below t.
func (w *writer) lookBelow(t *Type, depth int) (weight int) {
	if t == nil {
		return len(anyWord)
	}
	if len(t.Alts) > 0 && depth > 0 {
		for _, alt := range t.Alts {
			weight += w.look(alt, depth+1)
		}
		return weight
	}
	weight = len(stringWord)
	for i := range t.Enum {
		weight += len(t.Enum[i].Text)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		weight += len(f.Name) + w.look(f.Type, depth+1)
	}
	for i := range t.patterns {
		weight += maxInline + w.look(t.patterns[i].typ, depth+1)
	}
	if t.Extra != nil && !t.Closed {
		weight += w.look(t.Extra, depth+1)
	}
	for _, e := range t.Prefix {
		weight += w.look(e, depth+1)
	}
	if t.Items != nil {
		weight += w.look(t.Items, depth+1)
	}
	return weight
}

// nameFor returns a name for t that no other type of the signature has, derived
// from the name of its definition.
func (w *writer) nameFor(t *Type) string {
	name := t.ref[strings.LastIndexAny(t.ref, "/#.")+1:]
	name = strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r
		}
		return -1
	}, name[:min(len(name), 40)])
	if name == "" {
		name = "type"
	}
	if w.taken == nil {
		w.taken = make(map[string]bool)
	}
	unique := name
	for n := 2; w.taken[unique]; n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	w.taken[unique] = true
	return unique
}
