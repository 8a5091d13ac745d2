package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGateNamesTests: whatever the gate runs or leaves out by name is there. A test that
// is renamed would else run where it takes minutes, or run nowhere, and nobody be told.
func TestGateNamesTests(t *testing.T) {
	gate := textOf(t, ".ci/run")
	tests := functions(t, root, "Test")
	patterns := regexp.MustCompile(`(?:-run|-skip) '?([\w|()]*[A-Za-z]\w*[\w|()]*)`).FindAllStringSubmatch(gate, -1)
	if len(patterns) < 3 {
		t.Errorf("%d patterns in the gate", len(patterns))
	}
	for _, p := range patterns {
		exist(t, ".ci/run", p[1], tests)
	}
}

// TestShownGoCommands: a command of Go that a page shows is of a package that is there,
// with tests and flags that it has.
func TestShownGoCommands(t *testing.T) {
	shown := 0
	for _, page := range pages(t) {
		for _, m := range regexp.MustCompile(`\bgo (test|run) ([^\n`+"`"+`#]*)`).FindAllStringSubmatch(textOf(t, page), -1) {
			args := words(m[2])
			i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "./") && !strings.HasSuffix(a, "...") })
			if i < 0 {
				continue
			}
			shown++
			dir := filepath.Join(root, args[i])
			sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil || len(sources) == 0 {
				t.Errorf("%s: there is no package %s", page, args[i])
				continue
			}
			var all strings.Builder
			for _, name := range sources {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				all.Write(text)
			}
			if m[1] == "run" && !strings.Contains(all.String(), "func main()") {
				t.Errorf("%s: %s is no command", page, args[i])
			}
			for j, arg := range args {
				name := strings.TrimLeft(arg, "-")
				name, _, _ = strings.Cut(name, "=")
				of := map[string]string{"-run": "Test", "-fuzz": "Fuzz"}[arg]
				switch {
				case !strings.HasPrefix(arg, "-") || j < i && m[1] == "run" || name == "":
				case m[1] == "test" && of != "" && j+1 < len(args):
					if args[j+1] != "xxx" && args[j+1] != "^$" {
						exist(t, page, args[j+1], functions(t, dir, of))
					}
				case m[1] == "test" && slices.Contains([]string{"race", "timeout", "fuzztime", "v", "count", "short", "bench", "benchtime", "update", "skip"}, name):
				case strings.HasPrefix(name, "rapid.") && strings.Contains(all.String(), "pgregory.net/rapid"):
				case strings.Contains(args[i], "cmd/callwire") && !strings.Contains(args[i], "release"): // package main there looks at these
				case !regexp.MustCompile(`\w\("` + regexp.QuoteMeta(name) + `"|Var\(&?[\w.]+, "` + regexp.QuoteMeta(name) + `"`).MatchString(all.String()):
					t.Errorf("%s: %s has no flag %s", page, args[i], arg)
				}
			}
		}
	}
	if shown < 30 {
		t.Errorf("%d commands are shown", shown)
	}
}

// pages returns the pages of this module.
func pages(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if err == nil && strings.HasSuffix(path, ".md") {
			path, err = filepath.Rel(root, path)
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) < 10 {
		t.Fatal(all, err)
	}
	return all
}

// textOf returns a file of this module.
func textOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exist checks that every alternative of a pattern matches the name of some test.
func exist(t *testing.T, page, pattern string, tests []string) {
	t.Helper()
	for _, one := range alternatives(pattern) {
		first, _, _ := strings.Cut(one, "/") // the rest are names of what a test runs
		if !slices.ContainsFunc(tests, regexp.MustCompile(first).MatchString) {
			t.Errorf("%s: no test is %s, of %s", page, one, pattern)
		}
	}
}

// words splits a command as a shell does, with single quotes only.
func words(command string) (all []string) {
	for _, w := range regexp.MustCompile(`(?:'[^']*'|[^\s'])+`).FindAllString(command, -1) {
		all = append(all, strings.ReplaceAll(w, "'", ""))
	}
	return all
}

// alternatives are the patterns that a pattern joins: a|b(c|d) is a, bc and bd.
func alternatives(pattern string) (all []string) {
	depth, from := 0, 0
	for i := 0; i <= len(pattern); i++ {
		switch {
		case i == len(pattern) || depth == 0 && pattern[i] == '|':
			all = append(all, pattern[from:i])
			from = i + 1
		case pattern[i] == '(':
			depth++
		case pattern[i] == ')':
			depth--
		}
	}
	for i := 0; i < len(all); i++ {
		before, rest, found := strings.Cut(all[i], "(")
		inner, after, closed := strings.Cut(rest, ")")
		if found && closed {
			var each []string
			for _, one := range alternatives(inner) {
				each = append(each, before+one+after)
			}
			all = slices.Replace(all, i, i+1, each...)
		}
	}
	return all
}
