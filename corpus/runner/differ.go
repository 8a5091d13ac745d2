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
	d := differ{ctx: ctx, config: config, commands: commands,
		children: make([]*child, len(commands))}
	defer d.end()
	var found []Difference
	for q := range questions {
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		answers, differ, err := d.ask(q)
		if err != nil {
			return found, err
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

// A differ has a child of each implementation, nil before the first question and after a breakdown.
type differ struct {
	ctx      context.Context
	config   Config
	commands [][]string
	children []*child
}

func (d *differ) end() {
	for _, c := range d.children {
		if c != nil {
			c.end(0)
		}
	}
}

// ask asks all implementations, and reports whether their answers differ.
func (d *differ) ask(q Question) (answers [][]string, differ bool, err error) {
	setting := corpus.Setting{Tools: q.Tools, Options: q.Options}
	c := corpus.Case{Op: corpus.Parse, Setting: setting, Text: corpus.Bytes(q.Text)}
	for i := range d.children {
		events, shown, err := d.read(i, &c)
		if err != nil {
			return nil, false, err
		}
		answers = append(answers, shown)
		switch {
		case events == nil:
		case repaired(events):
			return nil, false, nil // a reader of the core level may leave repairs out
		case c.Want.Events == nil:
			c.Want.Events = events
		default:
			differ = differ || judgeEvents(&c, events).What != ""
		}
	}
	return answers, differ, nil
}

// repaired reports whether a value was converted, as the extended level does.
func repaired(events []corpus.Event) bool {
	const coerced = "coerced"
	return slices.ContainsFunc(events, func(e corpus.Event) bool {
		isCoerced := func(i corpus.Issue) bool { return i.Code == coerced }
		return e.Code == coerced || slices.ContainsFunc(e.Issues, isCoerced)
	})
}

// read asks one implementation. The events are nil if it doesn't answer the question. A breakdown
// counts as an answer that differs from all others, and the child is started again.
func (d *differ) read(i int, c *corpus.Case) (events []corpus.Event, shown []string, err error) {
	if d.children[i] == nil {
		one := d.config
		one.Command = d.commands[i]
		d.children[i], _, err = start(d.ctx, &one)
		if err != nil {
			err = fmt.Errorf("%s: %w", strings.Join(one.Command, " "), withStderr(err))
			return nil, nil, err
		}
	}
	d.children[i].send(c.Request())
	a, faults, down := d.children[i].receive(c.Op)
	switch {
	case down != nil:
		d.children[i] = nil
		return []corpus.Event{}, []string{down.What}, d.ctx.Err()
	case len(faults) > 0:
		return nil, faults, nil
	case a.Error != nil:
		return nil, []string{"error " + a.Error.Code + ": " + a.Error.Message}, nil
	case a.Skip != "":
		return nil, []string{"skip: " + a.Skip}, nil
	}
	return a.Events, lines(a.Events), nil
}

// shrink makes a question small while the answers still differ.
func (d *differ) shrink(found Difference) Difference {
	differs := func(smaller Question) bool {
		answers, differ, err := d.ask(smaller)
		if err == nil && differ {
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
