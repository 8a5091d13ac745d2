package runner

import (
	"encoding/json"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// Questions yields questions that no case asks, without end: changed texts of the corpus,
// texts of random pieces, and calls under random schemas. The same seed gives the same
// questions.
func Questions(seed uint64) iter.Seq[Question] {
	m := newMaker(seed)
	return func(yield func(Question) bool) {
		for yield(m.question()) {
		}
	}
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
