package middleware

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/callwire/callwire/parse"
)

// fuzzed are the Middlewares of all flags, made once.
var fuzzed = sync.OnceValue(func() (m [32]func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error)) {
	for flags := range m {
		opts := Options{Options: parse.Options{Strict: flags&1 != 0, AllowAfterMalformed: flags&2 != 0, AllowUnclosed: flags&4 != 0}, MaxResponse: 1 << 16}
		if flags&8 == 0 {
			opts.Retries = -1
		}
		if opts.LiveAfter = 1; flags&16 == 0 {
			opts.LiveAfter = -1
		}
		m[flags] = Middleware(shown(opts))
	}
	return m
})

// through reads a stream in the given cuts through a Middleware. A message that
// is sent back gets the same stream again.
func through(flags byte, path, request string, stream, cuts []byte) (string, error) {
	resp, err := fuzzed()[flags%32](newRequest(path, request), func(*http.Request) (*http.Response, error) {
		return streaming(&cutReader{data: stream, cuts: cuts}), nil
	})
	if err != nil {
		return "", err
	}
	out, err := io.ReadAll(resp.Body)
	return string(out), err
}

// checkStream holds a stream to what every stream is: events with JSON in them.
// The last one may be what the upstream broke off in.
func checkStream(t *testing.T, stream string, broken bool) {
	t.Helper()
	in := newFrames(strings.NewReader(stream), false, 1<<30)
	var raw int
	for in.next() {
		raw += len(in.raw)
		data := in.data
		if len(data) == 0 || bytes.HasPrefix(data, doneMark) || broken && raw >= len(stream) {
			continue
		}
		if !validObject(data) {
			t.Fatalf("an event with %q in\n%q", data, stream)
		}
	}
	if raw < len(stream) {
		t.Fatalf("%d of %d bytes are in events", raw, len(stream))
	}
}

// brokeOff reports whether a stream ends within an event.
func brokeOff(in []byte) bool {
	for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		if bytes.HasSuffix(in, []byte(end)) {
			return false
		}
	}
	return true
}

// FuzzStream reads any bytes as a stream of either protocol. What comes out does
// not depend on how they are cut, and is a stream of JSON.
func FuzzStream(f *testing.F) {
	for _, stream := range []string{
		written(chat, weatherRequest, "Let me look. <call>getWeather location=\"N Y\"</call>"+broken+" <"),
		strings.ReplaceAll(written(chat, weatherRequest, "<call>getWeather location=Rome"), "\n", "\r\n"),
		strings.ReplaceAll("data: {}\n\ndata: [DONE]\n", "\n", "\r\n") + "\r",
		chunksRaw(`"\ud83d"`, `"\ude00<"`, `["x"]`, "null"),
		written(messages, weatherRequestA, "Look: <call>getWeather location=Rome</call>\n"+broken+"b"),
		"event: x\ndata: {\"type\":\"content_block_delta\",\"index\":3}\n\n: c\rdata: [DONE]\r\rdata: 7",
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0},{"index":5}],"content":"<"},"finish_reason":"stop"}],"usage":{}}` + "\n\n",
		chunksRaw(`"a <call>getWea"`) + `data: {"error":{"message":"gone"}}` + "\n\n" + chunksRaw(`"ther</call>"`),
		strings.Replace(written(messages, weatherRequestA, "a <call>getWea"), "event: content_block_stop", "event: error\ndata: {\"type\":\"error\"}\n\nevent: content_block_stop", 1),
	} {
		f.Add([]byte(stream), []byte{0}, byte(0))
		f.Add([]byte(stream), []byte{3, 200, 1}, byte(15))
		f.Add([]byte(stream), []byte{5}, byte(16))
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte, flags byte) {
		for path, request := range map[string]string{chat: weatherRequest, messages: weatherRequestA} {
			out, err := through(flags, path, request, in, cuts)
			whole, wholeErr := through(flags, path, request, in, nil)
			if out != whole {
				t.Fatalf("%s cut: %q\nwhole: %q", path, out, whole)
			}
			var e, wholeE *Error
			if errors.As(err, &e) != errors.As(wholeErr, &wholeE) || e != nil && *e != *wholeE {
				t.Fatalf("%s cut: %v, whole: %v", path, err, wholeErr)
			}
			checkStream(t, out, e != nil || brokeOff(in))
		}
	})
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }
