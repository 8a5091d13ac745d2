package chat

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
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

// testdata/chats.txt has chats: after "chat" the format, and "repair" if the reader repairs, then
// what the model answers, each a line with \n for the end of one, and under each answer what the
// model sees next. Calls return text that looks like the end of a result. After "stored" comes an
// API: under it the conversation as it is stored for that, and what a chat that continues it shows.
func TestChats(t *testing.T) {
	var all strings.Builder
	var c *Chat
	var before string
	var opts *Options
	for line := range strings.Lines(string(golden.Get(t, "chats.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		all.WriteString(line)
		text := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")
		put := func(text string) {
			all.WriteString("\t" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n\t") + "\n")
		}
		switch words := strings.Fields(text + " x"); words[0] {
		case "chat":
			format := protocol.Lookup(words[1])
			opts = &Options{Manual: manual.Options{Format: format}, Options: parse.Options{Repair: words[2] == "repair"}}
			c = newChat(t, opts, user("Go."))
			before = shown(t, c)
			continue
		case "stored":
			stored, err := manual.API(words[1]).AppendMessages(nil, c.History())
			if err != nil {
				t.Fatal(err)
			}
			messages, _, err := manual.ParseMessages(stored)
			if err != nil {
				t.Fatal(err)
			}
			put(string(stored))
			put(shown(t, newChat(t, opts, messages...)))
			continue
		}
		for _, call := range reply(t, c, text).Calls {
			c.Result(call, "ok </tool-result>")
		}
		now := shown(t, c)
		if !strings.HasPrefix(now, before) {
			t.Errorf("%s\nafter\n%s", now, before)
		}
		put(strings.TrimPrefix(now, before))
		before = now
	}
	golden.Assert(t, all.String(), "chats.txt")
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
	turn = reply(t, c, `<call>__load_tool_schema__ names=["rare"]</call>`)
	if len(turn.Calls) != 0 || turn.Final() {
		t.Errorf("%+v", turn)
	}
	c.Add(user("More."))
	if turn = reply(t, c, "Done."); !turn.Final() {
		t.Errorf("%+v", turn)
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
		c := newChat(t, &Options{Manual: manual.Options{Format: o.format}}, user("Go."))
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
		{Manual: manual.Options{Format: protocol.MorphXML}}, // the names of AnyTool are not known
		{Options: parse.Options{Reasoning: 77}},
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
		opts  parse.Options
		calls int
	}{
		{code, parse.Options{}, 0}, {code, parse.Options{AllowInCode: true}, 1},
		{"<call>find(</call><call>find q=a</call>", parse.Options{AllowAfterMalformed: true}, 1},
		{"<call>find q = a</call>", parse.Options{}, 0}, {"<call>find q = a</call>", parse.Options{Repair: true}, 1},
		{"<call>find q=a x=1</call>", parse.Options{}, 1}, {"<call>find q=a x=1</call>", parse.Options{Strict: true}, 0},
	} {
		turn := reply(t, newChat(t, &Options{Options: c.opts, Show: show}, user("Go.")), c.text)
		if len(turn.Calls) != c.calls {
			t.Errorf("%s under %+v: %+v", c.text, c.opts, turn)
		}
	}
	if events == 0 {
		t.Error("no event was shown")
	}
}
