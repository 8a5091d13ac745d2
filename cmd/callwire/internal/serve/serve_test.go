package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/callwire/callwire/corpus"
)

// talk returns the answers to requests.
func talk(t testing.TB, requests string) string {
	t.Helper()
	var out strings.Builder
	if err := New(strings.NewReader(requests), &out, "v1.2.3").Serve(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A conversation collects requests and reads the answers to them.
type conversation struct {
	requests bytes.Buffer
	ops      []string
}

// ask adds a request; more are its other members, each after a comma.
func (c *conversation) ask(op, more string) {
	fmt.Fprintf(&c.requests, `{"seq":%d,"op":"%s"%s}`+"\n", len(c.ops), op, more)
	c.ops = append(c.ops, op)
}

// members returns the members of a request besides its op, each after a comma.
func members(t testing.TB, r corpus.Request) string {
	t.Helper()
	r.Op = ""
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(","+strings.TrimSuffix(string(data[1:]), "}"), ",")
}

// answers returns the answer to each request. Their shape is that of the protocol.
func (c *conversation) answers(t *testing.T) []corpus.Answer {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(talk(t, c.requests.String())), "\n")
	if len(lines) != len(c.ops) {
		t.Fatalf("%d answers to %d requests", len(lines), len(c.ops))
	}
	all := make([]corpus.Answer, len(lines))
	for i, line := range lines {
		a, faults := corpus.ReadAnswer(c.ops[i], []byte(line), true)
		if len(faults) > 0 || string(a.Seq) != strconv.Itoa(i) {
			t.Fatalf("answer %d: %s: %s", i, line, faults)
		}
		all[i] = a
	}
	return all
}

// TestCorpus asks for every case of the corpus in one conversation.
func TestCorpus(t *testing.T) {
	cases := append(corpus.Cases(), corpus.ProtocolCases()...)
	var talk conversation
	for _, c := range cases {
		r := c.Request()
		talk.ask(c.Op, members(t, r))
	}
	for i, a := range talk.answers(t) {
		c, got := cases[i], corpus.Want{Events: a.Events, Text: string(a.Text), Lines: a.Lines}
		hideIDs(got.Events, c.Want.Events)
		if a.Error != nil {
			got.Error = &corpus.Refusal{Code: a.Error.Code}
		}
		ignored := cmpopts.IgnoreFields(corpus.Want{}, "After")
		if diff := cmp.Diff(c.Want, got, ignored, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.ID, diff)
		}
	}
}

// TestStreams feeds every text of the corpus at several cuts: the events, joined, are those
// of the whole text.
func TestStreams(t *testing.T) {
	for i, c := range corpus.Cases() {
		if c.Op != corpus.Parse {
			continue
		}
		n := len(c.Text)
		for _, cuts := range [][]int{{}, {0, n / 2, n / 2, n}, {n / 3, 2 * n / 3}, corpus.Every(1, 1, n)}[i%2*2:][:2] {
			var talk conversation
			r := c.Request()
			more, start := members(t, corpus.Request{ID: "a", Setting: r.Setting}), 0
			for _, cut := range append(slices.Clone(cuts), n) {
				chunk, err := c.Text[start:cut].MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				talk.ask(corpus.Feed, more+`,"text":`+string(chunk))
				start, more = cut, `,"id":"a"`
			}
			talk.ask(corpus.Close, `,"id":"a"`)
			var j corpus.Joiner
			for _, a := range talk.answers(t) {
				for i := range a.Events {
					if _, err := j.Add(&a.Events[i]); err != nil {
						t.Errorf("%s cut at %v: %v", c.ID, cuts, err)
					}
				}
			}
			hideIDs(j.Events, c.Want.Events)
			if diff := cmp.Diff(c.Want.Events, j.Events, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s cut at %v: (-want +got)\n%s", c.ID, cuts, diff)
			}
			if _, err := j.Close(); err != nil {
				t.Errorf("%s cut at %v: %v", c.ID, cuts, err)
			}
		}
	}
}

// hideIDs removes the IDs of events where the wanted ones have none: those of streams.
func hideIDs(events, want []corpus.Event) {
	for i := range min(len(events), len(want)) {
		if want[i].ID == "" {
			events[i].ID = ""
		}
	}
}

// TestRefusals sends requests that cannot be understood: each is answered with its number,
// if that can be read, and a message.
func TestRefusals(t *testing.T) {
	for request, seq := range map[string]string{
		`[]`:                                    `null`,
		`7`:                                     `null`,
		`null`:                                  `null`,
		`{`:                                     `null`,
		`{}`:                                    `null`,
		"{\"seq\":1,\"op\":\"\xff\"}":           `1`,
		`{"seq":1}`:                             `1`,
		`{"seq":1,"op":7}`:                      `1`,
		`{"seq":1,"op":"parse","text":7}`:       `1`,
		`{"seq":1,"op":"parse","text":null}`:    `1`,
		`{"seq":1,"op":"parse","text":{"b":1}}`: `1`,
		`{"seq":1,"op":"parse","text":{"b64":"?"}}`:                                                         `1`,
		`{"seq":1,"op":"parse","text":"","tools":7}`:                                                        `1`,
		`{"seq":1,"op":"parse","text":"","options":{"limits":{"byte":1}}}`:                                  `1`,
		`{"seq":1,"op":"parse","text":"","options":{"limits":{"bytes":""}}}`:                                `1`,
		`{"seq":1,"op":"parse","text":"x","repeat":{"start":1,"end":0,"times":1}}`:                          `1`,
		`{"seq":1,"op":"format","name":"t"}`:                                                                `1`,
		`{"seq":1,"op":"format","input":"{}"}`:                                                              `1`,
		`{"seq":1,"op":"format","name":"t","input":{}}`:                                                     `1`,
		`{"seq":1,"op":"format","name":"t","input":"{}","protocol":"hermes","options":{"protocol":"wire"}}`: `1`,
		`{"seq":1,"op":"feed","id":7,"text":"x"}`:                                                           `1`,
		`{"seq":1,"op":"feed","id":"a","text":"x","tools":7}`:                                               `1`,
		`{"seq":1,"op":"feed","id":"a","text":"x","delims":{"open":"a","close":"b"}}`:                       `1`,
		`{"seq":1,"op":"feed","id":"a","text":"x","repeat":{"start":0,"end":2,"times":1}}`:                  `1`,
		`{"seq":1,"op":"feed","id":"a","text":"x","repeat":{"start":0,"end":1,"times":999999999999}}`:       `1`,
		`{"seq":1,"op":"reset"}`:                                                                            `1`,
		`{"seq":1,"op":"sig"}`:                                                                              `1`,
		`{"seq":1,"op":"manual"}`:                                                                           `1`,
		`{"seq":1,"op":"sig","tools":[],"options":{"style":"nice"}}`:                                        `1`,
		`{"seq":1,"op":"manual","tools":[],"options":{"open":"(("}}`:                                        `1`,
		`{"seq":1,"op":"manual","tools":[],"delims":{"open":"((","close":"))"}}`:                            `1`,
	} {
		got := talk(t, request+"\n"+`{"seq":2,"op":"parse","text":""}`)
		want := `{"seq":` + seq + `,"error":{"code":"bad-request","message":"`
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, `"}}`+"\n"+`{"seq":2,"events":[]}`+"\n") {
			t.Errorf("-> %s\n<- %s", request, got)
		}
	}
	begun := talk(t, `{"seq":1,"op":"feed","id":"a","text":""}`+"\n"+`{"seq":2,"op":"feed","id":"a","text":"","options":{"strict":true}}`+"\n")
	if !strings.Contains(begun, "has begun") {
		t.Errorf("options of a stream that has begun: %s", begun)
	}
}

// TestEnds ends the conversation in each way.
func TestEnds(t *testing.T) {
	for _, in := range []string{"", "\n \n", `{"cmd":"bye"}`, "{\"cmd\":\"bye\"}\n" + `{"seq":1,"op":"parse","text":""}`} {
		if got := talk(t, in); got != "" {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

// TestManyCatalogs sends more catalogs than are kept.
func TestManyCatalogs(t *testing.T) {
	var in, want strings.Builder
	for i := range 2*manyCatalogs + 1 {
		fmt.Fprintf(&in, `{"seq":%d,"op":"format","tools":[{"name":"t%d"}],"name":"t%d","input":"{}"}`+"\n", i, i, i)
		fmt.Fprintf(&want, `{"seq":%d,"text":"<call>t%d</call>"}`+"\n", i, i)
	}
	s := New(strings.NewReader(in.String()), &bytes.Buffer{}, "")
	if err := s.Serve(); err != nil || len(s.catalogs) > manyCatalogs {
		t.Errorf("%d catalogs are kept, %v", len(s.catalogs), err)
	}
	if got := talk(t, in.String()); got != want.String() {
		t.Errorf("%.300s", got)
	}
}

// FuzzServe sends anything. Every line that is not blank has exactly one answer, in order,
// until bye.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		`{"cmd":"hello","protocol":2}`,
		`{"seq":1,"op":"parse","tools":[{"name":"t","inputSchema":{"properties":{"a":{"type":"integer"}}}}],"options":{"strict":true,"limits":{"bytes":40}},"text":"x<call>t a=1</call>"}`,
		`{"seq":3,"op":"feed","id":"a","text":"x<call>t a=1 b='c'</call>"}` + "\n" + `{"seq":4,"op":"close","id":"a"}`,
		"nope\n\n{\"seq\":3,\"op\":\"parse\",\"text\":{\"b64\":\"/w==\"}}\r\n{\"cmd\":\"bye\"}\n{}",
	} {
		f.Add([]byte(seed))
	}
	for i, c := range corpus.Cases() { // some of each topic
		if i%10 == 0 && len(c.Text) < 200 {
			r := c.Request()
			f.Add(fmt.Appendf(nil, `{"seq":%d,"op":"%s"%s}`, i, c.Op, members(f, r)))
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		want := []string{} // the numbers of the answers
		for line := range bytes.Lines(in) {
			var head struct {
				Cmd string          `json:"cmd"`
				Seq json.RawMessage `json:"seq"`
			}
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			err := json.Unmarshal(line, &head)
			if err == nil && head.Cmd == corpus.ByeCommand && bytes.Equal(line, bytes.ToValidUTF8(line, nil)) {
				break
			}
			want = append(want, string(head.Seq))
		}
		n := 0
		for line := range strings.Lines(talk(t, string(in))) {
			var answer struct {
				Seq      json.RawMessage `json:"seq"`
				Protocol int             `json:"protocol"`
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil {
				t.Fatalf("answer %d is not JSON: %v: %q", n, err, line)
			}
			if n < len(want) && answer.Protocol == 0 && string(answer.Seq) != "null" && !sameJSON(string(answer.Seq), want[n]) {
				t.Errorf("answer %d has number %s, want %s", n, answer.Seq, want[n])
			}
			n++
		}
		if n != len(want) {
			t.Errorf("%d answers to %d requests", n, len(want))
		}
	})
}

// sameJSON compares two JSON texts apart from whitespace.
func sameJSON(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}
