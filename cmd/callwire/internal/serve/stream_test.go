package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol/protocoltest"
	"github.com/callwire/callwire/corpus"
)

// TestStreamCorpus asks for every text of the corpus at several cuts: the
// events, joined, are those that parse gives.
func TestStreamCorpus(t *testing.T) {
	type question struct {
		id   string
		want []corpus.Event
		cuts []int
	}
	var (
		requests  strings.Builder
		questions []question
	)
	for i, c := range corpus.Cases() {
		if c.Op != corpus.Parse {
			continue
		}
		n := len(c.Text)
		bytewise := make([]int, n)
		for i := range bytewise {
			bytewise[i] = i
		}
		for _, cuts := range [][]int{{}, {0, n / 2, n / 2, n}, {n / 3, 2 * n / 3}, bytewise}[i%2*2:][:2] {
			r := map[string]any{"seq": len(questions), "op": "stream", "options": c.Options, "text": append(corpus.Bytes{}, c.Text...), "cuts": cuts}
			if c.Tools != nil {
				r["tools"] = c.Tools
			}
			fmt.Fprintln(&requests, protocoltest.JSON(t, r))
			questions = append(questions, question{c.ID, c.Want.Events, cuts})
		}
	}
	got := talk(t, requests.String())
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != len(questions) {
		t.Fatalf("%d answers to %d requests", len(lines), len(questions))
	}
	for i, q := range questions {
		var answer struct {
			Seq     int
			Batches [][]protocol.StreamEvent
		}
		if err := json.Unmarshal([]byte(lines[i]), &answer); err != nil || answer.Seq != i || len(answer.Batches) != len(q.cuts)+2 {
			t.Fatalf("%s cut at %v: %v: %s", q.id, q.cuts, err, lines[i])
		}
		events, err := protocoltest.Join(slices.Concat(answer.Batches...))
		if err != nil {
			t.Errorf("%s cut at %v: %v", q.id, q.cuts, err)
		} else if diff := cmp.Diff(q.want, events); diff != "" {
			t.Errorf("%s cut at %v (-want +got)\n%s", q.id, q.cuts, diff)
		}
	}
}

// TestFeed feeds two streams at once, by turns, and takes one of them back
// to its beginning.
func TestFeed(t *testing.T) {
	said := [][2]string{
		{`{"cmd":"hello","protocol":2,"min":1}`, `{"protocol":2,"name":"callwire","version":"` + version + `","spec":"1.0","ops":["parse","stream","format","sig","manual","feed"]}`},
		{`{"cmd":"hello","protocol":9,"min":3}`, `{"seq":null,"error":{"code":"bad-request","message":"this speaks the protocols 1 to 2, not 9; say hello with 2"}}`},
		{`{"seq":1,"op":"feed","id":"a","text":"hi <ca"}`, `{"seq":1,"events":[{"type":"text-start"},{"type":"text-delta","text":"hi "}]}`},
		{`{"seq":2,"op":"feed","id":"b","delims":{"open":"((","close":"))"},"options":{"strict":true},"text":"(("}`, `{"seq":2,"events":[]}`},
		{`{"seq":3,"op":"feed","id":"a","text":"ll>t</cal"}`, `{"seq":3,"events":[]}`},
		{`{"seq":4,"op":"reset","id":"b"}`, `{"seq":4,"events":[]}`},
		{`{"seq":5,"op":"feed","id":"b","text":"t a "}`, `{"seq":5,"events":[{"type":"text-start"},{"type":"text-delta","text":"t a "}]}`},
		{`{"seq":6,"op":"feed","id":"b","text":"x","repeat":{"start":0,"end":1,"times":3}}`, `{"seq":6,"events":[{"type":"text-delta","text":"xxx"}]}`},
		{`{"seq":7,"op":"close","id":"b"}`, `{"seq":7,"events":[{"type":"text-end"}]}`},
		{`{"seq":8,"op":"close","id":"a"}`, `{"seq":8,"events":[{"type":"text-end"},{"type":"malformed","start":3,"end":15,"code":"unterminated-call","at":15,"closed":false}]}`},
		{`{"seq":9,"op":"parse","text":"<call>t x</call>","delims":{"open":"<call>","close":"</call>"},"protocol":"callwire","repeat":{"start":7,"end":8,"times":0}}`,
			`{"seq":9,"events":[{"type":"tool-call","start":0,"end":15,"name":"tx","input":"{}"}]}`},
		{`{"seq":10,"op":"parse","text":"<tool_call>{\"name\":\"t\"}</tool_call>","options":{"protocol":"hermes"}}`,
			`{"seq":10,"events":[{"type":"tool-call","start":0,"end":35,"name":"t","input":"{}"}]}`},
		{`{"seq":11,"op":"format","name":"t","input":"{}","delims":{"open":"((","close":"))"}}`, `{"seq":11,"text":"((t))"}`},
	}
	var requests, want strings.Builder
	for _, line := range said {
		requests.WriteString(line[0] + "\n")
		want.WriteString(line[1] + "\n")
	}
	if diff := cmp.Diff(want.String(), talk(t, requests.String())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, request := range []string{
		`"op":"feed","text":"x"`,
		`"op":"parse","text":"","protocol":"none"`,
		`"op":"format","name":"t","input":"{}","protocol":"hermes","options":{"protocol":"wire"}`,
		`"op":"feed","id":"a"`,
		`"op":"feed","id":7,"text":"x"`,
		`"op":"close","id":"a"`,
		`"op":"reset"`,
		`"op":"feed","id":"a","text":"x","tools":7`,
		`"op":"feed","id":"a","text":"x","delims":{"open":"a","close":"b"}`,
		`"op":"feed","id":"a","text":"x","repeat":{"start":0,"end":2,"times":1}`,
		`"op":"feed","id":"a","text":"x","repeat":{"start":0,"end":1,"times":999999999999}`,
		`"op":"parse","text":"x","repeat":{"start":1,"end":0,"times":1}`,
	} {
		if got := talk(t, `{"seq":1,`+request+"}\n"); !strings.HasPrefix(got, `{"seq":1,"error":{"code":"bad-request"`) {
			t.Errorf("%s is answered with %s", request, got)
		}
	}
	begun := talk(t, `{"seq":1,"op":"feed","id":"a","text":""}`+"\n"+`{"seq":2,"op":"feed","id":"a","text":"","options":{"strict":true}}`+"\n")
	if !strings.Contains(begun, "has begun") {
		t.Errorf("options of a stream that has begun: %s", begun)
	}
}
