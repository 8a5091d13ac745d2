package demo

import (
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
)

// lines shows the demonstration to programs: one JSON object in a line.
type lines struct {
	enc  *json.Encoder
	step int
}

// line is one thing that happens.
type line struct {
	Step     int                 `json:"step"`
	Kind     string              `json:"kind"`
	Messages []chatMessage       `json:"messages,omitempty"` // application-sends: the new ones
	Tools    int                 `json:"tools,omitempty"`
	Turns    []conversation.Turn `json:"turns,omitempty"` // model-sees
	Text     string              `json:"text,omitempty"`  // model-writes, application-gets
	Calls    []chatToolCall      `json:"tool_calls,omitempty"`
	Finish   string              `json:"finish_reason,omitempty"`
	ID       string              `json:"tool_call_id,omitempty"` // tool-returns
	Result   string              `json:"result,omitempty"`
	Failed   bool                `json:"failed,omitempty"`
}

func (d *lines) print(l line) {
	l.Step = d.step
	d.enc.Encode(l)
}

func (d *lines) sends(r chatRequest, fresh []chatMessage) {
	d.step++
	var tools []json.RawMessage
	json.Unmarshal(r.Tools, &tools)
	d.print(line{Kind: "application-sends", Messages: fresh, Tools: len(tools)})
}

func (d *lines) sees(turns []conversation.Turn) { d.print(line{Kind: "model-sees", Turns: turns}) }

func (d *lines) writes(text string) { d.print(line{Kind: "model-writes", Text: text}) }

func (d *lines) gets(answer chatMessage, finish string) {
	d.print(line{
		Kind: "application-gets", Text: answer.Content, Calls: answer.ToolCalls, Finish: finish,
	})
}

func (d *lines) ran(call chatToolCall, result string, failed bool) {
	d.print(line{Kind: "tool-returns", ID: call.ID, Result: result, Failed: failed})
}

func (d *lines) end() {}
