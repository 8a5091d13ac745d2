package demo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse/protocol"
)

// page shows the demonstration to people: who acts in the left column, and what in the right one.
type page struct {
	terminal.Screen
	out *bufio.Writer

	step, answers, calls int
	tools, manual        int // bytes
	seen                 map[conversation.Turn]bool
	informed             bool // the model has seen something in this step
	column               int  // of the line in the right column; 0 at its beginning
	gap                  int  // spaces before the next word of the line
	indent               bool // the line has no left column
	writing, inCall      bool // the model is, and within a call
}

// left is the width of the left column.
const left = 18

// shownID is how much of the id of a call is shown.
const shownID = 12

func newPage(out *bufio.Writer, s terminal.Screen) *page {
	return &page{Screen: s, out: out, seen: make(map[conversation.Turn]bool)}
}

// label begins a line in the right column.
func (d *page) label(who string) {
	d.newLine()
	d.indent = who == ""
	if who != "" {
		d.out.WriteString(d.Paint(terminal.Key, fmt.Sprintf("%-*s", left, who)))
	}
}

func (d *page) newLine() {
	if d.column > 0 {
		d.out.WriteByte('\n')
	}
	d.column, d.gap = 0, 0
}

// print prints text in the right column, its words in lines.
func (d *page) print(st terminal.Style, text string) {
	for line := range strings.Lines(text) {
		for _, word := range strings.SplitAfter(strings.TrimSuffix(line, "\n"), " ") {
			d.word(st, word)
		}
		if strings.HasSuffix(line, "\n") {
			d.wrap()
		}
	}
	d.out.Flush()
}

// word prints a word, on the next line if it does not fit. It holds back the spaces after it until
// the next word.
func (d *page) word(st terminal.Style, word string) {
	word = terminal.Visible(word)
	bare := strings.TrimRight(word, " ")
	if d.column > 0 && bare != "" && left+d.column+d.gap+terminal.Cells(bare) > d.Width {
		d.wrap()
	}
	if d.indent && bare != "" {
		d.out.WriteString(strings.Repeat(" ", left))
		d.indent = false
	}
	if bare != "" {
		d.out.WriteString(strings.Repeat(" ", d.gap) + d.Paint(st, bare))
		d.column += d.gap + terminal.Cells(bare)
		d.gap = 0
	}
	d.gap += len(word) - len(bare)
}

// wrap starts the next line.
func (d *page) wrap() {
	d.out.WriteByte('\n')
	d.column, d.gap, d.indent = 0, 0, true
}

func (d *page) sends(r chatRequest, fresh []chatMessage) {
	d.step++
	d.informed = false
	d.newLine()
	head := fmt.Sprintf("── step %d ", d.step)
	rule := strings.Repeat("─", max(0, d.Width-terminal.Cells(head)-1))
	d.out.WriteString("\n" + d.Paint(terminal.Dim, head+rule) + "\n")
	who := "application sends"
	for _, m := range fresh {
		var text strings.Builder
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		e.Encode(m)
		d.label(who)
		d.print(terminal.Plain, terminal.CutEnd(strings.TrimSpace(text.String()), d.Width-left-1))
		who = ""
	}
	if d.step == 1 {
		d.label("")
		d.tools = len(r.Tools)
		d.print(terminal.Dim,
			fmt.Sprintf("and in each step its tools in JSON Schema, %d bytes", d.tools))
	}
}

func (d *page) sees(turns []conversation.Turn) {
	d.wrote()
	d.answers++
	who := "model sees"
	if d.informed {
		who = "middleware says" // not the application
	}
	d.informed = true
	for _, t := range turns {
		if d.seen[t] {
			continue
		}
		d.seen[t] = true
		if t.Role == "assistant" {
			continue // the model wrote it itself
		}
		if t.Role == "system" {
			d.manual = len(t.Text)
		}
		d.label(who)
		d.print(terminal.Dim, t.Role+": ")
		d.print(terminal.Plain, strings.TrimRight(t.Text, "\n"))
		who = ""
	}
}

func (d *page) writes(piece string) {
	if piece == "" {
		return
	}
	if !d.writing {
		d.label("model writes")
		d.writing = true
	}
	tags := protocol.Wire.Call
	for piece != "" {
		tag, st := tags.Open, terminal.Plain
		if d.inCall {
			tag, st = tags.Close, terminal.Calling
		}
		i := strings.Index(piece, tag)
		if i < 0 {
			d.print(st, piece)
			return
		}
		if d.inCall {
			i += len(tag)
		}
		d.print(st, piece[:i])
		piece = piece[i:]
		d.inCall = !d.inCall
	}
}

func (d *page) wrote() { d.writing, d.inCall = false, false }

func (d *page) gets(answer chatMessage, finish string) {
	who := "application gets"
	if answer.Content != "" && len(answer.ToolCalls) == 0 {
		d.label(who)
		d.print(terminal.Plain, answer.Content)
		who = ""
	}
	for _, call := range answer.ToolCalls {
		d.calls++
		d.label(who)
		d.print(terminal.Calling, terminal.CallMark+call.Function.Name)
		d.print(terminal.Plain, " "+call.Function.Arguments+" ")
		d.print(terminal.Dim, terminal.CutEnd(call.ID, shownID))
		who = ""
	}
	d.label(who)
	d.print(terminal.Dim, "finish_reason "+finish)
}

func (d *page) ran(call chatToolCall, result string, failed bool) {
	st := terminal.Plain
	if failed {
		st = terminal.Wrong
	}
	d.label("tool returns")
	d.print(terminal.Dim, call.Function.Name+": ")
	d.print(st, result)
}

func (d *page) end() {
	d.newLine()
	d.out.WriteString("\n" + d.Paint(terminal.Dim, strings.Repeat("─", d.Width-1)) + "\n")
	summary := fmt.Sprintf("%s, %d answers of the model, %s. The application saw native calls "+
		"only, the model text only: %d bytes of JSON Schema became a manual of %d.",
		terminal.Count(d.step, "step"), d.answers, terminal.Count(d.calls, "call"),
		d.tools, d.manual)
	fmt.Fprintf(d.out, "%s\nWith a real model: callwire proxy --upstream https://api.openai.com\n",
		terminal.Wrap(summary, d.Width-1))
	d.out.Flush()
}
