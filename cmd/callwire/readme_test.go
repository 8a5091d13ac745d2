package main

import (
	"os"
	"path/filepath"
	"regexp"
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

// TestReadmeCode: every line of Go in the README stands in an example that is
// compiled and run.
func TestReadmeCode(t *testing.T) {
	var examples strings.Builder
	for _, name := range []string{"../../stream/example_agent_test.go", "../../stream/middleware/example_test.go"} {
		for line := range strings.Lines(readFile(t, name)) {
			examples.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readFile(t, readme), -1)
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of Go", len(blocks))
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
	_, section, _ := strings.Cut(readFile(t, readme), "## Five numbers\n")
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
		if !strings.Contains(page, `| getWeather location="New York" units=metric | 16 | 30 |`) || row[2] != "16" && row[2] != "30" {
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
	page = strings.ReplaceAll(page, "\\\n", " ")
	for _, m := range regexp.MustCompile("(?m)(?:^ {2,}|`|\\| |do )(?:go run \\./cmd/callwire|callwire)((?: [^\\n`|>;&]*)?)").FindAllStringSubmatch(page, -1) {
		line, _, _ := strings.Cut(m[1], "  #")
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// TestShownCommands: every command in the README, in the other pages, in the gate and
// in the help of all commands is one that exists, with flags that it has.
func TestShownCommands(t *testing.T) {
	pages := readFile(t, readme) + readFile(t, "BENCHMARKS.md")
	for _, name := range []string{"../../corpus/README.md", "../../corpus/adapters/python/README.md", "../../corpus/adapters/javascript/README.md", "../../fuzz/README.md", "release/README.md", "../../stream/middleware/clients/README.md", "../../.ci/run"} {
		pages += readFile(t, name)
	}
	eachCommand(newRoot(), func(c *cobra.Command) { pages += "\n" + c.Example + "\n" })
	seen := 0
	for _, line := range commandsOf(pages) {
		args := shellWords(line)
		cmd, rest, err := newRoot().Find(args)
		if err != nil {
			t.Errorf("callwire %s: %v", line, err)
			continue
		}
		seen++
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
	if seen < 60 {
		t.Errorf("%d commands are shown", seen)
	}
}

// shellWords divides a command as a shell does, with single and double quotes.
func shellWords(line string) (words []string) {
	for _, w := range regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`).FindAllString(line, -1) {
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(w))
	}
	return words
}

// TestFirstCommands runs what a newcomer runs first.
func TestFirstCommands(t *testing.T) {
	t.Chdir("../..")
	for _, line := range []string{
		"parse corpus/samples/agent.txt --tools corpus/samples/tools.json", "parse --sample", "demo", "bench tokens",
	} {
		if !strings.Contains(readFile(t, "README.md"), "callwire "+line) {
			t.Errorf("the README does not tell of %s", line)
		}
		if got := callwire("", strings.Fields(line)...); got.code != exitOK || got.stdout == "" || got.stderr != "" {
			t.Errorf("%s: code %d, %s", line, got.code, got.stderr)
		}
	}
}
