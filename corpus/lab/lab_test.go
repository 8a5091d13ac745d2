package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMistakes: the readers have enough of them, each with a name of its own that
// says where it is, and one that is listed as of the same meaning is still there.
func TestMistakes(t *testing.T) {
	known, err := readEquivalents("equivalent.txt")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readers {
		all, err := mistakesOf("../..", r)
		if err != nil {
			t.Fatal(err)
		}
		kinds, names := map[string]int{}, map[string]bool{}
		for _, m := range all {
			kinds[m.kind]++
			if names[m.name] {
				t.Errorf("%s is there twice", m.name)
			}
			names[m.name] = true
			if known[m.name] {
				kinds["known "+m.kind]++
			}
		}
		for _, kind := range []string{"bugs", "classes"} {
			if told := fmt.Sprintf(" of %d |", kinds[kind]-kinds["known "+kind]); !strings.Contains(string(readme), told) {
				t.Errorf("README.md does not tell of %s %s:%s run the lab anew", r.name, kind, told)
			}
		}
		if kinds["bugs"] < 150 || kinds["classes"] < 150 {
			t.Errorf("%s: %v", r.name, kinds)
		}
		for name := range known {
			if strings.HasPrefix(name, r.name+"/") && !names[name] {
				t.Errorf("equivalent.txt names %s, which is no mistake any more", name)
			}
		}
	}
}

// TestMutant copies a reader with one file changed.
func TestMutant(t *testing.T) {
	dir := t.TempDir()
	r := readers[0]
	r.command = []string{"go", "callwire.py"} // a program that is there
	command, err := mutant("../..", r, dir, "call.py", []byte("changed"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(files) != 3 || command[1] != filepath.Join(dir, "callwire.py") {
		t.Errorf("%q, %q, %v", files, command, err)
	}
}

// TestAlterations alters the answers of a conversation.
func TestAlterations(t *testing.T) {
	answers := []struct{ op, line string }{
		{"feed", `{"seq":1,"events":[{"type":"text-start"},{"type":"text-delta","text":"a"}]}`},
		{"feed", `{"seq":2,"events":[{"type":"text-delta","text":"b"},{"type":"text-end"},{"type":"tool-input-start","id":"c","name":"t"},{"type":"tool-input-delta","id":"c","delta":"{}"},{"type":"tool-input-end","id":"c"},{"type":"tool-call","id":"c","start":2,"end":9,"name":"t","input":"{}","issues":[{"code":"coerced","path":"a","at":4}],"afterMalformed":true}]}`},
		{"feed", `{"seq":3,"events":[{"type":"malformed","start":9,"end":12,"code":"bad-name","at":10,"closed":true},{"type":"text-start"},{"type":"text-delta","text":{"b64":"/w=="}}]}`},
		{"close", `{"seq":4,"events":[{"type":"text-end"}]}`},
	}
	for _, a := range alterations {
		if a.alter == nil {
			continue
		}
		streams, changed := map[string]*conversation{}, false
		plain := alteration{alter: func(_ *conversation, events []event, _ bool) []event { return events }}
		for _, answer := range answers {
			got, err := a.answer(streams, "s", answer.op, []byte(answer.line))
			if err != nil {
				t.Fatal(err)
			}
			same, err := plain.answer(map[string]*conversation{}, "s", answer.op, []byte(answer.line))
			if err != nil {
				t.Fatal(err)
			}
			changed = changed || string(got) != string(same)
		}
		if !changed {
			t.Errorf("%s alters nothing", a.name)
		}
	}
}
