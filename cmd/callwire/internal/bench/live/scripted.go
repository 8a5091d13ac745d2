package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// The scripted models, by their mistakes.
const (
	perfect       = "scripted-perfect"
	forgetsQuotes = "scripted-forgets-quotes"
	driftsStrings = "scripted-drifts-strings"
	driftsSpaces  = "scripted-drifts-spaces"
	nativeOnly    = "scripted-native-only"
	proseOnly     = "scripted-prose-only"
)

// DemoModels are the scripted models. No other model has such a name.
var DemoModels = []string{
	perfect, forgetsQuotes, driftsStrings, driftsSpaces, nativeOnly, proseOnly,
}

// NewScripted returns an endpoint whose models are scripted: programs that call the tools of the
// cases well, or badly in a known way, as the prompts of the arms explain. What they answer depends
// on the request only. It speaks OpenAI's API.
func NewScripted(cases []Case, arms []Arm) *scripted.Model {
	explained := map[string]*Arm{} // by system text
	for i := range cases {
		for j, a := range arms {
			chat, err := a.open(&cases[i])
			if err == nil && a.Mode != native && !a.chat.Manual.Off {
				explained[textOf(chat.Messages()[0])] = &arms[j]
			}
		}
	}
	return &scripted.Model{Script: func(_ int, r scripted.Request) scripted.Reply {
		messages, _, err := manual.ParseMessages(r.Body)
		for number := range cases {
			c := &cases[number]
			if err == nil && len(messages) > 1 && textOf(messages[1]) == c.Prompt {
				return reply(c, number, explained[textOf(messages[0])], messages[2:], r)
			}
		}
		return scripted.Reply{Text: "I don't know that case."}
	}}
}

// reply answers a request about a case, which has a number. The arm explains calls, or is nil if
// they are native; the messages follow the prompt.
func reply(
	c *Case, number int, a *Arm, messages []manual.Message, r scripted.Request,
) scripted.Reply {
	body := rawjson.ParseObject(r.Body)
	step, isCorrected := 0, false
	for _, m := range messages {
		isCorrected = m.Role != manual.Assistant && strings.Contains(textOf(m), "not executed")
		if m.Role == manual.Assistant {
			step++
		} else if isCorrected { // write it again
			step = max(step-1, 0)
		}
	}
	model := body.Text("model")
	switch {
	case step >= len(c.Solution):
		return scripted.Reply{Text: c.Last}
	case model == proseOnly, a == nil && r.Tools() == 0:
		return scripted.Reply{Text: "I would gladly do that for you, but I only talk."}
	}
	calls := c.Solution[step]
	// It forgets quotes in one of ten cases, and in another one with each seed, until it is
	// corrected.
	isLapse := (number+count(body, "seed"))%10 == 0 && !isCorrected && len(calls) == 1
	if model == forgetsQuotes && !isLapse {
		model = perfect
	}
	text, native, output := "I use a tool for that.", manual.Message{Role: manual.Assistant}, 0
	for i, call := range calls {
		written := write(model, a, c.Catalog, call)
		text += "\n" + written
		native.Parts = append(native.Parts, manual.Part{
			Kind: manual.Call, ID: fmt.Sprintf("call_%d_%d", len(messages), i), Name: call.Name,
			Input: rawjson.Quote(written),
		})
		output += (len(call.Name)+len(call.Input)+3)/4 + 12 // what is around a native call
	}
	if a != nil {
		return scripted.Reply{Text: text}
	}
	message, err := manual.ChatCompletions.AppendMessages(nil, []manual.Message{native})
	if err != nil {
		return scripted.Reply{Text: err.Error()}
	}
	return scripted.Reply{Raw: fmt.Sprintf(`{"choices":[{"message":%s,"finish_reason":`+
		`"tool_calls"}],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`,
		bytes.Trim(message, "[]"), (len(r.Body)+3)/4, output)}
}

// write writes a call as the arm explains it, or the arguments of a native one, with the mistakes
// of the model.
func write(model string, a *Arm, catalog *sig.Catalog, c bench.Call) string {
	if model == driftsStrings {
		catalog = sig.AnyTool // without types, strings that look like numbers are quoted
		c.Input = stringified(c.Input)
	}
	text := string(c.Input)
	switch {
	case a == nil:
	case model == nativeOnly:
		return fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.Name, c.Input)
	default:
		o, err := &a.chat.Manual, error(nil)
		text, err = parse.FormatCall(catalog, c.Name, c.Input, &parse.FormatOptions{
			Format: o.Format, Tags: o.Tags, JSON: o.Form == sig.JSON,
		})
		if err != nil {
			return err.Error() // the case is wrong, as the reader will see
		}
	}
	switch {
	case model == driftsSpaces && a != nil:
		return strings.Replace(text, "=", " = ", 1)
	case model == forgetsQuotes:
		return withoutQuotes.Replace(text)
	}
	return text
}

var withoutQuotes = strings.NewReplacer(`"`, "", `'`, "")

// stringified returns the arguments with numbers and booleans as strings.
func stringified(input json.RawMessage) json.RawMessage {
	object, _ := decode(input).(map[string]any)
	for name, v := range object {
		switch v.(type) {
		case json.Number, bool:
			object[name] = fmt.Sprint(v)
		}
	}
	return bench.JSON(object)
}
