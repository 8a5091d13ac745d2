package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// A Question is a text that implementations are asked to read.
type Question struct {
	Tools   json.RawMessage // nil where there is no catalogue
	Options corpus.Options
	Text    string
}

// A Difference is a question that implementations answer differently, as small as
// it could be made.
type Difference struct {
	Question
	Answers [][]string // of each implementation, an event in a line
}

// Differ asks implementations the same questions, which are made at random of the
// texts of the corpus and of schemas, and returns where they differ. Ones that
// skip or refuse a question are not compared in it. The same seed gives the same
// questions.
func Differ(ctx context.Context, commands [][]string, questions int, seed uint64, config Config) ([]Difference, error) {
	if len(commands) < 2 {
		return nil, errors.New("a comparison needs two commands")
	}
	config.setDefaults()
	d := &differ{ctx: ctx}
	defer d.end()
	for _, command := range commands {
		one := config
		one.Command = command
		child, _, err := greet(ctx, &one)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
		}
		d.children = append(d.children, child)
		d.configs = append(d.configs, one)
	}
	m := newMaker(seed)
	var found []Difference
	for range questions {
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		q := m.question()
		answers, differ, err := d.ask(q)
		if err != nil {
			return found, err
		}
		if !differ {
			continue
		}
		q, answers = d.shrink(q, answers)
		if !slices.ContainsFunc(found, func(f Difference) bool { return f.Text == q.Text && string(f.Tools) == string(q.Tools) }) {
			found = append(found, Difference{q, answers})
		}
		if len(found) == mostOfAll {
			return found, nil
		}
	}
	return found, nil
}

type differ struct {
	ctx      context.Context
	children []*child
	configs  []Config
}

func (d *differ) end() {
	for _, c := range d.children {
		if c != nil {
			c.kill()
		}
	}
}

// ask asks all, and reports whether they differ.
func (d *differ) ask(q Question) (answers [][]string, differ bool, err error) {
	c := corpus.Case{Op: corpus.Parse, Tools: q.Tools, Options: q.Options, Text: corpus.Bytes(q.Text)}
	r := request{op: opParse, body: body(&c, false)}
	var first []corpus.Event
	compared := 0
	for i := range d.children {
		var events []corpus.Event
		told, err := d.read(i, r, &events)
		if err != nil {
			return nil, false, err
		}
		answers = append(answers, told)
		if events == nil {
			continue
		}
		if repaired(events) {
			return nil, false, nil // a reader of core may leave repairs out
		}
		if compared++; compared == 1 {
			first = events
		} else if c.Want.Events = first; judgeEvents(&c, events).what != "" {
			differ = true
		}
	}
	return answers, differ, nil
}

// repaired reports whether a value was repaired, as the extended level does.
func repaired(events []corpus.Event) bool {
	return slices.ContainsFunc(events, func(e corpus.Event) bool {
		return e.Code == "coerced" || slices.ContainsFunc(e.Issues, func(i corpus.Issue) bool { return i.Code == "coerced" })
	})
}

// read asks one. Without events it has not answered the question; a child that
// breaks down is started again.
func (d *differ) read(i int, r request, events *[]corpus.Event) (told []string, err error) {
	if d.children[i] == nil {
		if d.children[i], _, err = greet(d.ctx, &d.configs[i]); err != nil {
			return nil, err
		}
	}
	_, broken := d.children[i].exchange([]request{r}, func(_, seq int, line []byte) error {
		a, v, err := decodeAnswer(r, seq, line, false)
		switch {
		case err != nil:
			return err
		case v.what != "" || a.Events == nil || !settle(a.Events):
			*events, told = nil, []string{excerpt(string(line), 200)}
		default:
			*events = eventsOf(a.Events)
			told = lines(*events)
		}
		return nil
	})
	if broken != nil {
		d.children[i].kill()
		d.children[i] = nil
		*events = []corpus.Event{} // an answer like no other
		return []string{broken.Error()}, d.ctx.Err()
	}
	return told, nil
}

// shrink makes a question small that is answered differently.
func (d *differ) shrink(q Question, answers [][]string) (Question, [][]string) {
	differs := func(smaller Question) bool {
		again, differ, err := d.ask(smaller)
		if err == nil && differ {
			q, answers = smaller, again
			return true
		}
		return false
	}
	if q.Options != (corpus.Options{}) {
		smaller := q
		smaller.Options = corpus.Options{}
		differs(smaller)
	}
	if q.Tools != nil {
		smaller := q
		smaller.Tools = nil
		differs(smaller)
	}
	for size := len(q.Text) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(q.Text); {
			smaller := q
			if smaller.Text = q.Text[:at] + q.Text[at+size:]; !differs(smaller) {
				at += size
			}
		}
	}
	var tools []map[string]any
	if q.Tools == nil || json.Unmarshal(q.Tools, &tools) != nil {
		return q, answers
	}
	for _, tool := range tools {
		for again := true; again; {
			again = false
			schema := tool["inputSchema"]
			for _, tool["inputSchema"] = range smallerJSON(schema) {
				data, err := json.Marshal(tools)
				next := q
				if next.Tools = data; err == nil && differs(next) {
					again = true
					break
				}
			}
			if !again {
				tool["inputSchema"] = schema
			}
		}
	}
	return q, answers
}

// smallerJSON returns a value with one member or element less, at any place.
func smallerJSON(v any) (all []any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			without := map[string]any{}
			for k, member := range v {
				if k != key {
					without[k] = member
				}
			}
			all = append(all, without)
		}
		for _, key := range sortedKeys(v) {
			for _, smaller := range smallerJSON(v[key]) {
				with := map[string]any{}
				for k, member := range v {
					with[k] = member
				}
				with[key] = smaller
				all = append(all, with)
			}
		}
	case []any:
		for i := range v {
			if len(v) > 1 { // an enum has a member
				all = append(all, slices.Delete(slices.Clone(v), i, i+1))
			}
		}
		for i := range v {
			for _, smaller := range smallerJSON(v[i]) {
				with := slices.Clone(v)
				with[i] = smaller
				all = append(all, with)
			}
		}
	}
	return all
}

// A maker makes questions.
type maker struct {
	random *rand.Rand
	cases  []corpus.Case // to begin from
}

func newMaker(seed uint64) *maker {
	m := &maker{random: rand.New(rand.NewPCG(seed, 0x5eed))}
	for _, c := range corpus.Cases() {
		if c.Op == corpus.Parse && c.Level == corpus.Core && len(c.Text) < 200 {
			m.cases = append(m.cases, c)
		}
	}
	return m
}

// pieces are what texts are made of.
var pieces = strings.Fields(`<call> </call> <call>t </call>x t a a. =1 =x ="x" ='y' ="" = a=1 b=true a.b=2 a= [ ] { } [1,"x"] {"a":1} {"b":[true]} "a": , : \ \" \u0041 é 😀 null 1.0 1e3 -0 007 "1" "[1]" <ca </c`)

func (m *maker) pick(list []string) string { return list[m.random.IntN(len(list))] }

func (m *maker) question() Question {
	from := m.cases[m.random.IntN(len(m.cases))]
	q := Question{Tools: from.Tools, Options: from.Options, Text: string(from.Text)}
	switch m.random.IntN(3) {
	case 0: // a text that was changed
		for range 1 + m.random.IntN(3) {
			at := m.random.IntN(len(q.Text) + 1)
			to := min(len(q.Text), at+m.random.IntN(3))
			q.Text = q.Text[:at] + m.pick(pieces) + q.Text[to:]
		}
	case 1: // a text of pieces
		q.Text = "<call>t"
		for range 1 + m.random.IntN(6) {
			q.Text += m.pick([]string{" ", "", " ", "\n"}) + m.pick(pieces)
		}
		q.Text += "</call>"
	default: // a sound call under a schema that was made up
		schema := map[string]any{"type": "object", "properties": map[string]any{"a": m.schema(3), "b": m.schema(2)}}
		if m.random.IntN(3) == 0 {
			schema["required"] = []string{"a"}
		}
		if m.random.IntN(4) == 0 {
			schema["additionalProperties"] = m.random.IntN(2) == 0
		}
		if m.random.IntN(8) == 0 {
			schema["type"] = m.pick(typeNames)
		}
		q.Tools, _ = json.Marshal([]any{map[string]any{"name": "t", "inputSchema": schema}}) // it is made of JSON
		q.Options = corpus.Options{}
		q.Text = "<call>t" + m.pick([]string{" a=", " b=", " a.b=", " a.a="}) + m.value(2) + m.pick([]string{"", " b=" + m.value(1), ` {"a":1}`}) + "</call>"
		if m.random.IntN(4) == 0 {
			q.Text = `<call>t {"a":` + m.json(2) + `,"b":` + m.json(1) + `}</call>`
		}
	}
	return q
}

var scalars = []string{"1", "x", "true", "null", "1.5", "2e0", `"1"`, `"x"`, `"true"`, `"null"`, "-0", "é"}

func (m *maker) value(depth int) string {
	if depth == 0 || m.random.IntN(2) == 0 {
		return m.pick(scalars)
	}
	return m.json(depth)
}

// json is a value that is JSON.
func (m *maker) json(depth int) string {
	switch n := m.random.IntN(4); {
	case depth > 0 && n == 0:
		return "[" + m.json(depth-1) + "," + m.json(depth-1) + "]"
	case depth > 0 && n == 1:
		return `{"a":` + m.json(depth-1) + `,"b":` + m.json(depth-1) + "}"
	}
	return m.pick([]string{"1", "true", "null", "1.5", `"1"`, `"x"`, `"true"`, "[]", "{}"})
}

var typeNames = []string{"string", "integer", "number", "boolean", "null", "array", "object"}

func (m *maker) schema(depth int) any {
	s := map[string]any{}
	if m.random.IntN(4) > 0 {
		s["type"] = m.pick(typeNames)
		if m.random.IntN(4) == 0 {
			s["type"] = []string{m.pick(typeNames), m.pick(typeNames)}
		}
	}
	if m.random.IntN(5) == 0 {
		s["enum"] = []any{"x", 1, true, nil, "1"}[m.random.IntN(3):]
	}
	if m.random.IntN(8) == 0 {
		s["const"] = []any{"x", 1, "1", false}[m.random.IntN(4)]
	}
	if m.random.IntN(8) == 0 {
		s["nullable"] = true
	}
	if depth > 0 {
		if m.random.IntN(3) == 0 {
			s["properties"] = map[string]any{"a": m.schema(depth - 1), "b": m.schema(depth - 1)}
		}
		if m.random.IntN(4) == 0 {
			s["items"] = m.schema(depth - 1)
			if m.random.IntN(4) == 0 {
				s["items"] = false
			}
		}
		if m.random.IntN(6) == 0 {
			s[m.pick([]string{"anyOf", "oneOf", "allOf"})] = []any{m.schema(depth - 1), m.schema(depth - 1)}
		}
	}
	return s
}

// setDefaults gives what is zero its default.
func (c *Config) setDefaults() {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.StartTimeout <= 0 {
		c.StartTimeout = DefaultStartTimeout
	}
	if c.MaxLine <= 0 {
		c.MaxLine = DefaultMaxLine
	}
	if c.Protocol <= 0 {
		c.Protocol = Protocol
	}
}
