package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// TestAnyChunks: what is printed does not depend on how the text arrives, and no terminal obeys it.
func TestAnyChunks(t *testing.T) {
	text, err := readSample()
	if err != nil {
		t.Fatal(err)
	}
	hostile := "a\r\n\r<call>x</call> \t\r\n b \xe2\x80\xae\xff é" +
		"<call>t a=\"\u202e\x7f\u009b\" b = \"é\r\n\"</call>\t\n\nz\xc3"
	for _, text := range []string{text, hostile} {
		for _, flags := range [][]string{{"--color=always"}, {"--json"}, {"--follow", "--color=always"}} {
			args := append([]string{"parse"}, flags...)
			whole := callwire(text, args...)
			if whole.code != exitOK || strings.ContainsAny(whole.stdout, "\r\u202e\x7f\u009b") {
				t.Errorf("%v: code %d, %q", args, whole.code, whole.stdout)
			}
			var slow strings.Builder
			run(args, iotest.OneByteReader(strings.NewReader(text)), &slow, io.Discard)
			if slow.String() != whole.stdout {
				t.Errorf("%v byte by byte\n%q\nwhole\n%q", args, slow.String(), whole.stdout)
			}
			for _, n := range []string{"1", "2", "7", "65536"} {
				if got := callwire(text, append(args, "--chunk", n)...); got != whole {
					t.Errorf("%v --chunk %s\n%q\nwhole\n%q", args, n, got.stdout, whole.stdout)
				}
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
