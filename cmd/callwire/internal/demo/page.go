package demo

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/turns"
)

// page shows the demonstration to people: who acts in the left column, and what in the right one.
type page struct {
	terminal.Screen
	out   *bufio.Writer
	pause time.Duration // between two words of the model

	step, answers, calls int
	manual               int  // bytes
	informed             bool // the model has seen something in this step
}

// left is the width of the left column.
const left = 18

// shownID is how much of the id of a call is shown.
const shownID = 12

// say prints who acts, or nothing if that is the one before, and what.
func (d *page) say(who, text string) { d.slowly(who, text, 0) }

// slowly is say with a pause after each word.
func (d *page) slowly(who, text string, pause time.Duration) {
	for _, line := range d.wrap(text) {
		if line != "" {
			head := fmt.Sprintf("%-*s", left, who)
			if who != "" {
				head = d.Paint(terminal.Key, head)
			}
			d.out.WriteString(head)
		}
		for _, word := range strings.SplitAfter(line, " ") {
			d.out.WriteString(word)
			if pause > 0 {
				d.out.Flush()
				time.Sleep(pause)
			}
		}
		d.out.WriteByte('\n')
		who = ""
	}
	d.out.Flush()
}

// wrap returns the lines of text for the right column.
func (d *page) wrap(text string) (lines []string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines = append(lines, strings.Split(terminal.Wrap(line, d.Width-left), "\n")...)
	}
	return lines
}

func (d *page) show(l line) {
	switch l.Kind {
	case "application-sends":
		d.sends(l)
	case "model-sees":
		d.sees(l.Turns)
	case "model-writes":
		text := call.ReplaceAllStringFunc(terminal.VisibleText(l.Text),
			func(call string) string { return d.Paint(terminal.Calling, call) })
		d.slowly("model writes", text, d.pause)
	case "application-gets":
		d.gets(l)
	case "tool-returns":
		st := terminal.Plain
		if l.Failed {
			st = terminal.Wrong
		}
		d.say("tool returns", d.Paint(terminal.Dim, terminal.Visible(l.tool)+": ")+
			d.Paint(st, terminal.Visible(l.Result)))
	}
}

func (d *page) sends(l line) {
	d.step = l.Step
	d.informed = false
	head := fmt.Sprintf("── step %d ", d.step)
	rule := strings.Repeat("─", max(0, d.Width-terminal.Cells(head)-1))
	d.out.WriteString("\n" + d.Paint(terminal.Dim, head+rule) + "\n")
	who := "application sends"
	for _, m := range l.Messages {
		d.say(who, terminal.CutEnd(string(m), d.Width-left-1))
		who = ""
	}
	if d.step == 1 {
		d.say("", d.Paint(terminal.Dim,
			fmt.Sprintf("and in each step its tools in JSON Schema, %d bytes", len(tools))))
	}
}

func (d *page) sees(all []turns.Turn) {
	d.answers++
	who := "model sees"
	if d.informed {
		who = "middleware says" // the application has sent nothing more
	}
	d.informed = true
	for _, t := range turns.Unseen(all) {
		if t.Role == "system" {
			d.manual = len(t.Text)
		}
		d.say(who, d.Paint(terminal.Dim, t.Role+": ")+terminal.VisibleText(t.Text))
		who = ""
	}
}

// call matches a call in the text of the model.
var call = regexp.MustCompile(`(?s)<call>.*?</call>`)

func (d *page) gets(l line) {
	who := "application gets"
	if l.Text != "" && len(l.Calls) == 0 {
		d.say(who, terminal.VisibleText(l.Text))
		who = ""
	}
	for _, call := range l.Calls {
		d.calls++
		c := rawjson.ParseObject(call)
		f := c.Object("function")
		name := d.Paint(terminal.Calling, terminal.CallMark+terminal.Visible(f.Text("name")))
		id := d.Paint(terminal.Dim, terminal.CutEnd(c.Text("id"), shownID))
		d.say(who, name+" "+terminal.Visible(f.Text("arguments"))+" "+id)
		who = ""
	}
	d.say(who, d.Paint(terminal.Dim, "finish_reason "+l.Finish))
}

func (d *page) end() {
	d.out.WriteString("\n" + d.Paint(terminal.Dim, strings.Repeat("─", d.Width-1)) + "\n")
	summary := fmt.Sprintf("%s, %d answers of the model, %s. The application saw native calls "+
		"only, the model text only: %d bytes of JSON Schema became a manual of %d.",
		terminal.Count(d.step, "step"), d.answers, terminal.Count(d.calls, "call"),
		len(tools), d.manual)
	fmt.Fprintf(d.out, "%s\nWith a real model: callwire proxy --upstream https://api.openai.com\n",
		terminal.Wrap(summary, d.Width-1))
	d.out.Flush()
}
