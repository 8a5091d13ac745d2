package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// The JSON holds all of the text.
func TestManualJSON(t *testing.T) {
	got := callwire("", "manual", "--json", "--random", "--tools", writeFile(t, taskTools), "--lazy", "addTask")
	var m struct {
		Text, Open, Close, Intro, Legend, Loading string
		Examples, Rules, Signatures, Deferred     []string
	}
	if err := json.Unmarshal([]byte(got.stdout), &m); err != nil || len(m.Signatures) != 2 || len(m.Examples) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	all := m.Intro + "\n" + strings.Join(m.Examples, "\n") + "\n" + strings.Join(m.Rules, "\n") + "\n\n" + m.Legend + "\n" + strings.Join(m.Signatures, "\n") +
		"\n\n" + m.Loading + "\n" + strings.Join(m.Deferred, "\n")
	if all != m.Text {
		t.Errorf("%s\nis not\n%s", all, m.Text)
	}
	tags := parse.Tags{Open: m.Open, Close: m.Close}
	if tags == protocol.Wire.Call {
		t.Error("the tags are not random")
	}
	for _, e := range m.Examples {
		read, err := parse.Message(sig.AnyTool, e, &parse.Options{Tags: tags})
		if err != nil || len(read) != 1 || read[0].Call == nil {
			t.Errorf("no call: %s, %v", e, err)
		}
	}
}

// taskTools has one tool that key=value cannot carry.
const taskTools = `[
	{"name":"addTask","description":"Add a task.","inputSchema":{"type":"object","properties":{"title":{"type":"string","description":"What is to be done"},"urgent":{"type":"boolean","default":false}},"required":["title"]}},
	{"name":"findTasks","description":"Find tasks.","inputSchema":{"type":"object","properties":{"due date":{"type":"string"}}}}
]`
