package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func TestGrammar(t *testing.T) {
	tools := writeFile(t, taskTools)
	for args, want := range map[string]string{
		"":                              `call-addTask ::= " title=" value (" urgent=" value-2)?`,
		"--format ebnf":                 `object ::= "{" ("\"due date\":"`,
		"--format structural-tag":       `"triggers":["<call>"]`,
		"--format lark":                 `start: (OPEN r_call "</call>")* TEXT?`,
		"--format custom-tool":          `{"type":"grammar","grammar":{"syntax":"lark","definition":"start: `,
		"--format regex":                `addTask title=`,
		"--mode named --tool addTask":   `call ::= "addTask" call-addTask`,
		"--mode one":                    `">" call "</call>"`,
		"--open << --close >>":          `call ">>"`,
		"--syntax json --tool addTask":  `object ::= "{\"title\":"`,
		"--sample 3 --mode required":    `<call>`,
		"--mode required --format lark": `)+ TEXT?`,
		"--protocol hermes --mode one":  `call ::= "\n{\"name\": \"" ("addTask`,
		"--protocol qwen3-coder -q":     `"<parameter=title>\n" text`,
		"--bare --format lark":          `start: ("<call>" r_call "</call>")*` + "\n",
	} {
		got := callwire("", append([]string{"grammar", "--tools", tools}, strings.Fields(args)...)...)
		if got.code != exitOK || !strings.Contains(got.stdout, want) || got.stderr != "" {
			t.Errorf("grammar %s: %+v\nwant %s", args, got, want)
		}
	}
}

func TestGrammarOut(t *testing.T) {
	tools, out := writeFile(t, taskTools), filepath.Join(t.TempDir(), "g.gbnf")
	if got := callwire("", "grammar", "--tools", tools, "--out", out); got.code != exitOK || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	text, err := os.ReadFile(out)
	if want := callwire("", "grammar", "--tools", tools).stdout; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

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
		calls := 0
		for _, s := range (parse.Options{Strict: true}).Text(text, catalog) {
			if s.Kind == parse.Malformed || len(s.Issues) > 0 {
				t.Errorf("%q: %v %v", text, s.Err, s.Issues)
			}
			if s.Kind == parse.Call {
				calls++
			}
		}
		if calls == 0 {
			t.Errorf("%q has no call", text)
		}
	}
}

func TestGrammarNotes(t *testing.T) {
	tools := writeFile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"u":{"type":"string","format":"uri"},"m":{"type":"object"}}}},{"name":"a b"}]`)
	got := callwire("", "grammar", "--tools", tools)
	for _, want := range []string{"callwire: t, u: format: widened: ", "callwire: t, m: additionalProperties: narrowed: ", "callwire: a b: name: left-out: "} {
		if got.code != exitOK || !strings.Contains(got.stderr, want) {
			t.Errorf("%s\nwant %s", got.stderr, want)
		}
	}
	if got := callwire("", "grammar", "--tools", tools, "--quiet"); got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

func TestGrammarRefuses(t *testing.T) {
	tools := writeFile(t, taskTools)
	untyped := writeFile(t, `[{"name":"t"}]`)
	for args, want := range map[string]string{
		"":                                   "--tools",
		"--tools nowhere":                    "no file nowhere",
		"--tools " + tools + " x":            `found "x"`,
		"--tools " + tools + " --format bnf": "gbnf, ebnf",
		"--tools " + tools + " --format bnf --sample 1":         "gbnf, ebnf",
		"--tools " + tools + " --mode some":                     "auto, required",
		"--tools " + tools + " --mode named":                    "--tool NAME",
		"--tools " + tools + " --tool x":                        `unknown tool: "x"`,
		"--tools " + tools + " --open <<":                       "give both tags",
		"--tools " + tools + " --open a --close b":              "--open and --close",
		"--tools " + tools + " --protocol gemini":               "no grammar of",
		"--tools " + tools + " --protocol hermes --syntax json": "--syntax is for",
		"--tools " + tools + " --syntax xml":                    "wire or json",
		"--tools " + tools + " --free-keys 0":                   "at least 1",
		"--tools " + untyped + " --format regex":                "not flat",
		"--tools " + writeFile(t, "[]") + " --mode required":    "has no tools",
		"--tools " + tools + " --out /nowhere/x":                "cannot write /nowhere/x",
	} {
		got := callwire("", append([]string{"grammar"}, strings.Fields(args)...)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("grammar %s: %+v\nwant %s", args, got, want)
		}
	}
}
