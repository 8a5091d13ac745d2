package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// A Question is a text that implementations are asked to read.
type Question struct {
	Tools   json.RawMessage // nil if there is no catalog
	Options corpus.Options
	Text    string
}

// A Difference is a question that implementations answer differently, as small as it
// could be made.
type Difference struct {
	Question
	Answers [][]string // of each implementation, an event in each line
}

// Differ asks implementations the same questions and returns those that they answer
// differently, at most 20. An implementation that skips or refuses a question isn't
// compared in it.
func Differ(ctx context.Context, commands [][]string, questions iter.Seq[Question],
	config Config) ([]Difference, error) {
	if len(commands) < 2 {
		return nil, errors.New("a comparison needs two commands")
	}
	config.setDefaults()
	var d differ
	for _, command := range commands {
		one := config
		one.Command = command
		c := &child{ctx: ctx, config: &one}
		_, err := c.start()
		switch {
		case ctx.Err() != nil:
			return nil, errInterrupted
		case err != nil:
			return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
		}
		defer c.end(0)
		d = append(d, c)
	}
	var found []Difference
	for q := range questions {
		answers, differ := d.ask(q)
		if ctx.Err() != nil {
			return found, errInterrupted
		}
		if !differ {
			continue
		}
		smallest := d.shrink(Difference{q, answers})
		known := func(f Difference) bool {
			return f.Text == smallest.Text && string(f.Tools) == string(smallest.Tools)
		}
		if !slices.ContainsFunc(found, known) {
			found = append(found, smallest)
		}
		if len(found) == mostOfAll {
			break
		}
	}
	return found, nil
}

var errInterrupted = errors.New("the comparison was interrupted")

// A differ has a child for each implementation.
type differ []*child

// ask asks all implementations, and reports whether their answers differ. A breakdown counts as an
// answer that differs from all others.
func (d differ) ask(q Question) (shown [][]string, differ bool) {
	setting := corpus.Setting{Tools: q.Tools, Options: q.Options}
	c := corpus.Case{Op: corpus.Parse, Setting: setting, Text: corpus.Bytes(q.Text)}
	for _, one := range d {
		var answers []answer
		var broken *Failure
		request := []corpus.Request{c.Request()}
		for answers, broken = range one.ask(false, one.config.Timeout, request) {
			if broken != nil {
				answers = []answer{{faults: []string{broken.What}}}
			}
		}
		a := &answers[0]
		events, text := a.Events, lines(a.Events) // no events if it doesn't answer the question
		switch {
		case broken != nil:
			events, text = []corpus.Event{}, a.faults
		case len(a.faults) > 0:
			events, text = nil, a.faults
		case a.Error != nil:
			text = []string{"error " + a.Error.Code + ": " + a.Error.Message}
		case a.Skip != "":
			text = []string{"skip: " + a.Skip}
		}
		shown = append(shown, text)
		switch {
		case events == nil:
		case repaired(events):
			return nil, false // a reader of the core level may leave repairs out
		case c.Want.Events == nil:
			c.Want.Events = events
		default:
			differ = differ || judgeEvents(&c, events).What != ""
		}
	}
	return shown, differ
}

// repaired reports whether a value was converted, as the extended level does.
func repaired(events []corpus.Event) bool {
	const coerced = "coerced"
	return slices.ContainsFunc(events, func(e corpus.Event) bool {
		isCoerced := func(i corpus.Issue) bool { return i.Code == coerced }
		return e.Code == coerced || slices.ContainsFunc(e.Issues, isCoerced)
	})
}

// shrink makes a question small while the answers still differ.
func (d differ) shrink(found Difference) Difference {
	differs := func(smaller Question) bool {
		answers, differ := d.ask(smaller)
		if differ && d[0].ctx.Err() == nil {
			found = Difference{smaller, answers}
			return true
		}
		return false
	}
	differs(Question{Tools: found.Tools, Text: found.Text})
	differs(Question{Options: found.Options, Text: found.Text})
	shrink([]byte(found.Text), func(text []byte) bool {
		smaller := found.Question
		smaller.Text = string(text)
		return differs(smaller)
	})
	return found
}
