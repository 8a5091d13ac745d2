package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
)

// join returns the events of a stream as parse would give them, and checks on
// the way that each stands where it may.
func join(events []protocol.StreamEvent) ([]corpus.Event, error) {
	joined := []corpus.Event{}
	var (
		text   *corpus.Event
		mind   *corpus.Event // reasoning
		pos    int
		call   protocol.StreamEvent // the one that has begun
		input  string               // its deltas
		before string               // the type of the event before
	)
	for i, e := range events {
		ok := false
		switch e.Type {
		case "text-start":
			ok = text == nil && call.ID == "" && e.ID == ""
			text = &corpus.Event{Type: corpus.TextEvent, Start: pos}
		case "text-delta":
			ok = text != nil && len(e.Text) > 0 && e.ID == ""
			if ok {
				text.Text = append(text.Text, e.Text...)
			}
		case "text-end":
			ok = text != nil && len(text.Text) > 0 && e.ID == ""
			if ok {
				pos += len(text.Text)
				text.End = pos
				joined = append(joined, *text)
				text = nil
			}
		case "reasoning-start":
			ok = text == nil && mind == nil && call.ID == "" && e.ID == "" && e.Start == pos
			mind, pos = &corpus.Event{Type: corpus.ReasoningEvent, Start: e.Start, Text: corpus.Bytes{}}, e.End
		case "reasoning-delta":
			ok = mind != nil && len(e.Text) > 0 && e.ID == ""
			if ok {
				mind.Text = append(mind.Text, e.Text...)
			}
		case "reasoning-end":
			ok = mind != nil && e.Start >= pos && e.ID == ""
			if ok {
				mind.End, pos = e.End, e.End
				joined = append(joined, *mind)
				mind = nil
			}
		case "tool-input-start":
			ok = text == nil && mind == nil && call.ID == "" && e.ID != "" && e.Name != ""
			call, input = e, ""
		case "tool-input-delta":
			ok = call.ID != "" && e.ID == call.ID && *e.Delta != ""
			input += *e.Delta
		case "tool-input-end":
			ok = call.ID != "" && e.ID == call.ID
		case "tool-call":
			ok = before == "tool-input-end" && e.ID == call.ID && e.Name == call.Name && e.Input == input && e.Start == pos
			c := corpus.Event{Type: e.Type, Start: e.Start, End: e.End, Name: e.Name, Input: e.Input, AfterMalformed: e.AfterMalformed}
			for _, issue := range e.Issues {
				c.Issues = append(c.Issues, corpus.Issue(issue))
			}
			joined = append(joined, c)
			call, pos = protocol.StreamEvent{}, e.End
		case "malformed":
			ok = text == nil && before != "tool-input-end" && e.ID == call.ID && e.Start == pos
			joined = append(joined, corpus.Event{Type: e.Type, Start: e.Start, End: e.End, Code: e.Code, At: e.At, Closed: e.Closed})
			call, pos = protocol.StreamEvent{}, e.End
		}
		if !ok {
			return nil, fmt.Errorf("event %d should not stand there: %+v", i, e)
		}
		before = e.Type
	}
	if text != nil || mind != nil || call.ID != "" {
		return nil, fmt.Errorf("the last %s has no end", before)
	}
	return joined, nil
}

// TestServeStreamCorpus asks for every text of the corpus at several cuts: the
// events, joined, are those that parse gives.
func TestServeStreamCorpus(t *testing.T) {
	type question struct {
		id   string
		want []corpus.Event
		cuts []int
	}
	var (
		requests  strings.Builder
		questions []question
	)
	for _, c := range parseCases() {
		n := len(c.Text)
		bytewise := make([]int, n)
		for i := range bytewise {
			bytewise[i] = i
		}
		for _, cuts := range [][]int{{}, {0, n / 2, n / 2, n}, {n / 3, 2 * n / 3}, bytewise} {
			r := map[string]any{"seq": len(questions), "op": "stream", "options": c.Options, "text": append(corpus.Bytes{}, c.Text...), "cuts": cuts}
			if c.Tools != nil {
				r["tools"] = c.Tools
			}
			fmt.Fprintln(&requests, jsonOf(t, r))
			questions = append(questions, question{c.ID, c.Want.Events, cuts})
		}
	}
	got := callwire(requests.String(), "serve")
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if got.code != exitOK || got.stderr != "" || len(lines) != len(questions) {
		t.Fatalf("code %d, %d answers to %d requests: %s", got.code, len(lines), len(questions), got.stderr)
	}
	for i, q := range questions {
		var answer struct {
			Seq     int
			Batches [][]protocol.StreamEvent
		}
		if err := json.Unmarshal([]byte(lines[i]), &answer); err != nil || answer.Seq != i || len(answer.Batches) != len(q.cuts)+2 {
			t.Fatalf("%s cut at %v: %v: %s", q.id, q.cuts, err, lines[i])
		}
		events, err := join(slices.Concat(answer.Batches...))
		if err != nil {
			t.Errorf("%s cut at %v: %v", q.id, q.cuts, err)
		} else if diff := cmp.Diff(q.want, events); diff != "" {
			t.Errorf("%s cut at %v (-want +got)\n%s", q.id, q.cuts, diff)
		}
	}
}

// TestServeFeed feeds two streams at once, by turns, and takes one of them back
// to its beginning.
func TestServeFeed(t *testing.T) {
	talk := [][2]string{
		{`{"cmd":"hello","protocol":2,"min":1}`, `{"protocol":2,"name":"callwire","version":"` + release() + `","spec":"1.0","ops":["parse","stream","format","sig","manual","feed"]}`},
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
	for _, line := range talk {
		requests.WriteString(line[0] + "\n")
		want.WriteString(line[1] + "\n")
	}
	if diff := cmp.Diff(want.String(), callwire(requests.String(), "serve").stdout); diff != "" {
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
		if got := callwire(`{"seq":1,`+request+"}\n", "serve"); !strings.HasPrefix(got.stdout, `{"seq":1,"error":{"code":"bad-request"`) {
			t.Errorf("%s is answered with %s", request, got.stdout)
		}
	}
	begun := callwire(`{"seq":1,"op":"feed","id":"a","text":""}`+"\n"+`{"seq":2,"op":"feed","id":"a","text":"","options":{"strict":true}}`+"\n", "serve")
	if !strings.Contains(begun.stdout, "has begun") {
		t.Errorf("options of a stream that has begun: %s", begun.stdout)
	}
}
