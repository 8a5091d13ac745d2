package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/callwire/callwire/corpus"
)

// parseCase runs parse on the text of a case of the corpus, under its options.
func parseCase(t *testing.T, c corpus.Case, args ...string) result {
	t.Helper()
	args = append([]string{"parse", fmt.Sprintf("--repair=%t", c.Options.Salvage), fmt.Sprintf("--reasoning=%t", c.Options.Reasoning), fmt.Sprintf("--allow-in-code=%t", !c.Options.Code)}, args...)
	if c.Tools != nil {
		args = append(args, "--tools", writeFile(t, string(c.Tools)))
	}
	for flag, set := range map[string]bool{
		"--strict": c.Options.Strict, "--allow-after-malformed=false": c.Options.StopAfterMalformed, "--allow-unclosed": c.Options.AcceptAtEnd,
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
			args = append(args, flag, strconv.Itoa(n))
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

// TestParseJSON compares with the corpus: parse --json prints the events of an answer, and
// for people the name and a message with what is malformed.
func TestParseJSON(t *testing.T) {
	for _, c := range parseCases() {
		got := parseCase(t, c, "--json")
		if isEmptyCatalogue(t, c, got) {
			continue
		}
		events := eventsOf(t, corpus.Parse, got.stdout)
		if diff := cmp.Diff(c.Want.Events, events, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.ID, diff)
		}
	}
}

// eventsOf reads the events that parse --json prints, as the answer to op, without what is
// for people.
func eventsOf(t *testing.T, op, printed string) []corpus.Event {
	t.Helper()
	lines := strings.ReplaceAll(strings.TrimSpace(printed), "\n", ",")
	a, faults := corpus.ReadAnswer(op, []byte(`{"seq":1,"events":[`+lines+`]}`), true)
	if len(faults) > 0 {
		t.Fatalf("%s: %s", faults, printed)
	}
	for i := range a.Events {
		if e := &a.Events[i]; e.Type == corpus.MalformedEvent {
			if e.Message == "" {
				t.Errorf("no message: %+v", e)
			}
			e.Name, e.Message = "", ""
		}
	}
	return a.Events
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
