package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
)

// The implementations under test are this test binary, started again with a
// fault as its argument. Without a fault it gives the answers that the corpus
// wants; it knows no other ones.

func TestMain(m *testing.M) {
	if len(os.Args) >= 3 && os.Args[1] == "implementation" {
		implementation{os.Args[2], os.Args[3:]}.serve()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// with returns the command of an implementation with a fault. It knows the answers of
// some topics, or of all: to read all of the corpus takes each child a tenth of a second.
func with(fault string, topics ...string) []string {
	return append([]string{os.Args[0], "implementation", fault}, topics...)
}

type implementation struct {
	fault  string
	topics []string
}

// allCases are those of the corpus, which are read once.
var allCases = sync.OnceValue(corpus.Cases)

// casesOf returns the cases of some topics, or of all.
func casesOf(topics []string) (some []corpus.Case) {
	if len(topics) == 0 {
		return allCases()
	}
	for _, topic := range topics {
		text, err := fs.ReadFile(corpus.Files(), "cases/"+topic+".json")
		if err != nil {
			panic(err)
		}
		var file struct{ Cases []corpus.Case }
		if err := json.Unmarshal(text, &file); err != nil {
			panic(err)
		}
		some = append(some, file.Cases...)
	}
	return some
}

// topicsOf returns the topics of cases.
func topicsOf(cases []corpus.Case) (topics []string) {
	for _, c := range cases {
		if !slices.Contains(topics, c.Topic()) {
			topics = append(topics, c.Topic())
		}
	}
	return topics
}

// question is a request as an implementation sees it.
type question struct {
	Cmd      string
	Protocol int
	Seq      int
	Op       string
	Tools    json.RawMessage
	Options  corpus.Options
	Text     corpus.Bytes
	Name     string
	Input    corpus.Bytes
	Cuts     []int
	ID       string
}

func (q *question) key() string {
	op := q.Op
	if op == opStream {
		op = opParse
	}
	return fmt.Sprintf("%s|%s|%s|%q|%q|%q", op, q.Tools, optionsLine(q.Options), q.Text, q.Name, q.Input)
}

func (m implementation) serve() {
	var wants map[string]corpus.Want
	in := bufio.NewReader(os.Stdin)
	var kept string
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			panic(err)
		}
		switch q.Cmd {
		case "hello":
			m.hello(&q)
			continue
		case "bye":
			if m.fault == "fails at bye" {
				fmt.Fprintln(os.Stderr, "no leave to go")
				os.Exit(3)
			}
			return
		}
		if wants == nil {
			wants = answers(m.topics)
		}
		if slices.Contains([]string{opFeed, opClose, opReset}, q.Op) {
			os.Stdout.WriteString(m.fed(&q))
			continue
		}
		out := m.answer(&q, wants[q.key()])
		if m.fault == "out of order" && q.Op == "stream" {
			if kept == "" {
				kept = out
				continue
			}
			out, kept = out+kept, ""
		}
		os.Stdout.WriteString(out)
	}
}

// answers returns what the corpus wants, by question.
func answers(topics []string) map[string]corpus.Want {
	wants := map[string]corpus.Want{}
	for _, c := range casesOf(topics) {
		q := question{Op: c.Op, Options: c.Options, Text: c.Text, Name: c.Name, Input: c.Input}
		if c.Tools != nil {
			q.Tools = json.RawMessage(compact(c.Tools))
		}
		wants[q.key()] = c.Want
	}
	return wants
}

func (m implementation) hello(q *question) {
	switch m.fault {
	case "silent from the start":
		time.Sleep(time.Hour)
	case "ends at once":
		fmt.Fprintln(os.Stderr, "no licence file")
		os.Exit(4)
	case "talks at the start":
		fmt.Println("Welcome!")
	case "counts at the start":
		fmt.Println(1)
	case "wrong hello":
		fmt.Println(`{"protocol":1,"name":"x","version":1,"spec":"1.0"}`)
	case "another format":
		fmt.Println(`{"protocol":1,"name":"x","version":"1","spec":"0.9","ops":[]}`)
	case "another format in 2":
		fmt.Println(`{"protocol":2,"name":"x","version":"1","spec":"2.0","ops":["parse"]}`)
	case "refuses protocol 2":
		if q.Protocol != 1 {
			fmt.Println(`{"error":{"code":"bad-request","message":"say hello with 1"}}`)
			return
		}
		fmt.Println(`{"protocol":1,"name":"x","version":"1","spec":"1.1","ops":["parse"]}`)
	case "protocol 3":
		fmt.Println(`{"protocol":3,"name":"x","version":"1","spec":"1.0","ops":["parse"]}`)
	case "builds first":
		time.Sleep(3 * time.Second)
		fmt.Println(`{"protocol":1,"name":"x","version":"1","spec":"1.0","ops":["parse"]}`)
	case "cannot stream", "hangs now and then":
		fmt.Println(`{"protocol":1,"name":"x","version":"1","spec":"1.0","ops":["parse"]}`)
	default:
		if strings.HasPrefix(m.fault, "feeds") {
			fmt.Println(`{"protocol":2,"name":"helper","version":"1","spec":"1.0","ops":["parse","feed"]}`)
			return
		}
		fmt.Println(`{"protocol":1,"name":"helper","version":"1","spec":"1.0","ops":["parse","stream","format","sig","manual"]}`)
	}
}

// victim is the case at which some faults show.
const victim = "framing/close-tag-in-double-quotes"

// victim reports whether q asks for that case.
func (q *question) victim() bool {
	return string(q.Text) == `<call>t s="a</call>b" n=1</call>`
}

// inTag reports whether a chunk ends within the first opener.
func (q *question) inTag() bool {
	at := bytes.Index(q.Text, []byte("<call>"))
	for _, cut := range q.Cuts {
		if at >= 0 && cut > at+1 && cut < at+6 {
			return true
		}
	}
	return false
}

// asked counts the requests of some faults.
var asked int

// answer returns the line that answers q, for which the corpus wants want.
func (m implementation) answer(q *question, want corpus.Want) string {
	switch m.fault {
	case "hangs":
		if q.victim() {
			time.Sleep(time.Hour)
		}
	case "always hangs":
		time.Sleep(time.Hour)
	case "hangs now and then":
		if asked++; asked%4 == 0 {
			time.Sleep(time.Hour)
		}
	case "crashes":
		if q.victim() && q.inTag() {
			fmt.Fprintln(os.Stderr, "Traceback: index out of range in read_tag")
			os.Exit(70)
		}
	case "writes a long line":
		if q.victim() {
			return strings.Repeat("x", 3000) + "\n"
		}
	case "leaves offsets out":
		return fmt.Sprintf(`{"seq":%d,"events":[{"type":"malformed","start":0,"end":33,"code":"nested-call","closed":true}]}`+"\n", q.Seq)
	case "leaves offsets of issues out":
		return fmt.Sprintf(`{"seq":%d,"events":[{"type":"tool-call","start":0,"end":33,"name":"t","input":"{}","issues":[{"code":"coerced","path":"s"}]}]}`+"\n", q.Seq)
	case "prints":
		if q.victim() {
			return "reading a call\n"
		}
	case "answers with a list":
		return "[]\n"
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "wrong seq":
		if q.victim() {
			q.Seq += 7
		}
	case "writes Seq":
		return fmt.Sprintf(`{"Seq":%d,"events":[]}`+"\n", q.Seq)
	case "writes Events":
		return fmt.Sprintf(`{"seq":%d,"Events":[]}`+"\n", q.Seq)
	case "writes AT":
		return fmt.Sprintf(`{"seq":%d,"events":[{"type":"malformed","start":0,"end":33,"code":"nested-call","AT":1,"closed":true}]}`+"\n", q.Seq)
	case "no seq":
		return `{"events":[]}` + "\n"
	case "skips":
		if q.victim() {
			return fmt.Sprintf(`{"seq":%d,"skip":"no quotes yet"}`+"\n", q.Seq)
		}
	case "says text", "says text but of calls":
		want.Events = nil
		if len(q.Text) > 0 {
			want.Events = []corpus.Event{{Type: "text", End: len(q.Text), Text: q.Text}}
		}
		if m.fault == "says text but of calls" && bytes.Contains(q.Text, []byte("<call>")) {
			want.Events[0] = corpus.Event{Type: "malformed", End: len(q.Text), Code: "bad-name", At: 1}
		}
	case "refuses":
		return fmt.Sprintf(`{"seq":%d,"error":{"code":"bad-request","message":"the id is empty\nline 3\n"}}`+"\n", q.Seq)
	case "wrong shape":
		return fmt.Sprintf(`{"seq":%d,"events":[{"type":"text","start":"0","end":1.5,"txt":""}],"batches":[[{"type":"texts"}]],"text":7}`+"\n", q.Seq)
	case "naive":
		want.Events = naive(q.Text, want.Events)
	case "loses the beginning of a tag":
		if q.inTag() {
			want.Events = []corpus.Event{{Type: "text", End: len(q.Text), Text: q.Text}}
		}
	case "counts from one":
		for i := range want.Events {
			want.Events[i].At++
		}
	case "rounds":
		for i := range want.Events {
			want.Events[i].Input = strings.ReplaceAll(want.Events[i].Input, `"n":1}`, `"n":1.0}`)
		}
	case "writes otherwise":
		want.Text += " "
		if len(want.Lines) > 0 {
			want.Lines[0] += " "
		}
	}
	answer := map[string]any{"seq": q.Seq}
	switch q.Op {
	case "parse":
		answer["events"] = orEmpty(shapes(want.Events))
	case "format":
		if want.Error != nil {
			answer["error"] = map[string]string{"code": want.Error.Code, "message": ""}
		} else {
			answer["text"] = want.Text
		}
	case "sig":
		answer["lines"] = append([]string{}, want.Lines...)
	case "manual":
		answer["text"] = want.Text
	case "stream":
		answer["batches"] = m.batches(q, want.Events)
	}
	line, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return string(line) + "\n"
}

// A fedStream is a stream of protocol 2. The implementations know two texts, and
// which one it is from its first byte.
type fedStream struct {
	question
	events []corpus.Event
	ahead  bool // everything was given out
}

var fedStreams = map[string]*fedStream{}

// fed answers feed, close and reset.
func (m implementation) fed(q *question) string {
	id := q.ID
	if m.fault == "feeds without ids" {
		id = ""
	}
	s := fedStreams[id]
	if s == nil && m.fault == "feeds and skips" {
		if q.Op != opFeed {
			panic("no stream " + id)
		}
		return fmt.Sprintf(`{"seq":%d,"skip":"no options yet"}`+"\n", q.Seq)
	}
	if s == nil {
		s = &fedStream{}
		fedStreams[id] = s
	}
	batch := []map[string]any{}
	switch q.Op {
	case opReset:
		if m.fault != "feeds on after reset" {
			*s = fedStream{}
		}
	case opClose:
		delete(fedStreams, id)
		batch = m.fedBatch(s, true)
	default:
		s.Cuts = append(s.Cuts, len(s.Text)+len(q.Text))
		s.Text = append(s.Text, q.Text...)
		if m.fault == "feeds and crashes" && string(s.Text) == "<call>t s=" {
			os.Exit(70)
		}
		batch = m.fedBatch(s, false)
	}
	line, err := json.Marshal(map[string]any{"seq": q.Seq, "events": batch})
	if err != nil {
		panic(err)
	}
	return string(line) + "\n"
}

var fedCases = sync.OnceValue(func() []corpus.Case {
	return slices.DeleteFunc(casesOf([]string{"framing"}), func(c corpus.Case) bool { return c.ID != victim && c.ID != "framing/text-only" })
})

func (m implementation) fedBatch(s *fedStream, closed bool) []map[string]any {
	text, whole := []byte(nil), question{}
	for _, c := range fedCases() {
		if text == nil || bytes.HasPrefix(c.Text, s.Text) {
			text, s.events = c.Text, c.Want.Events
		}
	}
	whole.Text, whole.Cuts = text, s.Cuts
	if s.ahead {
		return []map[string]any{}
	}
	if m.fault == "feeds ahead" && len(s.Text) > 30 && !closed {
		s.ahead = true
		whole.Cuts = slices.Clone(s.Cuts)
		whole.Cuts[len(s.Cuts)-1] = len(text)
	}
	if m.fault == "feeds all at the end" {
		whole.Cuts = nil
		if !closed {
			return []map[string]any{}
		}
		return append([]map[string]any{}, slices.Concat(m.batches(&whole, s.events)...)...)
	}
	all := m.batches(&whole, s.events)
	batch := all[len(s.Cuts)-1]
	if closed {
		batch = append([]map[string]any{}, slices.Concat(all[len(s.Cuts):]...)...)
	}
	switch m.fault {
	case "feeds a block for each chunk":
		if len(batch) > 0 && batch[0]["type"] == "text-delta" {
			batch = append([]map[string]any{{"type": "text-start"}}, batch...)
		}
		if len(batch) > 0 && batch[len(batch)-1]["type"] == "text-delta" {
			batch = append(batch, map[string]any{"type": "text-end"})
		}
		if len(batch) == 1 && batch[0]["type"] == "text-end" {
			batch = batch[:0]
		}
	case "feeds empty deltas":
		if len(batch) > 0 && batch[0]["type"] == "text-delta" {
			batch = append(batch, map[string]any{"type": "text-delta", "text": ""})
		}
	}
	return batch
}

var anyCall = regexp.MustCompile(`(?s)<call>(.*?)</call>`)

// naive is a reader that closes a call at the first close tag, even within
// quotes. What it finds that is no call of the corpus, it calls malformed.
func naive(text []byte, want []corpus.Event) []corpus.Event {
	var got []corpus.Event
	for _, e := range want {
		span := anyCall.FindIndex(text[e.Start:e.End])
		if e.Type == "text" || span == nil || span[0] != 0 || span[1] == e.End-e.Start {
			got = append(got, e)
			continue
		}
		cut := e.Start + span[1]
		got = append(got,
			corpus.Event{Type: "malformed", Start: e.Start, End: cut, Code: "unterminated-call", At: cut, Closed: true},
			corpus.Event{Type: "text", Start: cut, End: e.End, Text: text[cut:e.End]})
	}
	return got
}

// shapes returns events with the members of their types only.
func shapes(events []corpus.Event) []map[string]any {
	var all []map[string]any
	for _, e := range events {
		m := map[string]any{"type": e.Type, "start": e.Start, "end": e.End}
		switch e.Type {
		case "text", "reasoning":
			m["text"] = e.Text
		case "tool-call":
			m["name"], m["input"], m["afterMalformed"] = e.Name, e.Input, e.AfterMalformed
			if len(e.Issues) > 0 {
				m["issues"] = e.Issues
			}
		case "malformed":
			m["code"], m["at"], m["closed"] = e.Code, e.At, e.Closed
		}
		all = append(all, m)
	}
	return all
}

func orEmpty(events []map[string]any) []map[string]any {
	if events == nil {
		return []map[string]any{}
	}
	return events
}

// batches gives out each event when the last of its bytes was read, or text as
// it comes; an event that only what follows can end, with what follows.
func (m implementation) batches(q *question, events []corpus.Event) [][]map[string]any {
	var all [][]map[string]any
	next, done := 0, 0 // of events, and of the bytes of the text that is next
	inText := false
	for i := range len(q.Cuts) + 2 {
		read, final := len(q.Text), i > len(q.Cuts)
		if i < len(q.Cuts) {
			read = q.Cuts[i]
		}
		if m.fault == "late" && !final {
			read = 0
		}
		batch := []map[string]any{}
		add := func(kind string, more ...any) {
			e := map[string]any{"type": kind}
			for i := 0; i < len(more); i += 2 {
				e[more[i].(string)] = more[i+1]
			}
			batch = append(batch, e)
		}
		for next < len(events) {
			e := &events[next]
			id := fmt.Sprint("call-", next)
			if e.Type == "text" {
				must, _ := frames[""].held(q.Text[:read], 0)
				until := min(e.End, must)
				if final {
					until = e.End
				}
				if until > e.Start+done {
					if !inText {
						add("text-start")
					}
					inText = true
					add("text-delta", "text", corpus.Bytes(q.Text[e.Start+done:until]))
					done = until - e.Start
				}
				if e.Start+done < e.End || !final && read <= e.End {
					break
				}
				if m.fault != "forgets text-end" {
					add("text-end")
				}
				inText, done = false, 0
				next++
				continue
			}
			if !final && certain(&corpus.Case{Text: q.Text}, e) > read {
				break
			}
			for _, m := range shapes(events[next : next+1]) {
				if e.Type == "reasoning" {
					add("reasoning-start", "start", e.Start, "end", e.Start+1)
					if len(e.Text) > 0 {
						add("reasoning-delta", "text", e.Text)
					}
					add("reasoning-end", "start", e.End-1, "end", e.End)
					continue
				}
				if e.Type == "tool-call" {
					add("tool-input-start", "id", id, "name", e.Name)
					add("tool-input-delta", "id", id, "delta", e.Input[:1])
					add("tool-input-delta", "id", id, "delta", e.Input[1:])
					add("tool-input-end", "id", id)
					m["id"] = id
				}
				batch = append(batch, m)
			}
			next++
		}
		all = append(all, batch)
	}
	switch m.fault {
	case "changes ids":
		for _, batch := range all {
			for _, e := range batch {
				if e["type"] == "tool-call" {
					e["id"] = "another"
				}
			}
		}
	case "lies in deltas":
		for _, batch := range all {
			for _, e := range batch {
				if e["type"] == "tool-input-delta" {
					e["delta"] = strings.ToUpper(e["delta"].(string))
				}
			}
		}
	case "goes on after the end":
		all = append(all, []map[string]any{{"type": "text-start"}})
	}
	return all
}
