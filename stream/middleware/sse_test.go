package middleware

import (
	"fmt"
	"strings"
	"testing"
)

// scan reads a stream in reads of a given size, and describes its blocks.
func scan(s scanner, stream string, size int) (out []string, raw string) {
	var b block
	take := func() {
		for s.next(&b) {
			data := "-"
			if b.data != nil {
				data = string(b.data)
			}
			out = append(out, fmt.Sprintf("%s|%s|%s", b.name, data, b.rest))
			raw += string(b.raw)
		}
	}
	for rest := stream; rest != ""; {
		room := s.free(size)
		n := copy(room[:size], rest)
		rest = rest[n:]
		s.fill(n)
		take()
	}
	s.end()
	take()
	return out, raw
}

func TestScanner(t *testing.T) {
	for _, c := range []struct {
		stream string
		want   []string
	}{
		{"data: a\n\n", []string{"|a|"}},
		{"data: a\r\n\r\ndata:b\r\rdata:  c\n\r\n", []string{"|a|", "|b|", "| c|"}},
		{"event: x\ndata: a\ndata\ndata: b\nid: 1\n\n", []string{"x|a\n\nb|id: 1\n"}},
		{": c\n\n\n\ndata: a\n\n", []string{"|-|: c\n", "|-|", "|-|", "|a|"}},
		{"data: a\r\n\r", []string{"|a|"}},
		{"\r\n\r\ndata: a\r\r", []string{"|-|", "|-|", "|a|"}},
		{"event: content_block_delta\r\ndata:{}\r\nretry: 5\r\n\r\n", []string{"content_block_delta|{}|retry: 5\r\n"}},
		{"database: x\ndata : y\n\n", []string{"|-|database: x\ndata : y\n"}},
	} {
		for size := 1; size <= len(c.stream); size++ {
			got, raw := scan(scanner{}, c.stream, size)
			if strings.Join(got, "\x00") != strings.Join(c.want, "\x00") || raw != c.stream {
				t.Errorf("%q in reads of %d: %q, raw %q", c.stream, size, got, raw)
			}
		}
	}
}

// TestScannerTerminates: the last block gets the empty line that the stream did not
// send, and a line of JSON its end, so that another block may follow.
func TestScannerTerminates(t *testing.T) {
	for stream, want := range map[string]string{
		"\n\ndata: a":         "\n\ndata: a\n\n",
		"data: a\n":           "data: a\n\n",
		"data: a\r\n":         "data: a\r\n\n",
		"\r\n\r\ndata: a\r":   "\r\n\r\ndata: a\r\n\n",
		"event: x\r\ndata: a": "event: x\r\ndata: a\n\n",
	} {
		for size := 1; size <= len(stream); size++ {
			got, raw := scan(scanner{}, stream, size)
			if raw != want || !strings.HasSuffix(got[len(got)-1], "|a|") {
				t.Errorf("%q in reads of %d: %q, raw %q", stream, size, got, raw)
			}
		}
	}
	for _, stream := range []string{"{}\n{}", "{}\n{}\n"} {
		if _, raw := scan(scanner{lines: true}, stream, 1); raw != "{}\n{}\n" {
			t.Errorf("%q: raw %q", stream, raw)
		}
	}
}

// TestScannerIsPrompt: a block is complete with the byte that ends it, unless that
// is a CR, which an LF may follow.
func TestScannerIsPrompt(t *testing.T) {
	var s scanner
	var b block
	for _, c := range []struct {
		text string
		want bool
	}{{"data: a\n", false}, {"\n", true}, {"data: a\r\n\r", false}, {"\n", true}, {"data: a\r\r", false}, {"d", true}} {
		s.fill(copy(s.free(len(c.text)), c.text))
		if got := s.next(&b); got != c.want {
			t.Errorf("after %q: %v", c.text, got)
		}
	}
}

func TestAppendEvent(t *testing.T) {
	for data, want := range map[string]string{"{}": "event: x\ndata: {}\n\n", "{\n}": "event: x\ndata: {\ndata: }\n\n", "{\r\n}\n": "event: x\ndata: {\ndata: }\n\n"} {
		if got := string(appendEvent(nil, "x", []byte(data))); got != want {
			t.Errorf("%q: %q", data, got)
		}
	}
}
