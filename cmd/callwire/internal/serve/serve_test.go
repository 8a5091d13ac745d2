package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol/protocoltest"
	"github.com/callwire/callwire/corpus"
)

// version is what the server says that it is.
const version = "v1.2.3"

// talk returns what is answered to requests.
func talk(t testing.TB, requests string) string {
	t.Helper()
	var out strings.Builder
	if err := New(strings.NewReader(requests), &out, version).Serve(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCorpus asks for every case of the corpus in one conversation, as a
// runner does.
func TestCorpus(t *testing.T) {
	cases := corpus.Cases()
	var requests strings.Builder
	fmt.Fprintln(&requests, `{"cmd":"hello","protocol":1}`)
	for i, c := range cases {
		r := map[string]any{"seq": i, "op": c.Op, "options": c.Options}
		if c.Tools != nil {
			r["tools"] = c.Tools
		}
		switch c.Op {
		case corpus.Parse:
			r["text"] = append(corpus.Bytes{}, c.Text...)
		case corpus.Format:
			r["name"], r["input"] = c.Name, c.Input
		}
		fmt.Fprintln(&requests, protocoltest.JSON(t, r))
	}
	fmt.Fprintln(&requests, `{"cmd":"bye"}`)
	got := talk(t, requests.String())
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != 1+len(cases) {
		t.Fatalf("%d answers to %d requests", len(lines), 1+len(cases))
	}
	for i, c := range cases {
		var answer struct {
			Seq    int
			Events json.RawMessage
			Text   string
			Lines  []string
			Error  *struct{ Code, Message string }
		}
		if err := json.Unmarshal([]byte(lines[i+1]), &answer); err != nil || answer.Seq != i {
			t.Fatalf("%s: answer %q, %v", c.ID, lines[i+1], err)
		}
		diff := ""
		switch {
		case c.Op == corpus.Parse:
			diff = protocoltest.Diff(c.Want.Events, string(answer.Events))
		case c.Op == corpus.Sig:
			diff = cmp.Diff(c.Want.Lines, answer.Lines)
		case c.Want.Error == nil:
			diff = cmp.Diff(c.Want.Text, answer.Text)
		case answer.Error == nil || answer.Error.Code != c.Want.Error.Code || answer.Error.Message == "":
			diff = lines[i+1]
		}
		if diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.ID, diff)
		}
	}
}

// TestAnswers pins answers byte by byte.
func TestAnswers(t *testing.T) {
	for _, c := range [][2]string{
		{`{"cmd":"hello","protocol":1}`, `{"protocol":1,"name":"callwire","version":"` + version + `","spec":"1.0","ops":["parse","stream","format","sig","manual"]}`},
		{`{"seq":1,"op":"parse","text":"hi <call>t a=1</call><call>t a =1</call>"}`, `{"seq":1,"events":[{"type":"text","start":0,"end":3,"text":"hi "},` +
			`{"type":"tool-call","start":3,"end":21,"name":"t","input":"{\"a\":1}"},` +
			`{"type":"malformed","start":21,"end":40,"code":"expected-equals","at":30,"closed":true}]}`},
		{`{"seq":2,"op":"parse","text":""}`, `{"seq":2,"events":[]}`},
		{`{"seq":3,"op":"parse","text":"a<b>&c"}`, `{"seq":3,"events":[{"type":"text","start":0,"end":6,"text":"a<b>&c"}]}`},
		{`{"seq":4,"op":"parse","text":{"b64":"/zw="}}`, `{"seq":4,"events":[{"type":"text","start":0,"end":2,"text":{"b64":"/zw="}}]}`},
		{`{"seq":5,"op":"parse","tools":[],"text":"<call>t</call>"}`, `{"seq":5,"events":[{"type":"malformed","start":0,"end":14,"code":"unknown-tool","at":6,"closed":true}]}`},
		{`{"seq":6,"op":"parse","tools":null,"options":null,"text":"<call>t"}`, `{"seq":6,"events":[{"type":"malformed","start":0,"end":7,"code":"unterminated-call","at":7,"closed":false}]}`},
		{`{"seq":7,"op":"parse","options":{"acceptAtEnd":true},"text":"<call>t"}`, `{"seq":7,"events":[{"type":"tool-call","start":0,"end":7,"name":"t","input":"{}"}]}`},
		{`{"seq":8,"op":"parse","options":{"limits":{"name":1}},"text":"<call>tt</call>"}`, `{"seq":8,"events":[{"type":"malformed","start":0,"end":15,"code":"name-too-long","at":7,"closed":true}]}`},
		{`{"seq":9,"op":"parse","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}],"text":"<call>t a='1'</call>"}`,
			`{"seq":9,"events":[{"type":"tool-call","start":0,"end":20,"name":"t","input":"{\"a\":1}","issues":[{"code":"coerced","path":"a","at":10}]}]}`},
		{`{"seq":10,"op":"format","name":"t","input":"{\"n\":12345678901234567890.10,\"s\":\"<&>\"}"}`, `{"seq":10,"text":"<call>t n=12345678901234567890.10 s=\"<&>\"</call>"}`},
		{`{"seq":"any","op":"parse","text":"","later":[1]}`, `{"seq":"any","events":[]}`},
		{`{"seq":11,"op":"sig","tools":[]}`, `{"seq":11,"lines":[]}`},
		{`{"seq":12,"op":"stream","text":"","cuts":[]}`, `{"seq":12,"batches":[[],[]]}`},
		{`{"seq":13,"op":"stream","text":"hi <call>t s='ab'</call><call>t a =1</call>","cuts":[2,3,3,15,40]}`, `{"seq":13,"batches":[` +
			`[{"type":"text-start"},{"type":"text-delta","text":"hi"}],` +
			`[{"type":"text-delta","text":" "}],` +
			`[],` +
			`[{"type":"text-end"},{"type":"tool-input-start","id":"call-1","name":"t"},{"type":"tool-input-delta","id":"call-1","delta":"{\"s\":\"a"}],` +
			`[{"type":"tool-input-delta","id":"call-1","delta":"b\"}"},{"type":"tool-input-end","id":"call-1"},` +
			`{"type":"tool-call","id":"call-1","start":3,"end":24,"name":"t","input":"{\"s\":\"ab\"}"},{"type":"tool-input-start","id":"call-2","name":"t"}],` +
			`[{"type":"malformed","id":"call-2","start":24,"end":43,"code":"expected-equals","at":33,"closed":true}],` +
			`[]]}`},
		{`{"seq":14,"op":"stream","text":{"b64":"/w=="}}`, `{"seq":14,"batches":[[{"type":"text-start"},{"type":"text-delta","text":{"b64":"/w=="}}],[{"type":"text-end"}]]}`},
		{`{"seq":15,"op":"stream","options":{"acceptAtEnd":true},"tools":[{"name":"t"}],"text":"<call>x</call><call>t","cuts":[]}`,
			`{"seq":15,"batches":[[{"type":"malformed","start":0,"end":14,"code":"unknown-tool","at":6,"closed":true}],` +
				`[{"type":"tool-input-start","id":"call-1","name":"t"},{"type":"tool-input-delta","id":"call-1","delta":"{}"},{"type":"tool-input-end","id":"call-1"},` +
				`{"type":"tool-call","id":"call-1","start":14,"end":21,"name":"t","input":"{}","afterMalformed":true}]]}`},
	} {
		if got := talk(t, c[0]+"\n"); got != c[1]+"\n" {
			t.Errorf("-> %s\n<- %swant %s", c[0], got, c[1])
		}
	}
}

// TestRefusals sends requests that cannot be understood: each is answered
// with its number, where that can be read, and a message.
func TestRefusals(t *testing.T) {
	for request, seq := range map[string]string{
		`nope`:                                  `null`,
		`[]`:                                    `null`,
		`7`:                                     `null`,
		`null`:                                  `null`,
		`{`:                                     `null`,
		`{}`:                                    `null`,
		`{"cmd":"hug"}`:                         `null`,
		`{"op":"parse","text":""}`:              `null`,
		"{\"seq\":1,\"op\":\"\xff\"}":           `null`,
		`{"seq":1}`:                             `1`,
		`{"seq":1,"op":"nope"}`:                 `1`,
		`{"seq":1,"op":7}`:                      `1`,
		`{"seq":1,"op":"parse"}`:                `1`,
		`{"seq":1,"op":"parse","text":7}`:       `1`,
		`{"seq":1,"op":"parse","text":null}`:    `1`,
		`{"seq":1,"op":"parse","text":{"b":1}}`: `1`,
		`{"seq":1,"op":"parse","text":{"b64":"?"}}`:                          `1`,
		`{"seq":1,"op":"parse","text":"\ud800"}`:                             `1`,
		`{"seq":1,"op":"parse","text":"","tools":7}`:                         `1`,
		`{"seq":1,"op":"parse","text":"","options":{"strictly":true}}`:       `1`,
		`{"seq":1,"op":"parse","text":"","options":{"limits":{"byte":1}}}`:   `1`,
		`{"seq":1,"op":"parse","text":"","options":{"limits":{"bytes":""}}}`: `1`,
		`{"seq":1,"op":"stream"}`:                                            `1`,
		`{"seq":1,"op":"stream","text":"ab","cuts":[3]}`:                     `1`,
		`{"seq":1,"op":"stream","text":"ab","cuts":[-1]}`:                    `1`,
		`{"seq":1,"op":"stream","text":"ab","cuts":[1,0]}`:                   `1`,
		`{"seq":1,"op":"stream","text":"ab","cuts":1}`:                       `1`,
		`{"seq":1,"op":"stream","text":"ab","cuts":[0.5]}`:                   `1`,
		`{"seq":1,"op":"stream","text":"ab","cuts":[99999999999999999999]}`:  `1`,
		`{"seq":1,"op":"stream","text":"","tools":7}`:                        `1`,
		`{"seq":1,"op":"format","name":"t"}`:                                 `1`,
		`{"seq":1,"op":"format","input":"{}"}`:                               `1`,
		`{"seq":1,"op":"format","name":"t","input":{}}`:                      `1`,
	} {
		got := talk(t, request+"\n"+`{"seq":2,"op":"parse","text":""}`)
		want := `{"seq":` + seq + `,"error":{"code":"bad-request","message":"`
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, `"}}`+"\n"+`{"seq":2,"events":[]}`+"\n") {
			t.Errorf("-> %s\n<- %s", request, got)
		}
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

// TestLongLines sends a line as long as is served, and a longer one.
func TestLongLines(t *testing.T) {
	var out bytes.Buffer
	ok := `{"seq":1,"op":"parse","text":"` + strings.Repeat("x", 200<<10) + `"}`
	s := New(strings.NewReader(ok+"\n"+ok+" \n"+ok), &out, version)
	s.in.Most = len(ok) + 1
	if err := s.Serve(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[0] != lines[2] || !strings.HasPrefix(lines[0], `{"seq":1,"events":`) || !strings.HasPrefix(lines[1], `{"seq":null,"error":`) {
		t.Errorf("%.200q", lines)
	}
}

// TestManyCatalogs sends more catalogs than are kept.
func TestManyCatalogs(t *testing.T) {
	var in, want strings.Builder
	for i := range 2*manyCatalogs + 1 {
		fmt.Fprintf(&in, `{"seq":%d,"op":"format","tools":[{"name":"t%d"}],"name":"t%d","input":"{}"}`+"\n", i, i, i)
		fmt.Fprintf(&want, `{"seq":%d,"text":"<call>t%d</call>"}`+"\n", i, i)
	}
	s := New(strings.NewReader(in.String()), &bytes.Buffer{}, version)
	if err := s.Serve(); err != nil || len(s.catalogs) > manyCatalogs {
		t.Errorf("%d catalogs are kept, %v", len(s.catalogs), err)
	}
	if got := talk(t, in.String()); got != want.String() {
		t.Errorf("%.300s", got)
	}
}

// FuzzServe sends anything. Every line that is not blank has exactly one
// answer, in order, until bye.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		`{"cmd":"hello","protocol":1}`,
		`{"seq":1,"op":"parse","tools":[{"name":"t","inputSchema":{"properties":{"a":{"type":"integer"}}}}],"options":{"strict":true,"limits":{"bytes":40}},"text":"x<call>t a=1</call>"}`,
		`{"seq":2,"op":"format","name":"t","input":"{\"a\":{\"b\":[1,\"</call>\"]}}"}`,
		`{"seq":3,"op":"stream","text":"x<call>t a=1 b='c'</call>","cuts":[0,1,1,16]}`,
		"nope\n\n{\"seq\":3,\"op\":\"parse\",\"text\":{\"b64\":\"/w==\"}}\r\n{\"cmd\":\"bye\"}\n{}",
	} {
		f.Add([]byte(seed))
	}
	for i, c := range corpus.Cases() { // some of each topic
		if i%10 == 0 && len(c.Text) < 200 {
			line, err := json.Marshal(map[string]any{"seq": i, "op": c.Op, "tools": c.Tools, "options": c.Options, "text": c.Text, "name": c.Name, "input": c.Input})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(line)
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
			if err == nil && head.Cmd == "bye" && bytes.Equal(line, bytes.ToValidUTF8(line, nil)) {
				break
			}
			want = append(want, string(head.Seq))
		}
		got := talk(t, string(in))
		n := 0
		for line := range strings.Lines(got) {
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

// sameJSON compares two JSON texts but for white space.
func sameJSON(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}
