package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func TestGrammarSamples(t *testing.T) {
	catalog, err := sig.Compile(taskTools)
	if err != nil {
		t.Fatal(err)
	}
	got := callwire("", "grammar", "--tools", writeFile(t, taskTools), "--sample", "200", "--seed", "7", "--mode", "required")
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	if len(lines) != 200 || got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, line := range lines {
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			t.Fatal(err)
		}
		segments, err := parse.Message(catalog, text, &parse.Options{Strict: true, AllowInCode: true})
		calls := 0
		for _, s := range segments {
			if s.Err != nil {
				err = s.Err
			}
			if s.Call != nil {
				calls++
			}
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if calls == 0 {
			t.Errorf("%q has no call", text)
		}
	}
}

// taskTools has one tool that key=value cannot carry.
const taskTools = `[
	{"name":"addTask","description":"Add a task.","inputSchema":{"type":"object","properties":{"title":{"type":"string","description":"What is to be done"},"urgent":{"type":"boolean","default":false}},"required":["title"]}},
	{"name":"findTasks","description":"Find tasks.","inputSchema":{"type":"object","properties":{"due date":{"type":"string"}}}}
]`
