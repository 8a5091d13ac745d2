package manual

import (
	"fmt"
	"strings"
	"sync"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/lexer"
)

// call appends a call to the text before it: where the model wrote it, or on a line of its own.
func (r *rewriter) call(p *Part) {
	w, err := r.m.writing(p, r.written)
	if err != nil {
		r.errs = append(r.errs, &HistoryError{r.index, r.part, err})
		w.text = r.m.unwritable(p)
	}
	r.between = "\n"
	tail := r.tail()
	switch {
	case w.inPlace:
		r.between = ""
	case tail != nil && r.afterCall:
		w.text = r.inSection(tail, w.text)
	}
	if tail != nil {
		r.extend(tail, w.text, r.between)
	} else {
		r.add(Part{Kind: Text, Text: w.text})
	}
	r.afterCall = true
	r.remember(p, w.id, err == nil)
}

// inSection returns a call without the tag that begins a section, if it can be in the section of
// the call before it, which ends with tail, and reopens that.
func (r *rewriter) inSection(tail *string, text string) string {
	section := r.m.format.Section
	call, begins := strings.CutPrefix(text, section.Open)
	before, ends := strings.CutSuffix(*tail, section.Close)
	if section.Close == "" || !begins || !ends {
		return text
	}
	*tail, r.between = before, r.m.format.Layout.Join
	return call
}

// calls are the calls of one message that have the same ID. IDs should distinguish calls, but some
// APIs have none, and some start over with each message.
type calls struct {
	message int // of out
	list    []called
	several bool // more than one had the id
}

// step is the calls that a model made before it read their results.
type step struct {
	calls    int
	names    map[string]int // how many calls have the name
	answered bool           // a result has come: the next call begins a new step
}

// called is what the result of a call needs to know about it.
type called struct {
	step   *step
	number int           // in the step, from 1
	name   string        // "" if it is too long to repeat
	id     string        // as the model sees it, if the format has IDs
	load   func() string // answers it, if it is a call of the loader
}

// remember stores a call, shown with that ID, for its result. Any number of results may repeat its
// name.
func (r *rewriter) remember(p *Part, id string, isSound bool) {
	c := called{id: id}
	if len(p.Name) <= (lexer.Limits{}).OrDefault().Name {
		c.name = p.Name
	}
	if r.step == nil || r.step.answered {
		r.step = &step{names: make(map[string]int)}
	}
	r.step.calls++
	r.step.names[c.name]++
	c.step, c.number = r.step, r.step.calls
	if isSound && p.Name == r.m.opts.Lazy.name() {
		input := inputOf(p.Input)
		c.load = sync.OnceValue(func() string { return r.m.Load(input) })
	}
	r.written++
	all := r.calls[p.ID]
	if last := len(r.out) - 1; all == nil || all.message != last {
		all = &calls{message: last}
		r.calls[p.ID] = all
	}
	all.list = append(all.list, c)
}

// answered returns the call that a result with the ID belongs to. If several calls have the ID, it
// is the first without a result.
func (r *rewriter) answered(id string) (c called) {
	all := r.calls[id]
	if all == nil {
		return c
	}
	c = all.list[0]
	c.step.answered = true
	if len(all.list) > 1 {
		all.list = all.list[1:]
		all.several = true
	}
	isUnknown := id == "" || all.several
	if isUnknown || c.step.names[c.name] < 2 { // then the name is enough
		c.number = 0
	}
	return c
}

// unwritable returns what replaces a call that cannot be written: words without tags, with all of
// the call's content.
func (m *Manual) unwritable(p *Part) string {
	lines := strings.Split(string(inputOf(p.Input)), "\n")
	for i, line := range lines {
		lines[i] = unseen.Escape(line)
	}
	name := unseen.Escape(string(rawjson.Quote(p.Name)))
	return m.guard.Neutralize(fmt.Sprintf(notWellFormed, name, strings.Join(lines, "\n")))
}
