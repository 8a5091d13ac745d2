package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

const readme = "../../README.md"

// readFile returns a file as text.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeLength: a README is read to its end only if it has one.
func TestReadmeLength(t *testing.T) {
	if n := strings.Count(readFile(t, readme), "\n"); n > 180 {
		t.Errorf("%d lines, at most 180", n)
	}
}

// TestReadmeCode: every line of Go in the README is part of an example that is
// compiled and run.
func TestReadmeCode(t *testing.T) {
	var examples strings.Builder
	for _, name := range []string{"../../parse/example_test.go", "../../manual/chat/example_test.go", "../../stream/middleware/example_test.go"} {
		for line := range strings.Lines(readFile(t, name)) {
			examples.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readFile(t, readme), -1)
	for _, used := range []string{"middleware.Transport", "chat.New(", ".Reply(", ".Result("} {
		if !slices.ContainsFunc(blocks, func(b []string) bool { return strings.Contains(b[1], used) }) {
			t.Errorf("no code shows %s", used)
		}
	}
	for _, b := range blocks {
		var lines strings.Builder
		for line := range strings.Lines(b[1]) {
			lines.WriteString(strings.TrimSpace(line) + "\n")
		}
		if !strings.Contains(examples.String(), lines.String()) {
			t.Errorf("no example has this code:\n%s", b[1])
		}
	}
}

// TestReadmeNumbers: the numbers of the README are some of BENCHMARKS.md, which is
// generated.
func TestReadmeNumbers(t *testing.T) {
	_, section, _ := strings.Cut(readFile(t, readme), "## Four numbers, and yours\n")
	section, _, _ = strings.Cut(section, "\n\nAll others")
	page := readFile(t, "BENCHMARKS.md")
	numbers := regexp.MustCompile(`\b\d[\d.]*\b`).FindAllString(section, -1)
	if len(numbers) < 8 {
		t.Fatalf("numbers %q", numbers)
	}
	for _, n := range numbers {
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(n) + `\b`).MatchString(page) {
			t.Errorf("BENCHMARKS.md has no %s: take the number from there", n)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `(.*)` \\| (\\d+) \\|$").FindAllStringSubmatch(readFile(t, readme), -1) {
		if !strings.Contains(page, `| getWeather location="New York" units=m… |   16 |     30 |`) || row[2] != "16" && row[2] != "30" {
			t.Errorf("%s has other tokens in BENCHMARKS.md than %s", row[1], row[2])
		}
	}
}

// TestReadmeLinks: what the README links to is there.
func TestReadmeLinks(t *testing.T) {
	for _, name := range []string{readme, "BENCHMARKS.md"} {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(readFile(t, name), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// commandsOf returns the command lines of callwire in a page: in its indented
// blocks, its spans of code and its examples.
func commandsOf(page string) (lines []string) {
	page = regexp.MustCompile(`\\\n *`).ReplaceAllString(page, "")
	const word = `'[^'\n]*'|"[^"\n]*"|[^\n` + "`" + `|>;&'"]`
	for _, m := range regexp.MustCompile("(?m)(?:^ {2,}|`|\\| |do )(?:go run \\./cmd/callwire|callwire)((?: (?:"+word+")*)?)").FindAllStringSubmatch(page, -1) {
		line, _, _ := strings.Cut(m[1], "  ") // a comment
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// shownCommands returns the commands in the README, in the other pages, in the gate and
// in the help of all commands, each once.
func shownCommands(t *testing.T) []string {
	t.Helper()
	pages := readFile(t, readme) + readFile(t, "BENCHMARKS.md")
	for _, name := range []string{"../../corpus/README.md", "../../corpus/adapters/python/README.md", "../../corpus/adapters/javascript/README.md", "../../fuzz/README.md", "../../stream/middleware/clients/README.md", "../../sig/constrain/README.md", "../../.ci/run"} {
		pages += readFile(t, name)
	}
	eachCommand(newRoot(), func(c *cobra.Command) { pages += "\n" + readPage(c.Name())[examples] + "\n" })
	lines := commandsOf(pages)
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) < 90 {
		t.Errorf("%d commands are shown", len(lines))
	}
	return lines
}

// TestShownCommands: every command that is shown is one that exists, with flags that it
// has.
func TestShownCommands(t *testing.T) {
	for _, line := range shownCommands(t) {
		args := shellWords(line)
		cmd, rest, err := newRoot().Find(args)
		if err != nil {
			t.Errorf("callwire %s: %v", line, err)
			continue
		}
		for i, arg := range rest {
			if arg == "--" {
				rest = rest[:i]
				break
			}
		}
		if err := cmd.ParseFlags(rest); err != nil && !strings.Contains(err.Error(), "help requested") {
			t.Errorf("callwire %s: %v", line, err)
		}
		if cmd.Name() == "callwire" && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			t.Errorf("callwire %s: no such command", line)
		}
	}
}

// runElsewhere are the beginnings of the commands that TestShownCommandsRun does not
// run: they go on until they are stopped, take minutes, or ask a model or another
// program. These tests run them as far as a test can.
var runElsewhere = map[string]string{
	"proxy":                  "proxy_test.go",
	"playground":             "playground_test.go",
	"bench live":             "bench_test.go",
	"bench report":           "bench_test.go",
	"bench speed":            "bench_test.go",
	"conform --check":        "conform_test.go",
	"conform --differential": "conform_test.go",
	"conform --known":        "conform_test.go",
	"conform --level":        "conform_test.go",
	"conform --protocol":     "conform_test.go",
	"conform --report":       "conform_test.go",
	"conform --run":          "conform_test.go",
	"conform -- ":            "conform_test.go",
}

// TestShownCommandsRun runs the commands that are shown in a folder that has the files
// which they name: with -long all of them, otherwise those of the README and a third of
// the others.
func TestShownCommandsRun(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	lines, first := shownCommands(t), commandsOf(readFile(t, readme))
	for begin, name := range runElsewhere {
		if _, err := os.Stat(name); err != nil || !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, begin) }) {
			t.Errorf("%s is not shown, or not tested in %s", begin, name)
		}
	}
	program := asProgram(t)
	t.Chdir(t.TempDir())
	report := callwire("", "conform", "--run", "framing/text-only", "--report", "json", "--", program, "serve")
	for _, name := range []string{"a.json", "b.json", "mine.json", "other.json"} {
		if err := os.WriteFile(name, []byte(report.stdout), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(".", os.DirFS(filepath.Join(repository, "cmd/callwire/testdata/shown"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(repository, "corpus"), "corpus"); err != nil {
		t.Fatal(err)
	}
	stdin := map[string]string{"parse": "Hi. <call>getWeather location=Oslo</call>", "format": `{"name":"getWeather","input":{"location":"Oslo"}}`}
	found := map[string]bool{"feedback": true} // what it finds is what it is asked for
	ran := 0
	for i, line := range lines {
		if !*long && i%3 != 0 && !slices.Contains(first, line) {
			continue
		}
		args := shellWords(strings.ReplaceAll(line, "DIR", "dist"))
		elsewhere := false
		for begin := range runElsewhere {
			elsewhere = elsewhere || strings.HasPrefix(line, begin)
		}
		if elsewhere || len(args) == 0 {
			continue
		}
		ran++
		got := callwire(stdin[args[0]], args...)
		if got.code == exitFailed || got.code == exitFound && !found[args[0]] || got.stderr != "" && !strings.HasPrefix(got.stderr, "callwire: wrote") {
			t.Errorf("callwire %s: code %d, %s", line, got.code, got.stderr)
		}
	}
	if ran < 60 && *long || ran < 20 {
		t.Errorf("%d commands were run", ran)
	}
}

// shellWords divides a command as a shell does, with single and double quotes.
func shellWords(line string) (words []string) {
	for _, w := range regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`).FindAllString(line, -1) {
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(w))
	}
	return words
}

// TestFirstCommands: the README shows what a newcomer runs first.
func TestFirstCommands(t *testing.T) {
	for _, line := range []string{
		"parse corpus/samples/agent.txt --tools corpus/samples/tools.json", "parse --sample", "demo", "bench tokens",
	} {
		if !slices.Contains(commandsOf(readFile(t, readme)), line) {
			t.Errorf("the README does not tell of %s", line)
		}
	}
}
