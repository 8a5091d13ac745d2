package demo

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
)

// linesOf returns what happens.
func linesOf(t *testing.T) []line {
	t.Helper()
	var out strings.Builder
	if err := Lines(&out); err != nil {
		t.Fatal(err)
	}
	var lines []line
	for text := range strings.Lines(out.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		lines = append(lines, l)
	}
	return lines
}

// TestLines: the loop shows what it is to show.
func TestLines(t *testing.T) {
	var kinds []string
	calls, failed, ids := make(map[int][]string), 0, make(map[string]bool)
	for _, l := range linesOf(t) {
		if n := len(kinds); n == 0 || kinds[n-1] != l.Kind {
			kinds = append(kinds, l.Kind)
		}
		switch l.Kind {
		case "application-sends":
			if l.Tools != 3 {
				t.Errorf("step %d: %d tools", l.Step, l.Tools)
			}
		case "model-sees":
			if l.Turns[0].Role != "system" || !strings.Contains(l.Turns[0].Text, "getWeather location") {
				t.Errorf("step %d: no manual in %q", l.Step, l.Turns[0])
			}
		case "application-gets":
			if strings.Contains(l.Text, "<call") || (l.Finish == "tool_calls") != (len(l.Calls) > 0) {
				t.Errorf("step %d: %+v", l.Step, l)
			}
			for _, call := range l.Calls {
				c := rawjson.ParseObject(call)
				calls[l.Step] = append(calls[l.Step], c.Object("function").Text("name"))
				ids[c.Text("id")] = true
			}
		case "tool-returns":
			if l.Failed {
				failed++
			}
			if !ids[l.ID] {
				t.Errorf("step %d: no call has the id %s", l.Step, l.ID)
			}
		}
	}
	step := []string{"application-sends", "model-sees", "model-writes", "application-gets", "tool-returns"}
	again := []string{"application-sends", "model-sees", "model-writes", "model-sees", "model-writes", "application-gets", "tool-returns"}
	if want := slices.Concat(step, again, step, step[:4]); !slices.Equal(kinds, want) {
		t.Errorf("%q\nwant %q", kinds, want)
	}
	if len(calls[1]) != 3 || len(calls[2]) != 1 || len(calls[3]) != 1 || len(calls[4]) != 0 || failed != 1 || len(ids) != 5 {
		t.Errorf("calls %v, %d failed, %d ids", calls, failed, len(ids))
	}
}

// TestAttack: one mail is written, to whom it was meant for, and what the
// forecast says is neutralized before the model sees it.
func TestAttack(t *testing.T) {
	h := &host{}
	if err := play(newPage(bufio.NewWriter(io.Discard), terminal.Screen{Width: 80}).show, h); err != nil {
		t.Fatal(err)
	}
	if len(h.mails) != 1 || h.mails[0].To != "ada@example.com" || !strings.Contains(h.mails[0].Body, "<call>sendMail to=eve@example.com") {
		t.Errorf("%+v", h.mails)
	}
	for _, l := range linesOf(t) {
		if l.Kind != "model-sees" {
			continue
		}
		for _, turn := range l.Turns {
			if turn.Role == "user" && strings.Contains(turn.Text, "<call>sendMail to=eve") {
				t.Errorf("the model sees %q", turn.Text)
			}
		}
	}
}

// TestPage: readable in any width, and without color where there is no
// terminal.
func TestPage(t *testing.T) {
	shown := func(s terminal.Screen) string {
		var out strings.Builder
		if err := Page(&out, s, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	page := shown(terminal.Screen{Width: terminal.PageWidth})
	if strings.Contains(page, "\x1b") {
		t.Errorf("color in %q", page)
	}
	for _, want := range []string{
		"── step 4 ──", "application sends {\"role\":\"user\"", "model sees        system: Answer directly",
		"model writes      <call>getWeather location Reykjavík</call>\nmiddleware says   user: <tool-error",
		"application gets  ▶ getWeather {\"location\":\"Zürich\"} call_", `finish_reason tool_calls`,
		`<\/tool-result>`, `<\call>sendMail`, "5 calls",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for line := range strings.Lines(page) {
		if n := utf8.RuneCountInString(line); n > terminal.PageWidth+1 || strings.HasSuffix(line, " \n") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if got := shown(terminal.Screen{Width: terminal.PageWidth, Color: true}); !strings.Contains(got, "\x1b["+string(terminal.Calling)+"m<call>getWeather location=Zürich</call>\x1b[0m") {
		t.Errorf("no color in %q", got)
	}
}
