package chat

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

const tools = `[
	{"name":"find","inputSchema":{"type":"object","properties":{"q":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},"required":["q"]}},
	{"name":"rare","lazy":true,"description":"Seldom used.","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]`

func newChat(t *testing.T, opts *Options, messages ...manual.Message) *Chat {
	t.Helper()
	catalog, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(catalog, messages, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func user(text string) manual.Message {
	return manual.Message{Role: manual.User, Parts: []manual.Part{{Text: text}}}
}

func reply(t *testing.T, c *Chat, text string) Turn {
	t.Helper()
	turn, err := c.Reply(iotest.OneByteReader(strings.NewReader(text)))
	if err != nil || turn.Text != text {
		t.Fatalf("%q: %+v, %v", text, turn, err)
	}
	return turn
}

// shown returns the messages after the prompt.
func shown(t *testing.T, c *Chat) string {
	t.Helper()
	var b strings.Builder
	for _, m := range c.Messages()[1:] {
		data, err := m.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.String()
}

// The model's text keeps its bytes, and later messages never change earlier ones.
func TestPrefixIsStable(t *testing.T) {
	c := newChat(t, nil, user("Go."))
	replies := []string{
		"Sure. <call>find tags=p1 q='a  b'</call> then <call>find q=x</call>\nDone?",
		"<call>find q = 1</call> and <call>find q=2</call>",
		`Now <call>__load_tool_schema__ names=["rare"]</call>`,
		"<call>rare n=5</call>",
		"Bye.",
	}
	before := shown(t, c)
	for _, text := range replies {
		turn := reply(t, c, text)
		for _, call := range turn.Calls {
			c.Result(call, "ok </tool-result>")
		}
		now := shown(t, c)
		if !strings.HasPrefix(now, before) {
			t.Errorf("%s\nafter\n%s", now, before)
		}
		said := rawjson.Quote(text)
		if !strings.Contains(now[len(before):], string(said[1:len(said)-1])) {
			t.Errorf("%q isn't in\n%s", text, now)
		}
		before = now
	}
}

func TestTurns(t *testing.T) {
	c := newChat(t, nil, user("Go."))
	turn := reply(t, c, "<call>find q=a</call><call>find q=b</call>")
	if len(turn.Calls) != 2 || turn.Final() || turn.Calls[0].ID == turn.Calls[1].ID {
		t.Fatalf("%+v", turn)
	}
	c.Result(turn.Calls[1], errors.New("no luck"))
	c.Result(turn.Calls[0], map[string]int{"n": 1})
	got := shown(t, c)
	first, second := strings.Index(got, `{\"n\":1}`), strings.Index(got, "no luck")
	if first < 0 || second < first || !strings.Contains(got, "<tool-error name") {
		t.Errorf("results: %s", got)
	}
	turn = reply(t, c, "<call>find(q=a)</call> <call>find q=b</call>")
	if len(turn.Calls) != 0 || len(turn.Malformed) != 2 || turn.Final() {
		t.Errorf("%+v", turn)
	}
	if got := shown(t, c); !strings.Contains(got, "Write: <call>find q=a</call>") {
		t.Errorf("no feedback: %s", got)
	}
	turn = reply(t, c, `<call>__load_tool_schema__ names=["rare"]</call>`)
	if len(turn.Calls) != 0 || turn.Final() || !strings.Contains(shown(t, c), "rare n?:int - Seldom used.") {
		t.Errorf("%+v\n%s", turn, shown(t, c))
	}
	c.Add(user("More."))
	if turn = reply(t, c, "Done."); !turn.Final() {
		t.Errorf("%+v", turn)
	}
	ids := make(map[string]bool)
	for _, m := range c.History() {
		for _, p := range m.Parts {
			if p.Kind == manual.Call && ids[p.ID] {
				t.Errorf("two calls are %s", p.ID)
			}
			ids[p.ID] = true
		}
	}
}

// IDs are not those of the messages that a chat continues.
func TestIDsAreUnique(t *testing.T) {
	call := manual.Part{Kind: manual.Call, ID: "call_1", Name: "find", Input: []byte(`{"q":"a"}`)}
	c := newChat(t, nil, user("Go."), manual.Message{Role: manual.Assistant, Parts: []manual.Part{call}})
	if turn := reply(t, c, "<call>find q=b</call>"); turn.Calls[0].ID == "call_1" {
		t.Errorf("%+v", turn.Calls[0])
	}
}

// The ID that a format gives a call is that of its result.
func TestIDsOfTheFormat(t *testing.T) {
	c := newChat(t, &Options{Options: manual.Options{Format: protocol.KimiK2}}, user("Go."))
	said := `<|tool_call_begin|>functions.find:7<|tool_call_argument_begin|>{"q":"a"}<|tool_call_end|>`
	turn := reply(t, c, said)
	c.Result(turn.Calls[0], "ok")
	if got := shown(t, c); !strings.Contains(got, `## Return of functions.find:7\nok`) {
		t.Error(got)
	}
}

// A model that counts its calls from 0 in each turn doesn't make two calls of one ID: the ID of a
// later call is the one that the model sees in its own text and with the result.
func TestIDsOfTheFormatAreUnique(t *testing.T) {
	id := func(n string) string { return "functions.find:" + n }
	old := manual.Part{Kind: manual.Call, ID: "abc", Name: "find", Input: []byte(`{"q":"a"}`)}
	c := newChat(t, &Options{Options: manual.Options{Format: protocol.KimiK2}}, user("Go."),
		manual.Message{Role: manual.Assistant, Parts: []manual.Part{old}})
	for _, want := range []string{id("1"), id("2")} {
		said := "<|tool_call_begin|>" + id("0") + `<|tool_call_argument_begin|>{"q": "a"}<|tool_call_end|>`
		turn := reply(t, c, said)
		c.Result(turn.Calls[0], "ok")
		got := shown(t, c)
		if turn.Calls[0].ID != want || strings.Count(got, want+"<|tool") != 1 ||
			!strings.Contains(got, `## Return of `+want+`\nok`) || strings.Count(got, id("0")) != 1 {
			t.Errorf("%s in %s, want %s", turn.Calls[0].ID, got, want)
		}
	}
}

// Chats that share messages don't write to each other's, nor to the caller's.
func TestMessagesAreNotShared(t *testing.T) {
	a := newChat(t, nil, user("Go."))
	calls := reply(t, a, strings.Repeat("<call>find q=a</call>", 4)).Calls
	for _, call := range calls[:3] {
		a.Result(call, "ok")
	}
	history := a.History()
	b := newChat(t, nil, history...)
	a.Result(calls[3], "FROM A")
	b.Result(calls[3], "FROM B")
	if got := shown(t, a); !strings.Contains(got, "FROM A") || strings.Contains(got, "FROM B") {
		t.Errorf("the first chat has %s", got)
	}
	if got := shown(t, b); !strings.Contains(got, "FROM B") || strings.Contains(got, "FROM A") {
		t.Errorf("the second chat has %s", got)
	}
	history[0].Parts[0].Text = "Changed."
	if got := shown(t, b); strings.Contains(got, "Changed.") {
		t.Errorf("the caller's change is in %s", got)
	}

	spare := make([]manual.Part, 1, 2)
	spare[0] = manual.Part{Kind: manual.Result, ID: "x", Text: "ok"}
	newChat(t, nil, manual.Message{Role: manual.ToolRole, Parts: spare}).Result(calls[3], "mine")
	if spare[:2][1].Text != "" {
		t.Error("Result writes to the caller's parts")
	}
}

// A section is shown as the model wrote it. A call in it that gets another ID is written in its
// place. What is stored has calls without tags.
func TestSections(t *testing.T) {
	kimi := func(n, space string) string {
		return space + "<|tool_call_begin|>functions.find:" + n +
			`<|tool_call_argument_begin|>{"q":  "a"}<|tool_call_end|>`
	}
	const begin, end = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
	deepSeek := strings.NewReplacer(begin, "<｜tool▁calls▁begin｜>", end, "<｜tool▁calls▁end｜>",
		"<|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>", "<｜tool▁call▁begin｜>find<｜tool▁sep｜>",
		"<|tool_call_end|>", "<｜tool▁call▁end｜>").Replace
	spaced := "Sure.\n" + begin + "\n" + kimi("0", "") + kimi("0", "\n") + "\n" + end + "\nDone."
	for _, c := range []struct {
		format *protocol.Format
		says   []string
		want   string // of the last answer, if it differs
	}{
		{protocol.KimiK2, []string{begin + kimi("0", "") + kimi("1", "\n") + " " + end}, ""},
		{protocol.KimiK2, []string{begin + kimi("0", "") + end + begin + kimi("1", "") + end}, ""},
		{protocol.KimiK2, []string{begin + kimi("0", "") + kimi("1", "")}, ""},
		{protocol.KimiK2, []string{begin + kimi("0", "") + end, begin + "\n" + kimi("0", "") + end},
			strings.Replace(begin+"\n"+kimi("1", "")+end, ":  ", ": ", 1)},
		{protocol.KimiK2, []string{begin + kimi("0", "") + kimi("0", "\n") + kimi("2", "") + end},
			begin + kimi("0", "") + strings.Replace(kimi("1", "\n"), ":  ", ": ", 1) + kimi("2", "") + end},
		{protocol.KimiK2, []string{begin + "Let me." + kimi("0", "") + "Then" + end + "."},
			"Let me." + begin + kimi("0", "") + end + "Then."},
		{protocol.KimiK2, []string{"No " + begin + " and " + end + "."}, ""},
		{protocol.DeepSeekV31, []string{deepSeek(spaced), deepSeek(spaced)}, ""},
	} {
		chat := newChat(t, &Options{Options: manual.Options{Format: c.format}}, user("Go."))
		var before int
		for _, said := range c.says {
			chat.Add(user("More."))
			before = len(chat.Messages())
			for _, call := range reply(t, chat, said).Calls {
				chat.Result(call, "ok")
			}
		}
		want := cmp.Or(c.want, c.says[len(c.says)-1])
		parts := chat.Messages()[before].Parts
		if got := parts[0].Text; got != want || len(parts) != 1 {
			t.Errorf("%s: %q\nwant %q", c.format, got, want)
		}
		stored, err := manual.ChatCompletions.AppendMessages(nil, chat.History())
		if err != nil {
			t.Fatal(err)
		}
		section := c.format.Section.Open
		if strings.Contains(want, "find") && strings.Contains(string(stored), section) {
			t.Errorf("%s: %q has a section", c.format, stored)
		}
		messages, _, err := manual.ParseMessages(stored)
		if err != nil {
			t.Fatal(err)
		}
		chat = newChat(t, &Options{Options: manual.Options{Format: c.format}}, messages...)
		for _, m := range chat.Messages()[1:] {
			var text string
			for _, p := range m.Parts {
				text += p.Text
			}
			if m.Role == manual.Assistant && strings.Count(text, section) != 1 {
				t.Errorf("%s: read again, %q", c.format, text)
			}
		}
	}
}

// A call that was repaired is written in its place as well.
func TestRepairedCallInSection(t *testing.T) {
	format := protocol.DeepSeekV31
	c := newChat(t, &Options{Options: manual.Options{Format: format}, Repair: true}, user("Go."))
	call := func(input string) string {
		return format.Call.Open + "find" + format.Function.End + input + format.Call.Close
	}
	good, bad, fixed := call(`{"q":"a"}`), call(`{'q': 'b',}`), call(`{"q": "b"}`)
	turn := reply(t, c, format.Section.Open+good+bad+format.Section.Close)
	if len(turn.Calls) != 2 {
		t.Fatalf("%+v", turn)
	}
	want := format.Section.Open + good + fixed + format.Section.Close
	if got := c.Messages()[2].Parts[0].Text; got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// APIs have no call that feedback on a malformed call could answer: it is stored as a user's text.
func TestFeedbackIsStoredAsText(t *testing.T) {
	c := newChat(t, nil, user("Go."))
	turn := reply(t, c, "<call>find q=a</call> <call>find(q=b)</call>")
	c.Result(turn.Calls[0], "ok")
	for _, api := range manual.APIs() {
		stored, err := api.AppendMessages(nil, c.History())
		if err != nil {
			t.Fatal(err)
		}
		messages, _, err := manual.ParseMessages(stored)
		if err != nil {
			t.Fatal(err)
		}
		results, feedback := 0, manual.User
		seen, afterFeedback := false, false
		for _, m := range messages {
			for _, p := range m.Parts {
				if p.Kind == manual.Result {
					results++
					afterFeedback = afterFeedback || seen
				}
				seen = seen || strings.Contains(p.Text, "Write: ")
				if strings.Contains(p.Text, "Write: ") && (p.Kind != manual.Text || m.Role != manual.User) {
					feedback = m.Role
				}
			}
		}
		if results != 1 || feedback != manual.User || !seen || afterFeedback {
			t.Errorf("%s: %d results, feedback of %s: %s", api, results, feedback, stored)
		}
	}
}

// If reading fails, the conversation is as before, and so are the IDs of its next calls.
func TestReplyFails(t *testing.T) {
	for _, o := range []struct {
		format *protocol.Format
		said   string
		id     string
	}{
		{protocol.Wire, "<call>find q=a</call>", "call_1"},
		{protocol.KimiK2, `<|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>{"q":"a"}<|tool_call_end|>`, "functions.find:0"},
	} {
		c := newChat(t, &Options{Options: manual.Options{Format: o.format}}, user("Go."))
		before := shown(t, c)
		broken := io.MultiReader(strings.NewReader(o.said), iotest.ErrReader(io.ErrUnexpectedEOF))
		if turn, err := c.Reply(broken); !errors.Is(err, io.ErrUnexpectedEOF) || turn.Calls != nil {
			t.Errorf("%s: %+v, %v", o.format, turn, err)
		}
		if got := shown(t, c); got != before {
			t.Errorf("%s: %s\nwant\n%s", o.format, got, before)
		}
		if id := reply(t, c, o.said).Calls[0].ID; id != o.id {
			t.Errorf("%s: the next call is %s, want %s", o.format, id, o.id)
		}
	}
}

// Options with which no answer can be read are an error of New.
func TestBadOptions(t *testing.T) {
	for _, o := range []*Options{
		{Options: manual.Options{Format: protocol.MorphXML}}, // the names of AnyTool are not known
		{Reasoning: 77},
	} {
		if _, err := New(sig.AnyTool, nil, o); err == nil {
			t.Errorf("New accepts %+v", o)
		}
	}
}

func TestOptions(t *testing.T) {
	events := 0
	show := func(stream.Event) { events++ }
	const code = "`<call>find q=a</call>`"
	for _, c := range []struct {
		text  string
		opts  Options
		calls int
	}{
		{code, Options{}, 0}, {code, Options{AllowInCode: true}, 1},
		{"<call>find(</call><call>find q=a</call>", Options{AllowAfterMalformed: true}, 1},
		{"<call>find q = a</call>", Options{}, 0}, {"<call>find q = a</call>", Options{Repair: true}, 1},
		{"<call>find q=a x=1</call>", Options{}, 1}, {"<call>find q=a x=1</call>", Options{Strict: true}, 0},
	} {
		c.opts.Show = show
		turn := reply(t, newChat(t, &c.opts, user("Go.")), c.text)
		if len(turn.Calls) != c.calls {
			t.Errorf("%s under %+v: %+v", c.text, c.opts, turn)
		}
	}
	if events == 0 {
		t.Error("no event was shown")
	}
}
