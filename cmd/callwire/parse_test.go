package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"gotest.tools/v3/golden"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol/protocoltest"
	"github.com/callwire/callwire/corpus"
)

func TestSample(t *testing.T) {
	for name, args := range map[string][]string{
		"agent.txt":        nil,
		"agent.color.txt":  {"--color", "always"},
		"agent.jsonl":      {"--json"},
		"agent.strict.txt": {"--strict", "--stop-after-malformed"},
	} {
		got := callwire("", append([]string{"parse", sample, "--tools", sampleTools}, args...)...)
		if got.code != exitOK || got.stderr != "" {
			t.Errorf("%s: code %d, %q", name, got.code, got.stderr)
		}
		golden.Assert(t, got.stdout, name)
	}
}

func TestParseExitCodes(t *testing.T) {
	for _, c := range []struct {
		args, in string
		code     int
	}{
		{"parse", "<call>t a=1</call>", exitOK},
		{"parse", "<call>t a=</call", exitOK},
		{"parse --check", "<call>t a=1</call>", exitOK},
		{"parse --check", "no call", exitOK},
		{"parse --check", "<call>t a =1</call>", exitFound},
		{"parse --check --json", "<call>t a =1</call>", exitFound},
		{"parse --check", "<call>t a=1", exitFound},
		{"parse --check --accept-at-end -", "<call>t a=1", exitOK},
		{"parse --check --tools " + sampleTools, "<call>nope</call>", exitFound},
		{"parse --check --tools " + sampleTools, "<call>listReviewers x=1</call>", exitOK},
		{"parse --check --strict --tools " + sampleTools, "<call>listReviewers x=1</call>", exitFound},
		{"parse --check", "<call>t a =1</call><call>t</call>", exitFound},
		{"parse --check --max-bytes 18", "<call>t a=1</call>", exitOK},
		{"parse --check --max-bytes 17", "<call>t a=1</call>", exitFound},
		{"parse --check --max-depth 1", "<call>t a.b.c=1</call>", exitFound},
		{"parse --check --max-arguments 1", "<call>t a=1 b=1</call>", exitFound},
		{"parse --check --max-name 1", "<call>tt</call>", exitFound},
		{"parse --follow", "<call>t a =1</call>", exitOK},
		{"parse --follow --check", "<call>t a =1</call>", exitFound},
		{"parse --follow --json --check --chunk 1", "<call>t a=1</call>", exitOK},
		{"parse --follow --check --strict --tools " + sampleTools, "<call>listReviewers x=1</call>", exitFound},
		{"parse --every-split", "<call>t a =1</call>", exitOK},
		{"parse --check --open <<x --close >>", "<<xt a =1>>", exitFound},
	} {
		if got := callwire(c.in, strings.Fields(c.args)...); got.code != c.code {
			t.Errorf("%s < %s: code %d, want %d\n%s", c.args, c.in, got.code, c.code, got.stdout+got.stderr)
		}
	}
}

// parseCase runs parse on the text of a case of the corpus, under its options.
func parseCase(t *testing.T, c corpus.Case, args ...string) result {
	t.Helper()
	args = append([]string{"parse", fmt.Sprintf("--salvage=%t", c.Options.Salvage), fmt.Sprintf("--reasoning=%t", c.Options.Reasoning), fmt.Sprintf("--code=%t", c.Options.Code)}, args...)
	if c.Tools != nil {
		args = append(args, "--tools", writeFile(t, string(c.Tools)))
	}
	for flag, set := range map[string]bool{
		"--strict": c.Options.Strict, "--stop-after-malformed": c.Options.StopAfterMalformed, "--accept-at-end": c.Options.AcceptAtEnd,
	} {
		if set {
			args = append(args, flag)
		}
	}
	for flag, n := range map[string]int{
		"--max-bytes": c.Options.Limits.Bytes, "--max-depth": c.Options.Limits.Depth,
		"--max-arguments": c.Options.Limits.Arguments, "--max-name": c.Options.Limits.Name,
	} {
		if n > 0 {
			args = append(args, flag, protocoltest.JSON(t, n))
		}
	}
	return callwire(string(c.Text), args...)
}

// isEmptyCatalogue reports whether the tools of a case are none: parse refuses such
// a file, and serve answers the case.
func isEmptyCatalogue(t *testing.T, c corpus.Case, got result) bool {
	if string(c.Tools) != "[]" {
		return false
	}
	if got.code != exitFailed || !strings.Contains(got.stderr, "has no tools") {
		t.Errorf("%s: %+v", c.ID, got)
	}
	return true
}

// TestParseJSON compares with the corpus: parse --json says what the protocol
// says, and for people the name and a message with what is malformed.
func TestParseJSON(t *testing.T) {
	for _, c := range parseCases() {
		got := parseCase(t, c, "--json")
		if isEmptyCatalogue(t, c, got) {
			continue
		}
		events := []json.RawMessage{}
		for line := range strings.Lines(got.stdout) {
			var e protocol.Event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%s: %v: %s", c.ID, err, line)
			}
			if e.MalformedPart != nil {
				if e.Message == "" {
					t.Errorf("%s: no message: %s", c.ID, line)
				}
				e.Name, e.Message = "", ""
			}
			events = append(events, json.RawMessage(protocoltest.JSON(t, e)))
		}
		if diff := protocoltest.Diff(c.Want.Events, protocoltest.JSON(t, events)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.ID, diff)
		}
	}
}

// TestParseAnyChunks feeds the sample byte by byte: what is printed does not
// depend on how it arrives.
func TestParseAnyChunks(t *testing.T) {
	text, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	hostile := "a\r\n\r<call>x</call> \t\r\n b \xe2\x80\xae\xff é<call>t a = \"é\r\n\"</call>\t\n\nz\xc3"
	for _, text := range []string{string(text), hostile} {
		for _, flag := range []string{"--color=always", "--json"} {
			var slow strings.Builder
			code := run([]string{"parse", flag}, iotest.OneByteReader(strings.NewReader(text)), &slow, io.Discard)
			if fast := callwire(text, "parse", flag); code != exitOK || fast.stdout != slow.String() {
				t.Errorf("%s: code %d\nwhole:   %q\nby byte: %q", flag, code, fast.stdout, slow.String())
			}
		}
	}
}

// early runs args with the other end of a pipe in hand: what comes out after
// each write is compared before the next one.
func early(t *testing.T, args []string, steps [][2]string) {
	t.Helper()
	stdin, writer := io.Pipe()
	reader, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int)
	go func() {
		code := run(args, stdin, stdout, io.Discard)
		stdout.Close()
		done <- code
	}()
	for _, step := range steps {
		if _, err := io.WriteString(writer, step[0]); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(step[1]))
		if _, err := io.ReadFull(reader, got); err != nil || string(got) != step[1] {
			t.Fatalf("%v: after %q: got %q, %v; want %q", args, step[0], got, err, step[1])
		}
	}
	writer.Close()
	if rest, err := io.ReadAll(reader); err != nil {
		t.Errorf("%q, %v", rest, err)
	}
	if code := <-done; code != exitOK {
		t.Errorf("%v: code %d", args, code)
	}
}

// TestParseEarly: what is known after each write is printed before the next one.
func TestParseEarly(t *testing.T) {
	for flag, steps := range map[string][][2]string{
		"--color=never": {
			{"Hello", "Hello"},
			{" you.\nNow", " you.\nNow"},
			{" this:<call>t a=1", " this:"},
			{"</call>", "\n▶ t {\"a\": 1}\n"},
			{"\n<call>t b = 2", ""},
			{"</call>", "✗ t expected-equals at 3:10 (byte 48)\n"},
		},
		"--json": {
			{"Hello you.\nNow", ""},
			{" this: <call>t ", `{"type":"text","start":0,"end":21,"text":"Hello you.\nNow this: "}` + "\n"},
			{"a=1</call>", `{"type":"tool-call","start":21,"end":39,"name":"t","input":"{\"a\":1}"}` + "\n"},
		},
	} {
		early(t, []string{"parse", "--salvage=false", flag}, steps)
	}
}

func TestParseDebug(t *testing.T) {
	tools := writeFile(t, `[{"name":"t","inputSchema":{"type":"obejct"}}]`)
	quiet := callwire("<call>t a =1</call>", "parse", "--salvage=false", "--tools", tools)
	if !strings.Contains(quiet.stderr, "2 problems") || strings.Count(quiet.stderr, "\n") != 1 {
		t.Errorf("the problem is not counted: %q", quiet.stderr)
	}
	loud := callwire("<call>t a =1</call>", "parse", "--salvage=false", "--tools", tools, "-v")
	for _, want := range []string{"level=DEBUG", "code=unknown-type", "code=expected-equals", "at=9"} {
		if !strings.Contains(loud.stderr, want) {
			t.Errorf("no %s in the log:\n%s", want, loud.stderr)
		}
	}
	if quiet.stdout != loud.stdout {
		t.Errorf("the log changes the output: %q", loud.stdout)
	}
}

// TestBrokenPipes reads from and writes to what fails.
func TestBrokenPipes(t *testing.T) {
	broken := errors.New("the line is cut")
	for _, args := range [][]string{{"parse"}, {"parse", "--json"}, {"parse", "--follow"}, {"parse", "--chunk=2"}, {"parse", "--every-split"}, {"format"}, {"serve"}} {
		var stderr strings.Builder
		if code := run(args, iotest.ErrReader(broken), io.Discard, &stderr); code != exitFailed || !strings.Contains(stderr.String(), broken.Error()) {
			t.Errorf("%v reads: code %d, %q", args, code, stderr.String())
		}
	}
	for input, args := range map[string][]string{
		"text": {"parse"}, "<call>t</call>": {"parse", "--json"}, "<call>t": {"parse", "--follow"}, "": {"parse", "--every-split"}, `{"name":"t","input":{}}`: {"format"}, `{"cmd":"hello"}`: {"serve"},
	} {
		for err, want := range map[error]int{broken: exitFailed, io.ErrClosedPipe: exitOK} {
			reader, writer := io.Pipe()
			reader.CloseWithError(err)
			var stderr strings.Builder
			if code := run(args, strings.NewReader(input), writer, &stderr); code != want || (stderr.Len() == 0) != (want == exitOK) {
				t.Errorf("%v writes: %v: code %d, %q", args, err, code, stderr.String())
			}
		}
	}
}

// TestSampleFlag: the sample is part of the program, and reads as its files do.
func TestSampleFlag(t *testing.T) {
	if got, want := callwire("", "parse", "--sample"), callwire("", "parse", sample, "--tools", sampleTools); got != want || got.code != exitOK {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := callwire("", "parse", "--sample", "--json", "--tools", sampleTools), callwire("", "parse", sample, "--json", "--tools", sampleTools); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := callwire("", "parse", "--sample", sample); got.code != exitFailed || !strings.Contains(got.stderr, "--sample replaces") {
		t.Errorf("%+v", got)
	}
}

// TestEmptyCatalogue: a file without a tool is a mistake, and everywhere told.
func TestEmptyCatalogue(t *testing.T) {
	for _, tools := range []string{"[]", `{"tools":[]}`} {
		name := writeFile(t, tools)
		for _, command := range []string{"parse -", "format", "sig", "manual", "grammar", "history --manual", "feedback", "repair", "check --tools"} {
			args := append(strings.Fields(command), "--tools", name)
			if strings.HasPrefix(command, "check") {
				args = []string{"check", name}
			}
			if got := callwire("[]", args...); got.code != exitFailed || !strings.Contains(got.stderr, "has no tools") {
				t.Errorf("%s < %s: %+v", command, tools, got)
			}
		}
	}
}

// TestChunkPrintsTheSame: --chunk changes no line that parse prints.
func TestChunkPrintsTheSame(t *testing.T) {
	for _, args := range [][]string{{"parse", sample}, {"parse", "--json", sample}} {
		want := callwire("", args...)
		for _, n := range []string{"1", "2", "65536"} {
			if got := callwire("", append(args, "--chunk", n)...); got != want || got.code != exitOK {
				t.Errorf("%v --chunk %s: code %d\n%s", args, n, got.code, got.stdout)
			}
		}
	}
}
