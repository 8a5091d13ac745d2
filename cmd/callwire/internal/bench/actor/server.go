package actor

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// Scene is a conversation that a model can play.
type Scene struct {
	Prompt  string // the first message of the user, by which it is known
	Catalog *sig.Catalog
	Steps   [][]score.Call // the calls of each message
	Last    string         // the message after the last call
}

// Trouble is what goes wrong with a request.
type Trouble string

// The kinds of trouble.
const (
	None     Trouble = ""
	Limited  Trouble = "429"
	Failure  Trouble = "500"
	CutShort Trouble = "cut"  // the connection breaks within the answer
	Slow     Trouble = "slow" // the answer comes in pieces, with pauses
)

// Server plays models. Its fields are set before it is used.
type Server struct {
	Scenes  []Scene
	Delims  []lexer.Delims   // tags that a manual may explain, besides the default ones
	Key     string           // if set, the key that requests must have
	Trouble []Trouble        // one for each request, from the beginning again at its end
	Count   func(string) int // tokens of a text; nil: four bytes are one

	// Asked counts the requests so far.
	Asked atomic.Int64

	counted sync.Map // tokens of texts
	listed  sync.Map // listings of catalogs
}

// request is what the server reads of either API.
type request struct {
	Model    string
	Stream   bool
	Seed     int
	System   string
	Messages []struct {
		Role      string
		Content   content
		ToolCalls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
	}
	Tools []json.RawMessage
}

// content is a text, or a list of blocks.
type content struct {
	text string
}

func (c *content) UnmarshalJSON(data []byte) error {
	var blocks []struct {
		Type    string
		Text    string
		Content string
	}
	if json.Unmarshal(data, &c.text) == nil {
		return nil
	}
	if err := json.Unmarshal(data, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		c.text += b.Text + b.Content
	}
	return nil
}

// ServeHTTP answers.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.Asked.Add(1) - 1
	w.Header().Set(endpoint.ScriptedHeader, "yes")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	anthropic := strings.HasSuffix(r.URL.Path, "/messages")
	if !anthropic && !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		fail(w, http.StatusNotFound, "there are /chat/completions and /messages")
		return
	}
	if key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key"); s.Key != "" && key != s.Key {
		fail(w, http.StatusUnauthorized, "Incorrect API key provided: "+key)
		return
	}
	trouble := None
	if len(s.Trouble) > 0 {
		trouble = s.Trouble[n%int64(len(s.Trouble))]
	}
	switch trouble {
	case Limited:
		w.Header().Set("Retry-After", "0")
		fail(w, http.StatusTooManyRequests, "too many requests")
		return
	case Failure:
		fail(w, http.StatusInternalServerError, "something broke")
		return
	}
	var q request
	if err := json.Unmarshal(body, &q); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	model, ok := Lookup(q.Model)
	if !ok {
		fail(w, http.StatusNotFound, fmt.Sprintf("there is no model %q", q.Model))
		return
	}
	a := s.play(model, q)
	a.input, a.output = s.read(q), s.count(a.text)
	for _, c := range a.calls {
		a.output += s.count(c.name+c.arguments) + 12 // what is around a native call
	}
	kind, pieces := "application/json", []string{a.whole(anthropic)}
	if q.Stream {
		kind, pieces = "text/event-stream", a.stream(anthropic)
	}
	w.Header().Set("Content-Type", kind)
	if trouble == CutShort {
		pieces = pieces[:(len(pieces)+1)/2]
		pieces[len(pieces)-1] = pieces[len(pieces)-1][:len(pieces[len(pieces)-1])/2]
	}
	for _, piece := range pieces {
		io.WriteString(w, piece)
		http.NewResponseController(w).Flush()
		if trouble == Slow {
			time.Sleep(2 * time.Millisecond)
		}
	}
	if trouble == CutShort {
		panic(http.ErrAbortHandler)
	}
}

// read returns how many tokens the model reads: what it is told, its tools as they
// are declared, and the messages.
func (s *Server) read(q request) int {
	n := s.countOnce(q.System)
	for _, tool := range q.Tools {
		n += s.countOnce(string(tool))
	}
	for _, m := range q.Messages {
		if m.Role == "system" {
			n += s.countOnce(m.Content.text)
			continue
		}
		n += s.count(m.Content.text)
		for _, c := range m.ToolCalls {
			n += s.count(c.Function.Arguments)
		}
	}
	return n
}

// countOnce is count for a text that comes again and again.
func (s *Server) countOnce(text string) int {
	if n, ok := s.counted.Load(text); ok {
		return n.(int)
	}
	n := s.count(text)
	s.counted.Store(text, n)
	return n
}

func (s *Server) count(text string) int {
	if s.Count == nil {
		return (len(text) + 3) / 4
	}
	return s.Count(text)
}

// play returns what a model answers.
func (s *Server) play(m Model, q request) *answer {
	var c stage
	scene, turn := s.scene(q)
	system := q.System
	step := 0
	for _, message := range q.Messages {
		switch message.Role {
		case "system":
			system += message.Content.text
		case "assistant":
			step++
		}
	}
	if scene == nil {
		return &answer{text: "I do not know that scene."}
	}
	c.catalog, c.turn = scene.Catalog, turn+q.Seed
	explained := false
	for _, l := range s.listings(c.catalog) {
		if strings.Contains(system, l.text) {
			c.protocol, explained = l.protocol, true
		}
	}
	for _, d := range append([]lexer.Delims{lexer.DefaultDelims}, s.Delims...) {
		if strings.Contains(system, d.Open) {
			c.delims, explained = d, true
			c.json = jsonCall(system, d.Open)
		}
	}
	// A message that was malformed is to be written again.
	for i, message := range q.Messages {
		if message.Role == "assistant" && spoilt(c, message.Content.text, message.ToolCalls) {
			step--
			c.again = c.again || i >= len(q.Messages)-2
		}
	}
	if step >= len(scene.Steps) {
		return &answer{text: scene.Last}
	}
	calls := scene.Steps[step]
	c.calls = len(calls)
	switch {
	case len(q.Tools) > 0:
		a := &answer{}
		for _, call := range calls {
			arguments, ok := m.native(c, call)
			if !ok {
				return &answer{text: proseText(c, calls)}
			}
			a.calls = append(a.calls, nativeCall{call.Name, arguments})
		}
		return a
	case explained:
		return &answer{text: m.text(c, calls)}
	}
	return &answer{text: "I have no tools."}
}

// listing is how a prompt in a protocol lists the tools of a catalog.
type listing struct {
	protocol parse.Protocol
	text     string
}

// listings returns the listings of all protocols that explain themselves.
func (s *Server) listings(catalog *sig.Catalog) []listing {
	if all, ok := s.listed.Load(catalog); ok {
		return all.([]listing)
	}
	var all []listing
	for _, name := range protocol.Names(yaml.XML) {
		if p, ok := protocol.ByName(name, yaml.XML).(parse.Prompter); ok {
			all = append(all, listing{p, strings.TrimSpace(string(p.AppendTools(nil, catalog)))})
		}
	}
	s.listed.Store(catalog, all)
	return all
}

// jsonCall reports whether a manual shows calls with a JSON body.
func jsonCall(system, open string) bool {
	_, after, _ := strings.Cut(system, "\n"+open)
	line, _, _ := strings.Cut(after, "\n")
	_, arguments, _ := strings.Cut(line, " ")
	return strings.HasPrefix(arguments, "{")
}

// spoilt reports whether a message of the model was malformed.
func spoilt(c stage, text string, calls []struct{ Function struct{ Arguments string } }) bool {
	for _, call := range calls {
		if !json.Valid([]byte(call.Function.Arguments)) {
			return true
		}
	}
	for _, s := range (parse.Options{Protocol: c.protocol, Delims: c.delims}).Text(text, c.catalog) {
		if s.Kind == parse.Malformed {
			return true
		}
	}
	return false
}

// scene returns what is played, and its number.
func (s *Server) scene(q request) (*Scene, int) {
	for _, m := range q.Messages {
		if m.Role != "user" {
			continue
		}
		for i := range s.Scenes {
			if strings.TrimSpace(m.Content.text) == strings.TrimSpace(s.Scenes[i].Prompt) {
				return &s.Scenes[i], i
			}
		}
	}
	return nil, 0
}

// fail answers with an error, in a shape that clients of both APIs read.
func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]string{"type": "scripted", "message": message}})
}
