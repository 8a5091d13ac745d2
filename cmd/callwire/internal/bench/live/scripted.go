package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// scriptedHeader is the header of answers that no model wrote.
const scriptedHeader = "Callwire-Scripted"

// DemoModels are the scripted models.
var DemoModels = []string{
	"scripted-perfect", "scripted-forgets-quotes", "scripted-drifts-strings",
	"scripted-drifts-spaces", "scripted-native-only", "scripted-prose-only",
}

// stage is what a scripted model knows about a request.
type stage struct {
	*Arm    // by which the prompt explains calls; nil if it doesn't
	model   string
	catalog *sig.Catalog
	turn    int  // number of the case plus the seed of the request
	again   bool // its last message was malformed
	calls   int  // of the message to write
}

const prose = "I would gladly do that for you, but I only talk."

// text returns calls as the model writes them in text.
func (s stage) text(calls []Call) string {
	if s.model == "scripted-prose-only" {
		return prose
	}
	text := "I use a tool for that."
	for _, c := range calls {
		text += "\n" + s.write(c)
	}
	return text
}

// write writes a call in the format of the prompt, with the mistakes of the model.
func (s stage) write(c Call) string {
	if s.model == "scripted-native-only" {
		return fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.Name, c.Input)
	}
	catalog := s.catalog
	if s.model == "scripted-drifts-strings" {
		catalog = sig.AnyTool // without types, strings that look like numbers are quoted
		c.Input = stringified(c.Input)
	}
	o := &parse.FormatOptions{
		Format: s.chat.Format, Tags: s.chat.Tags, JSON: s.chat.Plan.Syntax == sig.JSON,
	}
	text, err := parse.FormatCall(catalog, c.Name, c.Input, o)
	switch {
	case err != nil:
		return err.Error() // the case is wrong, as the reader will see
	case s.model == "scripted-drifts-spaces":
		return strings.Replace(text, "=", " = ", 1)
	case s.forgets():
		return forget(text)
	}
	return text
}

// native returns the arguments of a native call as the model writes them.
func (s stage) native(c Call) string {
	if s.model == "scripted-drifts-strings" {
		c.Input = stringified(c.Input)
	}
	if s.forgets() {
		return forget(string(c.Input))
	}
	return string(c.Input)
}

// forgets reports whether the model forgets quotes in this message: in one of ten cases, and in
// another one with each seed, until it is corrected.
func (s stage) forgets() bool {
	return s.model == "scripted-forgets-quotes" && s.turn%10 == 0 && !s.again && s.calls == 1
}

// quoted is a string in quotes with whitespace in it.
var quoted = regexp.MustCompile(
	`([=:] ?)(?:"((?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*\s(?:[^'\\]|\\.)*)')`)

// forget removes the quotes around the first such string.
func forget(text string) string {
	at := quoted.FindStringIndex(text)
	if at == nil {
		return text
	}
	return text[:at[0]] + quoted.ReplaceAllString(text[at[0]:at[1]], "$1$2$3") + text[at[1]:]
}

// stringified returns the arguments with numbers and booleans as strings.
func stringified(input json.RawMessage) json.RawMessage {
	value, err := decode(input)
	if err != nil {
		return input
	}
	text, err := bench.JSON(withStrings(value, false))
	if err != nil {
		return input
	}
	return text
}

// withStrings changes the members of objects.
func withStrings(value any, isMember bool) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = withStrings(member, true)
		}
	case []any:
		for i := range v {
			v[i] = withStrings(v[i], false)
		}
	case json.Number, bool:
		if isMember {
			return fmt.Sprint(v)
		}
	}
	return value
}

// theater plays the scripted models.
type theater struct {
	cases   []Case
	arms    []Arm
	prompts sync.Map // of *Arm by system text
}

// NewScripted returns an endpoint whose models are scripted: programs that call the tools of the
// cases well, or badly in a known way, as the prompts of the arms explain. What they answer depends
// on the request only. It speaks OpenAI's API.
func NewScripted(cases []Case, arms []Arm) *scripted.Model {
	t := &theater{cases: cases, arms: arms}
	return &scripted.Model{Script: func(_ int, r scripted.Request) scripted.Reply {
		reply := t.reply(r)
		reply.Header = http.Header{scriptedHeader: {"yes"}}
		return reply
	}}
}

// reply answers a request.
func (t *theater) reply(r scripted.Request) scripted.Reply {
	var q struct {
		Model string
		Seed  int
	}
	if err := json.Unmarshal(r.Body, &q); err != nil {
		return scripted.Reply{
			Status: http.StatusBadRequest, Raw: `{"error":{"message":"invalid JSON"}}`,
		}
	}
	messages, _, err := manual.ParseMessages(r.Body)
	if err != nil {
		return scripted.Reply{Text: err.Error()}
	}
	c, number := t.find(messages)
	if c == nil {
		return scripted.Reply{Text: "I don't know that case."}
	}
	s := stage{model: q.Model, catalog: c.Catalog, turn: number + q.Seed}
	step := 0
	for i, m := range messages {
		text, isBad := textOf(m)
		switch m.Role {
		case manual.System:
			s.Arm = t.hear(text, c.Catalog)
		case manual.Assistant:
			step++
			isBad = s.Arm != nil && s.isMalformed(text)
		}
		if isBad { // write it again
			step--
			s.again = s.again || i >= len(messages)-2
		}
	}
	switch {
	case step >= len(c.Solution):
		return scripted.Reply{Text: c.Last}
	case r.Tools() == 0 && s.Arm == nil:
		return scripted.Reply{Text: "I have no tools."}
	}
	s.calls = len(c.Solution[step])
	if r.Tools() == 0 || s.model == "scripted-prose-only" {
		return scripted.Reply{Text: s.text(c.Solution[step])}
	}
	return s.callNatively(len(messages), r, c.Solution[step])
}

// textOf returns the text of a message, and whether it reports a malformed native call.
func textOf(m manual.Message) (text string, isBad bool) {
	for _, p := range m.Parts {
		text += p.Text
		isBad = isBad || p.Kind == manual.Result && strings.HasPrefix(p.Text, "error: ")
	}
	return text, isBad
}

// find returns the case that is played, and its number.
func (t *theater) find(messages []manual.Message) (*Case, int) {
	for _, m := range messages {
		text, _ := textOf(m)
		text = strings.TrimSpace(text)
		i := slices.IndexFunc(t.cases, func(c Case) bool { return text == c.Prompt })
		if m.Role == manual.User && i >= 0 {
			return &t.cases[i], i
		}
	}
	return nil, 0
}

// isMalformed reports whether a message of the model has a malformed call.
func (s stage) isMalformed(text string) bool {
	o := &parse.Options{Format: s.chat.Format, Tags: s.chat.Tags}
	segments, _ := parse.Message(s.catalog, text, o)
	return slices.ContainsFunc(segments, func(x parse.Segment) bool { return x.Err != nil })
}

// hear returns the arm whose prompt a system text contains, or nil if there is none.
func (t *theater) hear(system string, catalog *sig.Catalog) *Arm {
	if heard, ok := t.prompts.Load(system); ok {
		return heard.(*Arm)
	}
	var heard *Arm
	for i, a := range t.arms {
		prompt, err := a.prompt(catalog)
		if a.Mode != native && err == nil && prompt != "" && strings.Contains(system, prompt) {
			heard = &t.arms[i]
		}
	}
	t.prompts.Store(system, heard)
	return heard
}

// callNatively answers with native calls. The message is number n of the conversation.
func (s stage) callNatively(n int, r scripted.Request, calls []Call) scripted.Reply {
	var all []object
	output := 0
	for i, c := range calls {
		function := object{"name": c.Name, "arguments": s.native(c)}
		id := fmt.Sprintf("call_%d_%d", n, i)
		all = append(all, object{"id": id, "type": "function", "function": function})
		output += (len(c.Name)+len(c.Input)+3)/4 + 12 // what is around a native call
	}
	input := (len(r.Body) + 3) / 4
	message := object{"role": "assistant", "content": nil, "tool_calls": all}
	raw, err := bench.JSON(object{
		"object":  "chat.completion",
		"choices": []object{{"index": 0, "message": message, "finish_reason": "tool_calls"}},
		"usage":   object{"prompt_tokens": input, "completion_tokens": output},
	})
	if err != nil {
		return scripted.Reply{Text: err.Error()}
	}
	return scripted.Reply{Raw: string(raw)}
}
