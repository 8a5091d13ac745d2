package stream_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// TestChunksAreFreed: a Decoder does not keep a chunk.
func TestChunksAreFreed(t *testing.T) {
	catalog, err := sig.Compile(`[{"name": "t", "inputSchema": {"properties": {
		"a": {"type": "string"}, "l": {"type": "array"}, "u": {}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	then := map[string]func(*stream.Decoder){
		"Write": func(*stream.Decoder) {},
		"tokens": func(d *stream.Decoder) {
			for range 10 {
				d.Write([]byte(" tok"))
			}
		},
		"a call": func(d *stream.Decoder) { d.Write([]byte(" <call>t a=")) },
		"Close":  func(d *stream.Decoder) { d.Close() },
		"Reset":  func(d *stream.Decoder) { d.Reset() },
	}
	long := strings.Repeat("word ", 1000)
	for _, f := range append(format.All(), yaml.XML) {
		input := `{"a":"` + long + `","l":[[1,"x"]],"u":{"k":"` + long + `"}}`
		call, err := parse.FormatCall(catalog, "t", []byte(input), &parse.FormatOptions{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		first := `<tool_call>{"arguments":` + input + `,"name":"t"}</tool_call>`
		for _, text := range []string{
			long, long + call + long, "x" + call + "y", long + call + "<", "x" + first + "y",
		} {
			for name, do := range then {
				emit := func(stream.Event) error { return nil }
				d, err := stream.NewDecoder(catalog, emit, &stream.Options{Format: f, Repair: true})
				if err != nil {
					t.Fatal(err)
				}
				freed := make(chan bool)
				writeOnce(d, text, freed)
				do(d)
				if !isFreed(freed) {
					t.Errorf("%s: after %s a chunk of %.10q is not freed", f, name, text)
				}
				runtime.KeepAlive(d)
			}
		}
	}
}

// writeOnce writes text as one chunk, and closes freed when its memory is.
func writeOnce(d *stream.Decoder, text string, freed chan bool) {
	chunk := []byte(text)
	runtime.AddCleanup(&chunk[0], func(freed chan bool) { close(freed) }, freed)
	d.Write(chunk)
}

func isFreed(freed chan bool) bool {
	for range 5 {
		runtime.GC()
		select {
		case <-freed:
			return true
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}
