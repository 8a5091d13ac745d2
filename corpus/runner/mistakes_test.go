package runner_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
)

const adapters = "../adapters"

// interpreters are the programs that run the readers in the folders of adapters.
var interpreters = map[string][]string{
	"python":     {"python3", "callwire.py"},
	"javascript": {"node", "callwire.mjs"},
}

// A mistake replaces lines of one file of a reader.
type mistake struct {
	file, name string
	topic      string // of the cases that notice it
	old, new   string
}

// readMistakes reads ../testdata/mistakes.txt.
func readMistakes(t *testing.T) (all []mistake) {
	t.Helper()
	data, err := os.ReadFile("../testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "## "):
			file, name, _ := strings.Cut(strings.TrimSpace(line[3:]), ": ")
			m := mistake{file: file, name: name, topic: "framing"}
			if name, topic, ok := strings.Cut(name, " (see "); ok {
				m.name, m.topic = name, strings.TrimSuffix(topic, ")")
			}
			all = append(all, m)
		case strings.HasPrefix(line, "-"):
			all[len(all)-1].old += line[1:]
		case strings.HasPrefix(line, "+"):
			all[len(all)-1].new += line[1:]
		}
	}
	return all
}

// TestMistakes makes each known mistake in a reader and runs the cases of a topic until a
// check fails. With -short it makes none.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts readers in other languages")
	}
	os.Unsetenv("PYTHONUNBUFFERED") // it would flush what a reader does not
	for _, m := range readMistakes(t) {
		t.Run(m.file+" "+m.name, func(t *testing.T) {
			t.Parallel()
			if passes(t, mistaken(t, m), casesOf(m.topic)) {
				t.Error("no case notices")
			}
		})
	}
}

// TestReadersPass runs the readers without mistakes on the topic that notices the most of
// them, so that a red check is the mistake's. The gate runs them on all topics.
func TestReadersPass(t *testing.T) {
	if testing.Short() {
		t.Skip("starts readers in other languages")
	}
	for folder := range interpreters {
		if !passes(t, mistaken(t, mistake{file: folder + "/"}), casesOf("framing")) {
			t.Errorf("%s fails", folder)
		}
	}
}

// mistaken returns the command of a copy of a reader with a mistake in it.
func mistaken(t *testing.T, m mistake) []string {
	t.Helper()
	folder, file, _ := strings.Cut(m.file, "/")
	command := slices.Clone(interpreters[folder])
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(adapters, folder))); err != nil {
		t.Fatal(err)
	}
	if file != "" {
		path := filepath.Join(dir, file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		places := regexp.MustCompile("(?m)^"+regexp.QuoteMeta(m.old)).FindAllIndex(text, -1)
		if len(places) != 1 {
			t.Fatalf("%d places have these lines:\n%s", len(places), m.old)
		}
		text = slices.Replace(text, places[0][0], places[0][1], []byte(m.new)...)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command[1] = filepath.Join(dir, command[1])
	return command
}

// passes reports whether a command passes all checks of cases. It stops at the first
// that fails.
func passes(t *testing.T, command []string, cases []corpus.Case) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	report, err := runner.Run(ctx, runner.Config{
		Command: command, Cases: cases, Matrix: corpus.Ends, Jobs: 1,
		Timeout: 5 * time.Second, StartTimeout: 20 * time.Second,
		Progress: func(_, _, failed int) {
			if failed > 0 {
				cancel()
			}
		},
	})
	return err == nil && report.OK()
}

// casesOf returns the cases of a topic that the readers answer.
func casesOf(topic string) []corpus.Case {
	return slices.DeleteFunc(corpus.Cases(), func(c corpus.Case) bool {
		return c.Level != corpus.Core || c.Op != corpus.Parse || c.Topic() != topic
	})
}
