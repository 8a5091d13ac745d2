package main

import (
	"encoding/json"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

func TestManual(t *testing.T) {
	got := callwire("", "manual", "--tools", writeFile(t, taskTools))
	if got.code != exitOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	golden.Assert(t, got.stdout, "manual.txt")
}

func TestManualOptions(t *testing.T) {
	tools := writeFile(t, taskTools)
	system := writeFile(t, "Be kind.\n")
	for args, want := range map[string]string{
		"--placement first --system " + system:  "findTasks {\"due date\"?} - Find tasks.\n\nBe kind.\n\n",
		"--system " + system:                    "Be kind.\n\nIf no tool",
		"--open (( --close )) ":                 "\n((addTask title=",
		"--lazy findTasks":                      "<call>__load_tool_schema__ names=[\"findTasks\"]</call>\nfindTasks - Find tasks.\n",
		"--lazy *":                              "<call>__load_tool_schema__ names=[\"addTask\"]</call>\naddTask - ",
		"--lazy * --hide-names":                 "Tools that are not listed: 2. Search",
		"--lazy findTasks --loader more":        "<call>more names=[\"findTasks\"]</call>",
		"--budget 1":                            "\naddTask title urgent?:bool\n",
		"--header " + writeFile(t, "My tools:"): "My tools:\naddTask",
	} {
		got := callwire("", append([]string{"manual", "--tools", tools}, strings.Fields(args)...)...)
		if got.code != exitOK || !strings.Contains(got.stdout, want) || strings.Contains(got.stderr, "a budget of 1 tokens") != (args == "--budget 1") {
			t.Errorf("manual %s: %+v\nwant %s", args, got, want)
		}
	}
}

// The tools can come from standard input; what is wrong with them is told.
func TestToolsFromInput(t *testing.T) {
	for _, command := range []string{"sig", "manual"} {
		got := callwire("["+strings.TrimSuffix(strings.TrimPrefix(taskTools, "["), "]")+`,{"name":"addTask"}]`, command, "-t", "-")
		if got.code != exitOK || !strings.Contains(got.stdout, "addTask title") || !strings.Contains(got.stderr, `tool "addTask": an earlier tool has the same name`) {
			t.Errorf("%s: %+v", command, got)
		}
	}
	messages := writeFile(t, taskMessages)
	if got := callwire(taskTools, "history", "-t", "-", messages); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := callwire(taskTools, "parse", "-t", "-", writeFile(t, "<call>addTask title=7</call>")); !strings.Contains(got.stdout, `"7"`) {
		t.Errorf("%+v", got)
	}
	for _, command := range []string{"history", "parse", "format"} {
		if got := callwire(taskTools, command, "-t", "-"); got.code != exitFailed || !strings.Contains(got.stderr, "already used for the tools") {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// A call of the loader is one where some tools are lazy.
func TestParseLoader(t *testing.T) {
	text := writeFile(t, `<call>__load_tool_schema__ names=["addTask"]</call>`)
	tools := writeFile(t, taskTools)
	if got := callwire("", "parse", "--json", "-t", tools, "--lazy", "addTask", text); got.code != exitOK || !strings.Contains(got.stdout, `"tool-call"`) {
		t.Errorf("%+v", got)
	}
	if got := callwire("", "parse", "--json", "-t", tools, text); !strings.Contains(got.stdout, "unknown-tool") {
		t.Errorf("%+v", got)
	}
}

// The JSON holds all of the text.
func TestManualJSON(t *testing.T) {
	got := callwire("", "manual", "--json", "--random", "--tools", writeFile(t, taskTools), "--lazy", "addTask")
	var m manualJSON
	if err := json.Unmarshal([]byte(got.stdout), &m); err != nil || len(m.Signatures) != 2 || len(m.Examples) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	all := m.Intro + "\n" + strings.Join(m.Examples, "\n") + "\n- " + strings.Join(m.Rules, "\n- ") + "\n\n" + m.Legend + "\n" + strings.Join(m.Signatures, "\n") +
		"\n\n" + m.Loading + "\n" + strings.Join(m.Deferred, "\n")
	if all != m.Text {
		t.Errorf("%s\nis not\n%s", all, m.Text)
	}
	d := lexer.Delims{Open: m.Open, Close: m.Close}
	if d == lexer.DefaultDelims {
		t.Error("the tags are not random")
	}
	for _, e := range m.Examples {
		if read := (parse.Options{Delims: d}).Text(e, nil); len(read) != 1 || read[0].Kind != parse.Call {
			t.Errorf("no call: %s", e)
		}
	}
}

func TestManualRefuses(t *testing.T) {
	tools := writeFile(t, taskTools)
	for args, want := range map[string]string{
		"--open ((":           "go together",
		"--open ab --close b": "punctuation",
		"--protocol none":     `there is no protocol "none", but wire, hermes`,
		"--protocol hermes --open (( --close x((":   "neither tag inside",
		"--protocol morph-xml --open (( --close ))": "tags of its tool's name",
		"--protocol yaml-xml --random":              "tags of its tool's name",
		"--lazy x":                                  `no tool "x"`,
		"--system nowhere":                          "no file nowhere",
		"--fallback error":                          "due date",
		"extra":                                     "no argument",
	} {
		got := callwire("", append([]string{"manual", "--tools", tools}, strings.Fields(args)...)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("manual %s: %+v\nwant %s", args, got, want)
		}
	}
}

func TestManualOfLazyTools(t *testing.T) {
	tools := writeFile(t, `[{"name":"now","description":"Tell the time.","inputSchema":{"type":"object","properties":{}}},
		{"name":"archive","description":"Archive.","lazy":true,"skill":"Ask first.","inputExamples":[{"id":"T-1"}],"inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}]`)
	model := writeFile(t, `[{"name":"archive","description":"Put away.","inputSchema":{"type":"object","properties":{"id":{"enum":["T-1","T-2"]}},"required":["id"]}}]`)
	for args, want := range map[string]string{
		"":                                 "\narchive - Archive.\n",
		"--load archive":                   "archive id - Archive.\n<call>archive id=T-1</call>\nAsk first.\n",
		"--load archive --schemas":         "archive - Archive.\n{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"required\":[\"id\"]}\n<call>archive id=T-1</call>\nAsk first.\n",
		"--load archive --model " + model:  "archive id:T-1|T-2 - Put away.\n<call>archive id=T-1</call>\nAsk first.\n",
		"--load archiv --json":             "{\"text\":\"There is no tool \\\"archiv\\\". Write <call>__load_tool_schema__ names=[\\\"archive\\\"]</call> with one or more of these names: archive\"}\n",
		"--load=":                          "Name the tools to load. Write <call>__load_tool_schema__ names=[\"archive\"]</call> with one or more of these names: archive\n",
		"--search put":                     "No tool was found for \"put\". Write <call>__load_tool_schema__ names=[\"archive\"]</call> with one or more of these names: archive\n",
		"--search archive --hide-names":    "archive id - Archive.\n<call>archive id=T-1</call>\nAsk first.\n",
		"--hide-names":                     "\n\nTools that are not listed: 1. Search for them by what they do before the first call: <call>__load_tool_schema__ query=archive</call>\n",
		"--lazy now --loader archive":      "\nnow - Tell the time.\n",
		"--model " + model + " --lazy now": "now - Tell the time.\narchive - Put away.\n",
	} {
		got := callwire("", append([]string{"manual", "--tools", tools}, strings.Fields(args)...)...)
		if got.code != exitOK || !strings.HasSuffix(got.stdout, want) {
			t.Errorf("manual %s: %+v\nwant %s", args, got, want)
		}
	}
	if got := callwire("", "manual", "--tools", tools, "--model", "nowhere"); got.code != exitFailed || !strings.Contains(got.stderr, "nowhere") {
		t.Errorf("%+v", got)
	}
}
