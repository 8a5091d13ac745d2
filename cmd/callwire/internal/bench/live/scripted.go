package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
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
	prompt, _ := textOf(messages[1])
	number := slices.IndexFunc(t.cases, func(c Case) bool { return prompt == c.Prompt })
	if number < 0 {
		return scripted.Reply{Text: "I don't know that case."}
	}
	c := &t.cases[number]
	system, _ := textOf(messages[0])
	s := stage{t.arms[system], q.Model, c.Catalog, false}
	step, isCorrected := 0, false
	for i, m := range messages[2:] {
		text, isBad := textOf(m)
		if m.Role == manual.Assistant {
			step++
			isBad = s.Arm != nil && s.isMalformed(text)
		}
		if isBad { // write it again
			step = max(step-1, 0)
			isCorrected = isCorrected || i >= len(messages)-4
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

// textOf returns the text of a message, and whether it reports a malformed native call.
func textOf(m manual.Message) (text string, isBad bool) {
	for _, p := range m.Parts {
		text += p.Text
		isBad = isBad || p.Kind == manual.Result && strings.HasPrefix(p.Text, "error: ")
	}
	return text, isBad
}

// isMalformed reports whether a message of the model has a malformed call.
func (s stage) isMalformed(text string) bool {
	o := &parse.Options{Format: s.chat.Format, Tags: s.chat.Tags}
	segments, _ := parse.Message(s.catalog, text, o)
	return slices.ContainsFunc(segments, func(x parse.Segment) bool { return x.Err != nil })
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
			Format: s.chat.Format, Tags: s.chat.Tags, JSON: s.chat.Plan.JSON,
		})
		if err != nil {
			return err.Error() // the case is wrong, as the reader will see
		}
	}
	switch {
	case s.model == "scripted-drifts-spaces" && s.Arm != nil:
		return strings.Replace(text, "=", " = ", 1)
	case s.forgets:
		return forget(text)
	}
	return text
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

// stringified returns the arguments with the numbers and booleans in objects as strings.
func stringified(input json.RawMessage) json.RawMessage {
	value, err := decode(input)
	if err != nil {
		return input
	}
	return bench.JSON(mapped(value, false, func(v any, isMember bool) any {
		switch v.(type) {
		case json.Number, bool:
			if isMember {
				return fmt.Sprint(v)
			}
		}
		return v
	}))
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
