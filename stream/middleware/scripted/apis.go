package scripted

import (
	"cmp"
	_ "embed" // of the templates
	"encoding/json"
	"strings"
	"text/template"

	"github.com/callwire/callwire/internal/rawjson"
)

// An api is one of the interfaces that a model has. Its templates are in apis.tmpl.
type api struct {
	name   string
	ends   []string // of the paths of its requests
	stream string   // the end for streams; "" if a member of the request asks for one
	lines  bool     // each line of a stream is an event, and streams are the default
	named  bool     // the events of a stream are named by their type

	reasons map[string]string // why messages end, where the words differ
}

var (
	chatAPI     = &api{name: "chat", ends: []string{"/chat/completions"}}
	messagesAPI = &api{name: "messages", ends: []string{"/messages"}, named: true,
		reasons: map[string]string{
			"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}}
	responsesAPI = &api{name: "responses", ends: []string{"/responses"}, named: true}
	ollamaAPI    = &api{name: "ollama", ends: []string{"/api/chat"}, lines: true}
	geminiAPI    = &api{name: "gemini", stream: ":streamGenerateContent",
		ends:    []string{":generateContent", ":streamGenerateContent"},
		reasons: map[string]string{"stop": "STOP", "length": "MAX_TOKENS"}}

	apis = []*api{chatAPI, messagesAPI, responsesAPI, geminiAPI, ollamaAPI}
)

//go:embed apis.tmpl
var source string

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"json": quote,
	"list": func(list []json.RawMessage) (string, error) {
		data, err := json.Marshal(append([]json.RawMessage{}, list...))
		return string(data), err
	},
}).Parse(source))

// An answer is a reply to a request, at one step of its stream.
type answer struct {
	Reply
	conversation
	Shape Shape
	api   *api

	N        int      // the number of the request, from 1
	In, Out  int      // tokens
	Index    int      // the place of the text among the blocks or items
	sequence int      // events that were numbered
	events   []string // the data of each

	Done  bool   // at the end of the message, or of a part of it
	Piece string // of a text
	At    int    // its number
}

// newAnswer returns the answer to the request n, from 0.
func newAnswer(n int, r Request, reply *Reply, s Shape) *answer {
	a := &answer{Reply: *reply, conversation: r.conversation(), Shape: s, api: r.api(), N: n + 1}
	a.Finish = cmp.Or(a.Finish, "stop")
	a.In, a.Out = tokens(string(r.Body)), tokens(a.Reasoning)+tokens(a.Text)
	if a.Reasoning != "" {
		a.Index = 1
	}
	return a
}

// tokens returns how many tokens text has, as it is counted here.
func tokens(text string) int { return (len(text) + 3) / 4 }

func (a *answer) whole() string {
	a.Done = true
	return a.render("whole")
}

// stream returns the events of the answer as a stream.
func (a *answer) stream() []string {
	a.step("start", false)
	if a.Reasoning != "" {
		a.part("reasoning", a.Reasoning)
	}
	a.part("text", a.Text)
	a.step("end", true)
	a.step("done", true)
	return a.events
}

// part adds the steps of a part of the message: its beginning, its text in pieces and its end.
func (a *answer) part(name, text string) {
	a.step(name+" start", false)
	for at, piece := range a.Shape.deltas(text) {
		a.Piece, a.At = piece, at
		a.step(name, false)
	}
	a.step(name+" end", true)
}

// step adds the events of a step, if the API has any.
func (a *answer) step(name string, done bool) {
	a.Done = done
	for line := range strings.Lines(a.render(name)) {
		if data := strings.TrimSpace(line); data != "" {
			a.events = append(a.events, data)
		}
	}
}

// render returns what a template of the API makes of the answer, or "" if the API doesn't have it.
func (a *answer) render(name string) string {
	t := templates.Lookup(a.api.name + " " + name)
	if t == nil {
		return ""
	}
	var b strings.Builder
	err := t.Execute(&b, a)
	if err != nil {
		panic(err)
	}
	return b.String()
}

func quote(text string) string { return string(rawjson.Quote(text)) }

// Sequence returns the number of the next event.
func (a *answer) Sequence() int {
	a.sequence++
	return a.sequence - 1
}

// Total returns how many tokens the model read and wrote.
func (a *answer) Total() int { return a.In + a.Out }

// Reason returns why the model ended, in the words of the API.
func (a *answer) Reason() string { return cmp.Or(a.api.reasons[a.Finish], a.Finish) }

// Status returns the status of a response, or of an item.
func (a *answer) Status() string {
	switch {
	case !a.Done:
		return "in_progress"
	case a.Finish == "stop":
		return "completed"
	}
	return "incomplete"
}
