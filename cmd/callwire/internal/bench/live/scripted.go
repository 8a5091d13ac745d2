package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// DemoModels are the scripted models. No other model has such a name.
var DemoModels = []string{
	"scripted-perfect", "scripted-forgets-quotes", "scripted-drifts-strings",
	"scripted-drifts-spaces", "scripted-native-only", "scripted-prose-only",
}

// theater plays the scripted models.
type theater struct {
	cases []Case
	arms  map[string]*Arm // by system text, if that explains the tools
}

// NewScripted returns an endpoint whose models are scripted: programs that call the tools of the
// cases well, or badly in a known way, as the prompts of the arms explain. What they answer depends
// on the request only. It speaks OpenAI's API.
func NewScripted(cases []Case, arms []Arm) *scripted.Model {
	t := &theater{cases, map[string]*Arm{}}
	for i := range cases {
		for j, a := range arms {
			system, err := a.system(&cases[i])
			if err == nil && system != cases[i].System {
				t.arms[system] = &arms[j]
			}
		}
	}
	return &scripted.Model{Script: func(_ int, r scripted.Request) scripted.Reply {
		return t.reply(r)
	}}
}

// stage is what a scripted model knows about a request.
type stage struct {
	*Arm    // by which the prompt explains calls; nil if calls are native
	model   string
	catalog *sig.Catalog
	forgets bool // quotes
}

// reply answers a request.
func (t *theater) reply(r scripted.Request) scripted.Reply {
	var q struct {
		Model string
		Seed  int
	}
	messages, _, err := manual.ParseMessages(r.Body)
	if err != nil || json.Unmarshal(r.Body, &q) != nil || len(messages) < 2 {
		return scripted.Reply{
			Status: http.StatusBadRequest, Raw: `{"error":{"message":"not a request"}}`,
		}
	}
	prompt := textOf(messages[1])
	number := slices.IndexFunc(t.cases, func(c Case) bool { return prompt == c.Prompt })
	if number < 0 {
		return scripted.Reply{Text: "I don't know that case."}
	}
	c := &t.cases[number]
	s := stage{t.arms[textOf(messages[0])], q.Model, c.Catalog, false}
	step, isCorrected := 0, false
	for _, m := range messages[2:] {
		if m.Role == manual.Assistant {
			step++
			continue
		}
		isCorrected = strings.Contains(textOf(m), "not executed")
		if isCorrected { // write it again
			step = max(step-1, 0)
		}
	}
	switch {
	case step >= len(c.Solution):
		return scripted.Reply{Text: c.Last}
	case r.Tools() == 0 && s.Arm == nil:
		return scripted.Reply{Text: "I have no tools."}
	case s.model == "scripted-prose-only":
		return scripted.Reply{Text: "I would gladly do that for you, but I only talk."}
	}
	calls := c.Solution[step]
	// It forgets quotes in one of ten cases, and in another one with each seed, until it is
	// corrected.
	s.forgets = s.model == "scripted-forgets-quotes" && (number+q.Seed)%10 == 0 &&
		!isCorrected && len(calls) == 1
	if s.Arm == nil {
		return s.callNatively(len(messages), r, calls)
	}
	text := "I use a tool for that."
	for _, call := range calls {
		text += "\n" + s.write(call)
	}
	return scripted.Reply{Text: text}
}

// textOf returns the text of a message.
func textOf(m manual.Message) (text string) {
	for _, p := range m.Parts {
		text += p.Text
	}
	return text
}

// write writes a call as the prompt explains it, or the arguments of a native one, with the
// mistakes of the model.
func (s stage) write(c bench.Call) string {
	if s.model == "scripted-drifts-strings" {
		s.catalog = sig.AnyTool // without types, strings that look like numbers are quoted
		c.Input = stringified(c.Input)
	}
	text := string(c.Input)
	switch {
	case s.Arm == nil:
	case s.model == "scripted-native-only":
		return fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.Name, c.Input)
	default:
		var err error
		text, err = parse.FormatCall(s.catalog, c.Name, c.Input, &parse.FormatOptions{
			Format: s.chat.Manual.Format, Tags: s.chat.Manual.Tags, JSON: s.chat.Manual.Plan.JSON,
		})
		if err != nil {
			return err.Error() // the case is wrong, as the reader will see
		}
	}
	switch {
	case s.model == "scripted-drifts-spaces" && s.Arm != nil:
		return strings.Replace(text, "=", " = ", 1)
	case s.forgets:
		return withoutQuotes.Replace(text)
	}
	return text
}

var withoutQuotes = strings.NewReplacer(`"`, "", `'`, "")

// stringified returns the arguments with numbers and booleans as strings.
func stringified(input json.RawMessage) json.RawMessage {
	value, _ := decode(input)
	object, _ := value.(map[string]any)
	for name, v := range object {
		switch v.(type) {
		case json.Number, bool:
			object[name] = fmt.Sprint(v)
		}
	}
	return bench.JSON(object)
}

// callNatively answers with native calls. The message is number n of the conversation.
func (s stage) callNatively(n int, r scripted.Request, calls []bench.Call) scripted.Reply {
	m := manual.Message{Role: manual.Assistant}
	output := 0
	for i, c := range calls {
		m.Parts = append(m.Parts, manual.Part{
			Kind: manual.Call, ID: fmt.Sprintf("call_%d_%d", n, i), Name: c.Name,
			Input: rawjson.Quote(s.write(c)),
		})
		output += (len(c.Name)+len(c.Input)+3)/4 + 12 // what is around a native call
	}
	messages, err := manual.ChatCompletions.AppendMessages(nil, []manual.Message{m})
	if err != nil {
		return scripted.Reply{Text: err.Error()}
	}
	return scripted.Reply{Raw: fmt.Sprintf(
		`{"choices":[{"message":%s,"finish_reason":"tool_calls"}],`+
			`"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`,
		bytes.Trim(messages, "[]"), (len(r.Body)+3)/4, output)}
}
