package runner

import (
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// Questions yields questions that no case asks, without end: changed texts of the corpus and
// texts of random pieces, under the options and tools of the corpus. The same seed gives the
// same questions.
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
var pieces = strings.Fields(`<call> </call> <call>t </call>x t a a. =1 =x ="x" ='y'
	="" = a=1 b=true a.b=2 a= [ ] { } [1,"x"] {"a":1} {"b":[true]}
	"a": , : \ \" \u0041 é 😀 null 1.0 1e3 -0 007 "1" "[1]" <ca </c`)

func (m *maker) pick(list []string) string { return list[m.random.IntN(len(list))] }

func (m *maker) question() Question {
	from := m.cases[m.random.IntN(len(m.cases))]
	q := Question{Tools: from.Tools, Options: from.Options, Text: string(from.Text)}
	if m.random.IntN(2) == 0 { // a text that was changed
		for range 1 + m.random.IntN(3) {
			at := m.random.IntN(len(q.Text) + 1)
			to := min(len(q.Text), at+m.random.IntN(3))
			q.Text = q.Text[:at] + m.pick(pieces) + q.Text[to:]
		}
	} else { // a text of pieces
		q.Text = "<call>t"
		for range 1 + m.random.IntN(6) {
			q.Text += m.pick([]string{" ", "", " ", "\n"}) + m.pick(pieces)
		}
		q.Text += "</call>"
	}
	return q
}
