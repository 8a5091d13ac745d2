package main

import (
	"bufio"
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
)

// demoLines shows the demonstration to programs: one JSON object in a line.
type demoLines struct {
	enc  *json.Encoder
	out  *bufio.Writer
	step int
	text string // that the model is writing
}

// demoLine is one thing that happens.
type demoLine struct {
	Step     int                 `json:"step"`
	Kind     string              `json:"kind"`
	Messages []chatMessage       `json:"messages,omitempty"` // application-sends: those that are new
	Tools    int                 `json:"tools,omitempty"`
	Turns    []conversation.Turn `json:"turns,omitempty"` // model-sees
	Text     string              `json:"text,omitempty"`  // model-writes, application-gets
	Calls    []chatToolCall      `json:"tool_calls,omitempty"`
	Finish   string              `json:"finish_reason,omitempty"`
	ID       string              `json:"tool_call_id,omitempty"` // tool-returns
	Result   string              `json:"result,omitempty"`
	Failed   bool                `json:"failed,omitempty"`
}

func (d *demoLines) line(l demoLine) {
	l.Step = d.step
	d.enc.Encode(l)
	d.out.Flush()
}

func (d *demoLines) sends(r chatRequest, fresh []chatMessage) {
	d.step++
	var tools []json.RawMessage
	json.Unmarshal(r.Tools, &tools)
	d.line(demoLine{Kind: "application-sends", Messages: fresh, Tools: len(tools)})
}

func (d *demoLines) sees(turns []conversation.Turn) {
	if d.text != "" {
		d.wrote() // as far as it was read
	}
	d.line(demoLine{Kind: "model-sees", Turns: turns})
}

func (d *demoLines) writes(piece string) { d.text += piece }

func (d *demoLines) wrote() {
	d.line(demoLine{Kind: "model-writes", Text: d.text})
	d.text = ""
}

func (d *demoLines) gets(answer chatMessage, finish string) {
	d.line(demoLine{Kind: "application-gets", Text: answer.Content, Calls: answer.ToolCalls, Finish: finish})
}

func (d *demoLines) ran(call chatToolCall, result string, failed bool) {
	d.line(demoLine{Kind: "tool-returns", ID: call.ID, Result: result, Failed: failed})
}

func (d *demoLines) end() {}
