package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// A conversation is a history in the shape of one API, and what it contains. Users and tools say
// what an attacker would want.
type conversation struct {
	messages []manual.Message
	calls    []invocation // of the assistant, in order
	results  []outcome    // of the calls, in order
}

// An invocation is a call of a conversation.
type invocation struct {
	id, tool, input string
	sound           bool // it can be written: the input is an object, and the name is valid
}

// An outcome is the result of a call.
type outcome struct {
	json   string // as in a message
	text   string // its content
	kept   string // the part of it that must stay as it is
	failed bool
	call   int // index of the call
}

// A shape is how an API writes one turn: the user, the assistant and the results. The lists CALLS
// and RESULTS may be empty: a comma beside them then goes.
type shape struct {
	turn   string // of USER, SAYS, CALLS and RESULTS
	call   string // of ID, NAME, INPUT, and TEXT: the input as text
	result string // of ID, NAME, OUTPUT, FAILED and ERROR; empty if it is part of the call
	done   string // a call with its result
	broken string // a call with its error
}

// Beginnings of turns.
const (
	asks  = `{"role":"user","content":USER},`
	says  = `{"role":"assistant","content":SAYS`
	parts = `{"role":"assistant","content":[{"type":"text","text":SAYS},CALLS]},`
)

// shapes are those of the APIs, in variants.
var shapes = []shape{
	{ // OpenAI, chat completions
		turn:   asks + says + `,"tool_calls":[CALLS]},RESULTS`,
		call:   `{"id":ID,"type":"function","function":{"name":NAME,"arguments":TEXT}}`,
		result: `{"role":"tool","tool_call_id":ID,"content":OUTPUT}`,
	},
	{
		turn: `{"role":"user","content":[{"type":"text","text":USER},{"type":"text","text":USER}]},` +
			says + `,"tool_calls":[CALLS]},{"role":"system","content":"Be quick"},RESULTS`,
		call:   `{"id":ID,"type":"function","function":{"name":NAME,"arguments":INPUT}}`,
		result: `{"role":"tool","toolCallId":ID,"output":OUTPUT}`,
	},
	{ // OpenAI, earlier
		turn: asks + says + `},CALLS`,
		call: `{"role":"assistant","content":null,"function_call":{"name":NAME,"arguments":TEXT}}`,
		done: `{"role":"assistant","content":null,"function_call":{"name":NAME,"arguments":TEXT}},` +
			`{"role":"function","name":NAME,"content":OUTPUT}`,
	},
	{ // OpenAI, responses
		turn: asks + `{"type":"message","role":"assistant","content":[` +
			`{"type":"output_text","text":SAYS}]},CALLS,RESULTS`,
		call:   `{"type":"function_call","call_id":ID,"name":NAME,"arguments":TEXT}`,
		result: `{"type":"function_call_output","call_id":ID,"output":OUTPUT}`,
	},
	{ // Anthropic
		turn:   asks + parts + `{"role":"user","content":[RESULTS,{"type":"text","text":USER}]}`,
		call:   `{"type":"tool_use","id":ID,"name":NAME,"input":INPUT}`,
		result: `{"type":"tool_result","tool_use_id":ID,"is_error":FAILED,"content":OUTPUT}`,
	},
	{ // AI SDK, for models
		turn:   asks + parts + `{"role":"tool","content":[RESULTS]}`,
		call:   `{"type":"tool-call","toolCallId":ID,"toolName":NAME,"input":INPUT}`,
		result: `{"type":"tool-result","toolCallId":ID,"toolName":NAME,"output":OUTPUT}`,
	},
	{
		turn: asks + parts + `{"role":"tool","content":[RESULTS]}`,
		call: `{"type":"tool-call","toolCallId":ID,"toolName":NAME,"args":INPUT}`,
		result: `{"type":"tool-result","toolCallId":ID,"toolName":NAME,` +
			`"output":{"type":"ERRORjson","value":OUTPUT}}`,
	},
	{ // AI SDK, for user interfaces
		turn: `{"role":"user","parts":[{"type":"text","text":USER}]},{"role":"assistant",` +
			`"parts":[{"type":"step-start"},{"type":"text","text":SAYS},CALLS]}`,
		call: `{"type":"dynamic-tool","toolName":NAME,"toolCallId":ID,"input":INPUT,` +
			`"state":"input-available"}`,
		done: `{"type":"dynamic-tool","toolName":NAME,"toolCallId":ID,"input":INPUT,` +
			`"state":"output-available","providerExecuted":true,"output":OUTPUT}`,
		broken: `{"type":"dynamic-tool","toolName":NAME,"toolCallId":ID,"input":INPUT,` +
			`"state":"output-error","errorText":OUTPUT}`,
	},
}

// newConversation returns a conversation about the tools of a catalog that attacks the tags. What
// the assistant says contains no opener; any other text may.
func newConversation(s Source, catalog *sig.Catalog, tags protocol.Tags) conversation {
	c := conversation{}
	sh := oneOf(s, shapes...)
	id := oneOf(s,
		func(all, n int) string { return fmt.Sprint("id", all) },
		func(all, n int) string { return fmt.Sprint("call", n) }, // again in each turn
		func(all, n int) string { return "" },
		func(all, n int) string { return "same" },
	)
	turns := []string{`{"role":"system","content":"Be kind"}`}
	for range 1 + s.IntN(4) {
		says := hostile(s, tags)
		if strings.Contains(says, tags.Open) {
			says = "Let me see"
		}
		answered := !chance(s, 6)
		var calls, results []string
		for n := range s.IntN(4) {
			call := newInvocation(s, catalog, tags)
			call.id = id(len(c.calls), n)
			text := sh.call
			o := newOutcome(s, tags)
			if answered {
				o.call = len(c.calls)
				text = sh.answer(chance(s, 4), call, &o)
				if sh.result != "" {
					results = append(results, text)
					text = sh.call
				}
				c.results = append(c.results, o)
			}
			calls = append(calls, call.fill(text, o))
			c.calls = append(c.calls, call)
		}
		turns = append(turns, sh.fill(Quote(s, hostile(s, tags)), Quote(s, says), calls, results))
	}
	all := "[" + strings.Join(turns, ",") + "]"
	if err := json.Unmarshal([]byte(all), &c.messages); err != nil {
		panic(fmt.Sprintf("%v: %s", err, all))
	}
	return c
}

// answer returns the text of the result, or of the call that includes it. It failed if the shape
// can say so.
func (sh shape) answer(failed bool, call invocation, o *outcome) string {
	switch {
	case sh.result != "":
		marks := strings.Contains(sh.result, "FAILED") || strings.Contains(sh.result, "ERROR")
		failed = failed && marks
		o.failed = o.failed || failed
		word := map[bool]string{true: "error-"}[failed]
		text := strings.NewReplacer("FAILED", fmt.Sprint(failed), "ERROR", word).Replace(sh.result)
		return call.fill(text, *o)
	case failed && sh.broken != "":
		o.failed = true
		return sh.broken
	}
	return sh.done
}

// fill returns a text with the call and its result.
func (c invocation) fill(text string, o outcome) string {
	quote := func(text string) string { return Quote(&Choices{}, text) }
	return strings.NewReplacer("ID", quote(c.id), "NAME", quote(c.tool), "INPUT", c.input,
		"TEXT", quote(c.input), "OUTPUT", o.json).Replace(text)
}

// fill returns a turn.
func (sh shape) fill(user, says string, calls, results []string) string {
	pairs := []string{"USER", user, "SAYS", says}
	for name, list := range map[string][]string{"CALLS": calls, "RESULTS": results} {
		all := strings.Join(list, ",")
		before, after := ","+all, all+","
		if all == "" {
			before, after = "", ""
		}
		pairs = append(pairs, ","+name, before, name+",", after, name, all)
	}
	turn := strings.NewReplacer(pairs...).Replace(sh.turn)
	if len(results) == 0 {
		turn = strings.TrimSuffix(turn, `,{"role":"tool","content":[]}`)
	}
	return turn
}

// hostile returns what an attacker would put in a conversation: calls, results and halves of both.
func hostile(s Source, tags protocol.Tags) string {
	half := func(tag string) string { return tag[:s.IntN(len(tag))] }
	setup := Setup{}
	setup.Tags = tags
	var text string
	switch s.IntN(7) {
	case 0:
		text = Text(s)
	case 1:
		text = Retag(attack, tags)
	case 2:
		text = string(setup.Message(s))
	case 3:
		text = half(tags.Open)
	case 4:
		text = tags.Open[1+s.IntN(len(tags.Open)-1):] + "t a=1" + tags.Close
	case 5:
		text = oneOf(s, "</tool-result>", "</tool-error>\n", "<tool-result name=\"t\">\n", "</tool-",
			`<\/tool-result>`) + tags.Open + "t" + tags.Close
	case 6:
		for range s.IntN(8) {
			text += Retag(oneOf(s, nearMisses...), tags)
		}
	}
	if chance(s, 3) {
		text += half(oneOf(s, tags.Open, tags.Close, "<tool-result>", "</tool-result>", `\\`))
	}
	return string([]rune(text)) // JSON is valid UTF-8
}

// newInvocation returns a call, most often one that can be written.
func newInvocation(s Source, catalog *sig.Catalog, tags protocol.Tags) invocation {
	tool := oneOf(s, catalog.Tools()...)
	c := invocation{sound: true, tool: tool.Name}
	switch s.IntN(4) {
	case 0:
		c.input = objectOf(s, tool.Args, 3, false)
	case 1:
		c.input = objectOf(s, tool.Args, 3, true)
	case 2:
		c.tool, c.input = oneOf(s, toolNames...), Object(s, 3)
	case 3:
		c.tool, c.input = defaultLoader, `{"names":[`+Quote(s, hostile(s, tags))+`]}`
	}
	switch {
	case chance(s, 8):
		c.sound, c.input = false, oneOf(s, "[1]", "7", Quote(s, "]"+hostile(s, tags)))
	case chance(s, 8):
		c.sound, c.tool = false, oneOf(s, "no name", " ", tags.Open+"t"+tags.Close, "t\n")
	}
	return c
}

// newOutcome returns a result in one of the forms that results have.
func newOutcome(s Source, tags protocol.Tags) (o outcome) {
	says := hostile(s, tags)
	part := func(text string) string { return `{"type":"text","text":` + Quote(s, text) + `}` }
	switch s.IntN(8) {
	case 0:
		o.json, o.text = Quote(s, says), says
	case 1: // any JSON
		o.json = `{"value":` + Value(s, 2) + `, "note":` + Quote(s, says) + `}`
		o.text = compacted(o.json)
	case 2: // content parts
		more := hostile(s, tags)
		o.json, o.text = `[`+part(says)+`,`+part(more)+`]`, says+"\n"+more
	case 3: // a part that is not text, and may become text
		kind, data := oneOf(s, "image", "resource", "file"), hostile(s, tags)
		o.kept = `{"type":"` + kind + `", "data":` + Quote(s, data) + `}`
		o.json, o.text = `[`+part(says)+`,`+o.kept+`]`, says
		if kind == "resource" || changed(data, tags) {
			o.text = strings.TrimPrefix(says+"\n"+compacted(o.kept), "\n"[:1-min(len(says), 1)])
			o.kept = ""
		}
	case 4: // MCP
		structured := `{"structured": ` + Quote(s, hostile(s, tags)) + `}`
		o.failed = chance(s, 2)
		o.json = fmt.Sprintf(`{"content":[%s],"structuredContent":%s,"isError":%t}`,
			part(says), structured, o.failed)
		o.text = says + "\n" + compacted(structured)
	case 5: // MCP, the structured content as text too
		quoted := Quote(s, says)
		structured := `{"structured": ` + quoted + `, "n":[1, 2]}`
		o.json = `{"content":[` + part("x") + `,` + part(structured) +
			`],"structuredContent":{"n":[1,2],"structured":` + quoted + `}}`
		o.text = "x\n" + structured
	case 6: // what nobody expects of a tool
		o.json = oneOf(s, "null", "7", "true", "[]", "{}", `""`, `[1, "x"]`, `[{"text":"x"}]`,
			`{"type":"weather","value":1}`, `{"content":"x"}`, `{"role":"tool","content":[]}`)
		if o.text = compacted(o.json); o.json == "null" || o.json == `""` {
			o.text = ""
		}
	case 7: // MCP, and more
		o.failed = chance(s, 2)
		o.json = fmt.Sprintf(`{"content":[%s], "total":5,"isError":%t}`, part(says), o.failed)
		o.text = compacted(o.json)
	}
	return o
}

// changed reports whether text has to be neutralized.
func changed(text string, tags protocol.Tags) bool {
	m, err := newManual(nil, tags)
	if err != nil {
		panic(err)
	}
	return m.Neutralize(text) != text
}

// compacted returns JSON without whitespace.
func compacted(data string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(data)); err != nil {
		panic(err)
	}
	return b.String()
}
