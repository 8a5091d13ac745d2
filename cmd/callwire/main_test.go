package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "read the whole corpus and run all commands, as the gate does")

const (
	sample      = "../../corpus/samples/agent.txt"
	sampleTools = "../../corpus/samples/tools.json"
)

// result is what a command line did.
type result struct {
	code           int
	stdout, stderr string
}

// callwire runs a command line in this process.
func callwire(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// writeFile writes a file for the test and returns its name.
func writeFile(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// readSample returns the text of the sample.
func readSample() (string, error) {
	text, err := os.ReadFile(sample)
	return string(text), err
}
