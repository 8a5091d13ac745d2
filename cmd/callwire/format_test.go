package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestFormatReadsBack takes the calls of the sample through both commands.
func TestFormatReadsBack(t *testing.T) {
	calls := func(text string) (lines, inputs string) {
		for line := range strings.Lines(callwire(text, "parse", "--json", "--tools", sampleTools).stdout) {
			if strings.Contains(line, `"type":"tool-call"`) {
				lines += line
				inputs += regexp.MustCompile(`"name":.*"input":"(\\.|[^"\\])*"`).FindString(line) + "\n"
			}
		}
		return lines, inputs
	}
	text, err := readSample()
	if err != nil {
		t.Fatal(err)
	}
	lines, inputs := calls(text)
	written := callwire(lines, "format", "--tools", sampleTools)
	if written.code != exitOK || strings.Count(written.stdout, "\n") != 9 {
		t.Fatalf("%+v", written)
	}
	if _, again := calls(written.stdout); again != inputs {
		t.Errorf("read back:\n%swant:\n%s", again, inputs)
	}
}

// TestFormatLinear: lines that are all broken are read twice at most.
func TestFormatLinear(t *testing.T) {
	in := strings.Repeat("{\"a\":\n", 20_000)
	if got := callwire(in, "format"); strings.Count(got.stderr, "\n") != 20_000 {
		t.Errorf("%d lines", strings.Count(got.stderr, "\n"))
	}
}
