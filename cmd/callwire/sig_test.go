package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// taskTools has one tool that key=value cannot carry.
const taskTools = `[
	{"name":"addTask","description":"Add a task.","inputSchema":{"type":"object","properties":{"title":{"type":"string","description":"What is to be done"},"urgent":{"type":"boolean","default":false}},"required":["title"]}},
	{"name":"findTasks","description":"Find tasks.","inputSchema":{"type":"object","properties":{"due date":{"type":"string"}}}}
]`

func TestSig(t *testing.T) {
	tools := writeFile(t, taskTools)
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "addTask title (What is to be done) urgent?:bool=false - Add a task.\nfindTasks {\"due date\"?} - Find tasks.\n"},
		{"addTask --style classic --hide-defaults --description -1", "addTask: title:string (What is to be done), urgent?:bool\n"},
		{"addTask --parameters off", "addTask title urgent?:bool=false - Add a task.\n"},
		{"addTask --syntax json", "addTask {title (What is to be done) urgent?:bool=false} - Add a task.\n"},
		{"--explain", "addTask title (What is to be done) urgent?:bool=false - Add a task.\n  wire: key=value carries every parameter\nfindTasks {\"due date\"?} - Find tasks.\n  json: due date: the name \"due date\" cannot be written before an equals sign\n"},
		{"--explain --description -1 --parameters off addTask", "addTask title urgent?:bool=false\n  wire: key=value carries every parameter\n  left out: description \"Add a task.\"\n  left out: title: description \"What is to be done\"\n"},
		{"--explain --parameters off --tools " + writeFile(t, `[{"name":"t","inputSchema":{"type":"object","minProperties":1,"properties":{"n":{"type":"integer","minimum":1}}}}]`),
			"t n?:int\n  wire: key=value carries every parameter\n  left out: minProperties 1\n  left out: n: minimum 1\n"},
		{"--fallback force --description -1 findTasks", "findTasks \"due date\"?\n"},
	} {
		got := callwire("", append([]string{"sig", "--tools", tools}, strings.Fields(c.args)...)...)
		if got.code != exitOK || got.stdout != c.want || got.stderr != "" {
			t.Errorf("sig %s: %+v\nwant %s", c.args, got, c.want)
		}
	}
}

func TestSigJSON(t *testing.T) {
	got := callwire("", "sig", "--json", "--tools", writeFile(t, taskTools), "findTasks")
	var s signature
	if err := json.Unmarshal([]byte(got.stdout), &s); err != nil || s.Syntax != "json" || len(s.Reasons) != 1 || s.Reasons[0].Path != "due date" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSigOmitted(t *testing.T) {
	tools := writeFile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}}]`)
	for detail, want := range map[string]string{
		"off":   `{"name":"t","line":"t n?:int","syntax":"wire","omitted":[{"path":"n","keyword":"minimum","value":1}]}`,
		"short": `{"name":"t","line":"t n?:int (at least 1)","syntax":"wire"}`,
	} {
		if got := callwire("", "sig", "--json", "--tools", tools, "--parameters", detail); strings.TrimSpace(got.stdout) != want {
			t.Errorf("%+v\nwant %s", got, want)
		}
	}
}

// TestSkippedTool: whoever reads tools is told which of them is lost, and that there is
// more to see, in a bounded number of lines.
func TestSkippedTool(t *testing.T) {
	const tool = `{"name":"a","description":"A.","inputSchema":{"type":"object","properties":{"x":{"type":"str"}}}}`
	tools := writeFile(t, "["+tool+strings.Repeat(","+tool, 9)+"]")
	for _, command := range [][]string{{"sig"}, {"manual"}, {"parse", "-"}} {
		got := callwire("hi", append(command, "--tools", tools)...)
		if strings.Count(got.stderr, `tool "a": an earlier tool has the same name`) != 5 || strings.Count(got.stderr, "\n") > 6 {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

func TestSigRefuses(t *testing.T) {
	tools := writeFile(t, taskTools)
	for args, want := range map[string]string{
		"":                                    "--tools",
		"--tools nowhere":                     "no file nowhere",
		"--tools " + tools + " x":             `no tool "x"`,
		"--style nice --tools " + tools:       "compact or classic",
		"--fallback error --tools " + tools:   "due date",
		"--tools " + writeFile(t, "nonsense"): "not JSON",
	} {
		got := callwire("", append([]string{"sig"}, strings.Fields(args)...)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("sig %s: %+v\nwant %s", args, got, want)
		}
	}
}
