package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/next/public/protocol"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// scriptedHeader is the header of answers that no model wrote.
const scriptedHeader = "Callwire-Scripted"

// DemoModels are the scripted models of a demonstration.
var DemoModels = []string{"scripted-perfect", "scripted-forgets-quotes", "scripted-drifts-strings",
	"scripted-drifts-spaces", "scripted-native-only", "scripted-prose-only"}

// player is a model of known quality.
type player struct {
	native func(s stage, c Call) (arguments string, ok bool)
	text   func(s stage, calls []Call) string
}

// stage is what a player knows of a request.
type stage struct {
	heard
	catalog *sig.Catalog
	turn    int  // number of the case plus the seed of the request
	again   bool // its last message was malformed
	calls   int  // of the message to write
}

// heard is how a prompt explains calls.
type heard struct {
	format  *parse.Format
	tags    parse.Tags
	isJSON  bool // calls are announced in JSON
	isKnown bool
}

// players are all scripted models, by name.
var players = map[string]player{
	"scripted-perfect":        {wellNative, wellText},
	"scripted-forgets-quotes": {forgetsNative, forgetsText},
	"scripted-native-only":    {wellNative, func(_ stage, calls []Call) string { return each(calls, envelope) }},
	"scripted-prose-only":     {func(stage, Call) (string, bool) { return "", false }, func(stage, []Call) string { return prose }},
	"scripted-drifts-no-close": drifting(func(s stage, call string) string {
		return strings.TrimSuffix(call, s.tags.Close)
	}),
	"scripted-drifts-spaces": drifting(func(_ stage, call string) string { return strings.Replace(call, "=", " = ", 1) }),
	"scripted-drifts-colon":  drifting(func(_ stage, call string) string { return strings.Replace(call, "=", ": ", 1) }),
	"scripted-drifts-parentheses": drifting(func(s stage, call string) string {
		inner := strings.TrimSuffix(strings.TrimPrefix(call, s.tags.Open), s.tags.Close)
		name, arguments, _ := strings.Cut(inner, " ")
		return s.tags.Open + name + "(" + arguments + ")" + s.tags.Close
	}),
	"scripted-drifts-fence": drifting(func(_ stage, call string) string { return "```\n" + call + "\n```" }),
	"scripted-drifts-envelope": {wellNative, func(s stage, calls []Call) string {
		return each(calls, func(c Call) string { return s.tags.Open + envelope(c) + s.tags.Close })
	}},
	"scripted-drifts-hermes": {wellNative, func(_ stage, calls []Call) string {
		return each(calls, func(c Call) string { return "<tool_call>\n" + envelope(c) + "\n</tool_call>" })
	}},
	"scripted-drifts-strings": {
		func(_ stage, c Call) (string, bool) { return string(stringified(c.Input)), true },
		func(s stage, calls []Call) string {
			s.catalog = sig.AnyTool // without types, strings that look like numbers are quoted
			return each(calls, func(c Call) string { return s.write(Call{c.Name, stringified(c.Input)}) })
		},
	},
}

const prose = "I would gladly do that for you, but I only talk."

// drifting is a player that spoils the text of each call, and no native call.
func drifting(spoil func(s stage, call string) string) player {
	return player{wellNative, func(s stage, calls []Call) string {
		return each(calls, func(c Call) string { return spoil(s, s.write(c)) })
	}}
}

func each(calls []Call, write func(Call) string) string {
	parts := make([]string, len(calls))
	for i, c := range calls {
		parts[i] = write(c)
	}
	return "I use a tool for that.\n" + strings.Join(parts, "\n")
}

// write writes a call as the prompt says.
func (s stage) write(c Call) string {
	o := &parse.FormatOptions{Format: s.format, Tags: s.tags, JSON: s.isJSON}
	if s.format != nil {
		o.Tags = parse.Tags{}
	}
	text, err := parse.FormatCall(s.catalog, c.Name, c.Input, o)
	if err != nil {
		return err.Error() // the case is wrong, as the reader will see
	}
	return text
}

func envelope(c Call) string { return fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.Name, c.Input) }

func wellNative(_ stage, c Call) (string, bool) { return string(c.Input), true }

func wellText(s stage, calls []Call) string { return each(calls, s.write) }

// forgets reports whether the model forgets quotes in this message: in one of ten cases, and in
// another one with each seed, until it is told.
func (s stage) forgets() bool { return s.turn%10 == 0 && !s.again && s.calls == 1 }

func forgetsNative(s stage, c Call) (string, bool) {
	if s.forgets() {
		return forget(string(c.Input)), true
	}
	return string(c.Input), true
}

func forgetsText(s stage, calls []Call) string {
	if s.forgets() {
		return each(calls, func(c Call) string { return forget(s.write(c)) })
	}
	return wellText(s, calls)
}

// quoted is a string in quotes with whitespace in it.
var quoted = regexp.MustCompile(`([=:] ?)(?:"((?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*\s(?:[^'\\]|\\.)*)')`)

// forget removes the quotes around the first such string.
func forget(text string) string {
	at := quoted.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	return text[:at[0]] + quoted.ReplaceAllString(text[at[0]:at[1]], "$1$2$3") + text[at[1]:]
}

// stringified returns the arguments with strings in place of numbers and booleans.
func stringified(input json.RawMessage) json.RawMessage {
	value, err := decode(input)
	if err != nil {
		return input
	}
	text, err := bench.JSON(withStrings(value))
	if err != nil {
		return input
	}
	return text
}

func withStrings(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = withStrings(member)
			switch member.(type) {
			case json.Number, bool:
				v[name] = fmt.Sprint(member)
			}
		}
	case []any:
		for i := range v {
			v[i] = withStrings(v[i])
		}
	}
	return value
}

// theater plays the scripted models.
type theater struct {
	cases   []Case
	prompts sync.Map // what was heard of them
}

// NewScripted returns an endpoint whose models are scripted: programs that call the tools of the
// cases well, or badly in a known way. What they answer depends on the request only. It speaks
// OpenAI's API.
func NewScripted(cases []Case) *scripted.Model {
	t := &theater{cases: cases}
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
		return scripted.Reply{Status: http.StatusBadRequest, Raw: `{"error":{"message":"invalid JSON"}}`}
	}
	p, ok := players[q.Model]
	if !ok {
		return scripted.Reply{Status: http.StatusNotFound, Raw: `{"error":{"message":"no such model"}}`}
	}
	turns := r.Turns()
	c, number := t.find(turns)
	if c == nil {
		return scripted.Reply{Text: "I don't know that case."}
	}
	s := stage{catalog: c.Catalog, turn: number + q.Seed}
	step := 0
	for i, turn := range turns {
		last := i >= len(turns)-2
		switch {
		case turn.Role == "system":
			s.heard = t.hear(turn.Text, c.Catalog)
		case turn.Role == "assistant":
			step++
			if r.Tools() == 0 && s.spoiled(turn.Text) {
				step--
				s.again = s.again || last
			}
		case turn.Role == "tool" && strings.HasPrefix(turn.Text, "error: "):
			step--
			s.again = s.again || last
		}
	}
	if step >= len(c.Solution) {
		return scripted.Reply{Text: c.Last}
	}
	calls := c.Solution[step]
	s.calls = len(calls)
	if r.Tools() > 0 {
		return p.callNatively(len(turns), s, r, calls)
	}
	if !s.isKnown {
		return scripted.Reply{Text: "I have no tools."}
	}
	return scripted.Reply{Text: p.text(s, calls)}
}

// find returns the case that is played, and its number.
func (t *theater) find(turns []scripted.Turn) (*Case, int) {
	for _, turn := range turns {
		for i := range t.cases {
			if turn.Role == "user" && strings.TrimSpace(turn.Text) == t.cases[i].Prompt {
				return &t.cases[i], i
			}
		}
	}
	return nil, 0
}

// spoiled reports whether a message of the model was malformed.
func (s stage) spoiled(text string) bool {
	segments, _ := parse.Message(s.catalog, text, &parse.Options{Format: s.format, Tags: s.tags}) // the tags were read before
	for _, segment := range segments {
		if segment.Err != nil {
			return true
		}
	}
	return false
}

// hear finds out how a prompt explains calls: by the prompt of a format, or from calls in the wire
// format that it contains.
func (t *theater) hear(system string, catalog *sig.Catalog) heard {
	if h, ok := t.prompts.Load(system); ok {
		return h.(heard)
	}
	var h heard
	for _, f := range formats() {
		if f.Name == wire {
			continue
		}
		prompt := promptOf(f, catalog)
		if prompt != "" && strings.Contains(system, prompt) {
			h = heard{format: f, tags: f.Call, isKnown: true}
		}
	}
	for _, tags := range []parse.Tags{protocol.Wire.Call, {Open: "((", Close: "))"}} {
		if _, call, ok := strings.Cut(system, "\n"+tags.Open); ok && h.format == nil {
			_, arguments, _ := strings.Cut(call, " ")
			h = heard{tags: tags, isKnown: true, isJSON: strings.HasPrefix(arguments, "{")}
		}
	}
	t.prompts.Store(system, h)
	return h
}

// promptOf returns how a prompt lists the tools in a format other than the wire format.
func promptOf(f *parse.Format, catalog *sig.Catalog) string {
	m, err := manual.New(catalog, &manual.Options{Format: f})
	if err != nil {
		return ""
	}
	return m.String()
}

// callNatively answers with native calls. The message is number n of the conversation.
func (p player) callNatively(n int, s stage, r scripted.Request, calls []Call) scripted.Reply {
	type object map[string]any
	var all []object
	output := 0
	for i, c := range calls {
		arguments, ok := p.native(s, c)
		if !ok {
			return scripted.Reply{Text: prose}
		}
		output += (len(c.Name)+len(arguments)+3)/4 + 12 // what is around a native call
		function := object{"name": c.Name, "arguments": arguments}
		all = append(all, object{"id": fmt.Sprintf("call_%d_%d", n, i), "type": "function", "function": function})
	}
	input := (len(r.Body) + 3) / 4
	message := object{"role": "assistant", "content": nil, "tool_calls": all}
	raw, err := bench.JSON(object{
		"object":  "chat.completion",
		"choices": []object{{"index": 0, "message": message, "finish_reason": "tool_calls"}},
		"usage":   object{"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
	})
	if err != nil {
		return scripted.Reply{Status: http.StatusInternalServerError, Raw: `{"error":{"message":"not encodable"}}`}
	}
	return scripted.Reply{Raw: string(raw)}
}
