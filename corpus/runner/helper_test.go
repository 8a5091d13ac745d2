package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
)

// The implementations under test are this test binary, started again with a fault as its
// argument. Without a fault it gives the answers that the corpus wants. It streams two
// texts only, and skips the others.

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "implementation" {
		(&implementation{fault: os.Args[2], streams: map[string]*fedStream{}}).serve()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// with returns the command of an implementation with a fault.
func with(fault string) []string { return []string{os.Args[0], "implementation", fault} }

type implementation struct {
	fault   string
	asked   int // requests
	streams map[string]*fedStream
}

// allCases are those of the corpus, which are read once.
var allCases = sync.OnceValue(corpus.Cases)

// victim is the case at which some faults show.
const (
	victim     = "framing/close-tag-in-double-quotes"
	victimText = `<call>t s="a</call>b" n=1</call>`
)

// answers are what the corpus wants, by question.
var wants = sync.OnceValue(func() map[string]corpus.Want {
	all := map[string]corpus.Want{}
	for _, c := range allCases() {
		r := c.Request()
		all[key(&r)] = c.Want
	}
	return all
})

func key(r *corpus.Request) string {
	var tools bytes.Buffer
	if r.Tools != nil {
		json.Compact(&tools, r.Tools)
	}
	options, _ := json.Marshal(r.Options)
	return fmt.Sprintf("%s|%s|%s|%q|%q|%q", r.Op, &tools, options, r.Text, r.Name, r.Input)
}

func (m *implementation) serve() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var head struct{ Cmd string }
		if err := json.Unmarshal(line, &head); err != nil {
			panic(err)
		}
		switch {
		case m.fault == "echoes":
			os.Stdout.Write(line)
			continue
		case head.Cmd == corpus.HelloCommand:
			m.hello()
			continue
		case head.Cmd == corpus.ByeCommand && m.fault == "fails at bye":
			fmt.Fprintln(os.Stderr, "no leave to go")
			os.Exit(3)
		case head.Cmd == corpus.ByeCommand:
			return
		case m.fault == "echoes requests":
			os.Stdout.Write(line)
			continue
		}
		var r corpus.Request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		m.asked++
		if slices.Contains([]string{corpus.Feed, corpus.Close, corpus.Reset}, r.Op) {
			os.Stdout.WriteString(m.fed(&r))
		} else {
			os.Stdout.WriteString(m.answer(&r, wants()[key(&r)]))
		}
	}
}

// hellos are answers to hello that aren't right.
var hellos = map[string]string{
	"talks at the start":  "Welcome!",
	"counts at the start": "1",
	"wrong hello":         `{"protocol":2,"name":"x","version":1,"spec":"1.0"}`,
	"another format":      `{"protocol":2,"name":"x","version":"1","spec":"2.0","ops":["parse"]}`,
	"protocol 1":          `{"protocol":1,"name":"x","version":"1","spec":"1.0","ops":["parse"]}`,
	"cannot stream":       `{"protocol":2,"name":"x","version":"1","spec":"1.1","ops":["parse"]}`,
	"hangs now and then":  `{"protocol":2,"name":"x","version":"1","spec":"1.0","ops":["parse"]}`,
}

func (m *implementation) hello() {
	switch m.fault {
	case "silent from the start":
		time.Sleep(time.Hour)
	case "ends at once":
		fmt.Fprintln(os.Stderr, "no licence file")
		os.Exit(4)
	case "builds first":
		time.Sleep(7 * time.Second) // longer than the timeout of an answer
	}
	if hello := hellos[m.fault]; hello != "" {
		fmt.Println(hello)
		return
	}
	fmt.Println(`{"protocol":2,"name":"helper","version":"1","spec":"1.0","ops":["parse","feed","format","sig","manual"]}`)
}

// replies are answers to a parse request that aren't right; %d is its seq.
var replies = map[string]string{
	"leaves offsets out":           `{"seq":%d,"events":[{"type":"malformed","start":0,"end":33,"code":"nested-call","closed":true}]}`,
	"leaves offsets of issues out": `{"seq":%d,"events":[{"type":"tool-call","start":0,"end":33,"name":"t","input":"{}","issues":[{"code":"coerced","path":"s"}]}]}`,
	"prints":                       `reading a call`,
	"answers with a list":          `[]`,
	"wrong seq":                    `{"seq":7%d,"events":[]}`,
	"text as seq":                  `{"seq":"%d","events":[]}`,
	"writes Seq":                   `{"Seq":%d,"events":[]}`,
	"writes Events":                `{"seq":%d,"Events":[]}`,
	"writes AT":                    `{"seq":%d,"events":[{"type":"malformed","start":0,"end":33,"code":"nested-call","AT":1,"closed":true}]}`,
	"no seq":                       `{"events":[]}`,
	"skips":                        `{"seq":%d,"skip":"no quotes yet"}`,
	"refuses":                      `{"seq":%d,"error":{"code":"bad-request","message":"the id is empty\nline 3\n"}}`,
	"wrong shape":                  `{"seq":%d,"events":[{"type":"text","start":"0","end":1.5,"txt":""}],"more":7}`,
	"writes a long line":           `{"seq":%d,"skip":"` + strings.Repeat("x", 3000) + `"}`,
}

// answer returns the line that answers r, for which the corpus wants want.
func (m *implementation) answer(r *corpus.Request, want corpus.Want) string {
	isVictim := string(r.Text) == victimText
	if reply := replies[m.fault]; reply != "" && isVictim {
		if strings.Contains(reply, "%d") {
			reply = fmt.Sprintf(reply, m.asked)
		}
		return reply + "\n"
	}
	switch m.fault {
	case "hangs":
		if isVictim {
			time.Sleep(time.Hour)
		}
	case "always hangs":
		time.Sleep(time.Hour)
	case "hangs now and then":
		if m.asked%4 == 0 {
			time.Sleep(time.Hour)
		}
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}
	events := slices.Clone(want.Events)
	switch m.fault {
	case "says text", "says text but of calls":
		events = nil
		if len(r.Text) > 0 {
			events = []corpus.Event{{Type: "text", End: len(r.Text), Text: r.Text}}
		}
		if m.fault == "says text but of calls" && bytes.Contains(r.Text, []byte("<call>")) {
			events[0] = corpus.Event{Type: "malformed", End: len(r.Text), Code: "bad-name", At: 1}
		}
	case "naive":
		events = naive(r.Text, events)
	}
	for i := range events {
		switch m.fault {
		case "counts from one":
			events[i].At++
		case "rounds":
			events[i].Input = strings.ReplaceAll(events[i].Input, `"n":1}`, `"n":1.0}`)
		}
	}
	a := corpus.Answer{Seq: r.Seq, Error: want.Error, Text: corpus.Bytes(want.Text),
		Lines: want.Lines}
	switch r.Op {
	case corpus.Parse:
		a.Events = append([]corpus.Event{}, events...)
	case corpus.Sig:
		a.Lines = append([]string{}, want.Lines...)
	}
	if m.fault == "writes otherwise" {
		a.Text = append(a.Text, ' ')
		if len(a.Lines) > 0 {
			a.Lines[0] += " "
		}
	}
	return string(a.AppendJSON(nil)) + "\n"
}

var anyCall = regexp.MustCompile(`(?s)<call>(.*?)</call>`)

// naive is a reader that closes a call at the first closing tag, even within quotes.
func naive(text []byte, want []corpus.Event) (got []corpus.Event) {
	for _, e := range want {
		span := anyCall.FindIndex(text[e.Start:e.End])
		if e.Type == "text" || span == nil || span[0] != 0 || span[1] == e.End-e.Start {
			got = append(got, e)
			continue
		}
		cut := e.Start + span[1]
		got = append(got,
			corpus.Event{Type: "malformed", Start: e.Start, End: cut, Code: "unterminated-call",
				At: cut, Closed: true},
			corpus.Event{Type: "text", Start: cut, End: e.End, Text: text[cut:e.End]})
	}
	return got
}

// A fedStream is a stream of one of two texts.
type fedStream struct {
	text []byte
	seen int // bytes of it that have come out
	open bool
	done bool // everything has come out
}

var fedTexts = sync.OnceValue(func() (texts []corpus.Case) {
	for _, c := range allCases() {
		if c.ID == victim || c.ID == "framing/text-only" {
			texts = append(texts, c)
		}
	}
	return texts
})

// fed answers feed, close and reset.
func (m *implementation) fed(r *corpus.Request) string {
	if m.fault == "feeds without ids" {
		r.ID = ""
	}
	s := m.streams[r.ID]
	if s == nil {
		s = &fedStream{}
		m.streams[r.ID] = s
	}
	a := corpus.Answer{Seq: r.Seq, Events: []corpus.Event{}}
	switch r.Op {
	case corpus.Reset:
		s.text = nil
		if m.fault != "feeds on after reset" {
			*s = fedStream{}
		}
	case corpus.Close:
		delete(m.streams, r.ID)
		a.Events = append(a.Events, m.out(s, true)...)
	default:
		s.text = append(s.text, r.Text...)
		if m.fault == "crashes" && string(s.text) == "<call>t s=" {
			fmt.Fprintln(os.Stderr, "Traceback: index out of range in read_tag")
			os.Exit(70)
		}
		if m.known(s) == nil || r.Options != (corpus.Options{}) || m.fault == "feeds and skips" {
			delete(m.streams, r.ID)
			a.Skip = "no options yet"
			break
		}
		a.Events = append(a.Events, m.out(s, false)...)
	}
	return string(a.AppendJSON(nil)) + "\n"
}

// known returns the case that the stream may be of.
func (m *implementation) known(s *fedStream) *corpus.Case {
	for _, c := range fedTexts() {
		if bytes.HasPrefix(c.Text, s.text) {
			return &c
		}
	}
	if m.fault == "feeds without ids" {
		return &fedTexts()[0]
	}
	return nil
}

// out returns the events that have become certain.
func (m *implementation) out(s *fedStream, closed bool) (events []corpus.Event) {
	c := m.known(s)
	if c == nil || s.done || len(s.text) == 0 {
		return nil
	}
	if string(c.Text) == victimText {
		ready := len(s.text) == len(c.Text) || m.fault == "feeds ahead" && len(s.text) > 30
		if m.fault == "late" {
			ready = closed
		}
		if !ready {
			return nil
		}
		s.done = true
		return callEvents(c.Want.Events[0])
	}
	if m.fault == "late" && !closed {
		return nil
	}
	ready := len(s.text)
	if !closed {
		ready = frames[""].decided(s.text)
	}
	if piece := s.text[min(s.seen, ready):ready]; len(piece) > 0 {
		if !s.open {
			events = append(events, corpus.Event{Type: corpus.TextStart})
		}
		events = append(events, corpus.Event{Type: corpus.TextDelta, Text: piece})
		s.seen, s.open = ready, true
	}
	if closed {
		events = append(events, corpus.Event{Type: corpus.TextEnd})
	}
	return events
}

// callEvents returns the events of a stream that has one call.
func callEvents(e corpus.Event) []corpus.Event {
	e.ID = "call-0"
	return []corpus.Event{
		{Type: corpus.ToolInputStart, ID: e.ID, Name: e.Name},
		{Type: corpus.ToolInputDelta, ID: e.ID, Delta: e.Input[:1]},
		{Type: corpus.ToolInputDelta, ID: e.ID, Delta: e.Input[1:]},
		{Type: corpus.ToolInputEnd, ID: e.ID},
		e,
	}
}
