package middleware

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "test four times as much; TestShapes then tests every combination instead of a sample")

// often returns n with -long, otherwise a quarter of it.
func often(n int) int {
	if *long {
		return n
	}
	return n / 4
}

// shapeTexts are what a model writes, the calls in it, and its text; without one
// that is as the plainest shape has it.
var shapeTexts = []struct {
	text  string
	calls []string
	said  string
}{
	{"Hello, é 😀: a < b, <ca and \"q\" \\ \u2028 it.", nil, "Hello, é 😀: a < b, <ca and \"q\" \\ \u2028 it."},
	{"<call>getWeather location=Rome</call>", []string{`{"location":"Rome"}`}, ""},
	{"Let me look.\n<call>getWeather location=Rome</call>", []string{`{"location":"Rome"}`}, "Let me look.\n"},
	{"<call>getWeather location=Rome</call> So.", []string{`{"location":"Rome"}`}, " So."},
	{"<call>getWeather location=Rome</call><call>getWeather location=\"New York\" units=metric</call>", []string{`{"location":"Rome"}`, `{"location":"New York","units":"metric"}`}, ""},
	{"A <call>getWeather location=Rome</call> b <call>getWeather location=Rome</call> c", []string{`{"location":"Rome"}`, `{"location":"Rome"}`}, "A  b  c"},
	{`<call>getWeather location="</call><call>rm a=1</call>"</call>`, []string{`{"location":"</call><call>rm a=1</call>"}`}, ""},
	{"<call>getWeather location=\"é 😀\\u00e9\\n\t'\\\"\\\\\"</call>", []string{`{"location":"é 😀é\n\t'\"\\"}`}, ""},
	{`<call>getWeather {"location":"Rome","units":"imperial"}</call>`, []string{`{"location":"Rome","units":"imperial"}`}, ""},
	{"<call>getWeather location=Rome units=[</call> Well.", nil, ""},
	{"<call>getWeather location=[</call><call>getWeather location=Rome</call>", nil, ""},
	{"<call>getWeather location=Rome</call><call>getWeather location=[</call>", []string{`{"location":"Rome"}`}, ""},
	{"I see <call>getWeather location=\"Ro", nil, ""},
	{"<think>Or <call>getWeather location=Oslo</call>?</think>\n<call>getWeather location=Rome</call>", []string{`{"location":"Rome"}`}, "<think>Or <call>getWeather location=Oslo</call>?</think>\n"},
	{"<call>getWeather location=Rome</call>\n<tool-result name=\"getWeather\">\n35\n</tool-result>\n<call>getWeather location=Oslo</call>", []string{`{"location":"Rome"}`}, "\n"},
	{"<call>nothing</call> <call>getWeather location=Rome</call>", nil, ""},
}

// shapeReply is what a client makes of an answer, for any API, with calls of getWeather.
type shapeReply struct {
	text, finish, usage string
	calls               []string
}

// read reads an answer as a client does.
func (s *shape) read(t testing.TB, out string) shapeReply {
	t.Helper()
	got := readReply(t, s.path, out)
	r := shapeReply{text: got.Text, finish: got.Finish, usage: got.Usage}
	for _, c := range got.Calls {
		if c.Name != "getWeather" || c.ID == "" {
			t.Errorf("%s: the call %+v", s.name, c)
		}
		r.calls = append(r.calls, sameJSON(t, c.Arguments))
	}
	return r
}

// sameJSON returns JSON in one of its forms.
func sameJSON(t testing.TB, text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%v in %q", err, text)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// ask is try for an answer that can be read.
func (s *shape) ask(t testing.TB, do middlewareFunc, kind, body string, cuts []byte) string {
	t.Helper()
	out, err := s.try(t, do, kind, body, cuts)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return out
}

type middlewareFunc = func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error)

// try sends a request to an upstream that answers with that body, and returns what the
// application gets.
func (s *shape) try(t testing.TB, do middlewareFunc, kind, body string, cuts []byte) (string, error) {
	t.Helper()
	request := weatherRequest
	switch {
	case s.path == "/responses":
		request = weatherRequestR
	case s.path == messages || strings.HasSuffix(s.path, "RawPredict"):
		request = weatherRequestA
	case strings.HasPrefix(s.path, "/models/"):
		request = strings.Replace(weatherRequestG, `"days":{"type":"INTEGER"}`, `"units":{"type":"STRING","enum":["metric","imperial"]}`, 1)
	}
	if kind == "application/json" {
		request = strings.Replace(request, `"stream":true`, `"stream":false`, 1)
	}
	resp, err := do(newRequest(s.path, request), once(response(kind, &cutReader{data: []byte(body), cuts: cuts})))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(resp.Body)
	return string(out), err
}

// TestShapes: for every server, and however text is split into events and events into
// reads, the application gets the same calls, the same text, the reason that its SDK
// expects, and the usage.
func TestShapes(t *testing.T) {
	shapes := readShapes(t)
	made := make(map[string]middlewareFunc)
	via := func(s *shape, liveAfter int) middlewareFunc {
		key := fmt.Sprint(s.constrain, liveAfter)
		if made[key] == nil {
			made[key] = Middleware(shown(Options{Retries: -1, LiveAfter: liveAfter, Constrain: s.constrain}))
		}
		return made[key]
	}
	plainest := shapes[slices.IndexFunc(shapes, func(s *shape) bool { return s.name == "openai" })]
	n := 0
	for k, c := range shapeTexts {
		want := plainest.read(t, plainest.ask(t, via(plainest, 0), plainest.kind, plainest.stream(&forms[0], []string{c.text}), nil))
		for i := range c.calls {
			c.calls[i] = sameJSON(t, c.calls[i])
		}
		if !slices.Equal(want.calls, c.calls) || c.said != want.text && (c.said != "" || c.calls != nil && !want.told()) {
			t.Fatalf("%q: %+v", c.text, want)
		}
		for i, s := range shapes {
			want := want
			want.text, want.usage = s.before+want.text, s.usage
			want.finish = s.finish(len(want.calls) > 0)
			if s.whole != "" {
				body := strings.ReplaceAll(s.whole, "$ALL", forms[0].escaped(c.text))
				whole := *s
				whole.path = strings.Replace(s.path, ":streamGenerateContent?alt=sse", ":generateContent", 1)
				out := whole.ask(t, via(s, 0), "application/json", body, nil)
				if got := s.read(t, out); !slices.Equal(got.calls, want.calls) || got.finish != want.finish || !want.told() && strings.Contains(out, "getWeather location=Rome") {
					t.Fatalf("%s, whole, %q: got\n%+v\nwant\n%+v\nfrom\n%s", s.name, c.text, got, want, out)
				}
			}
			splits := splitsOf(c.text)
			for m, pieces := range splits {
				for l := range forms {
					if !*long && (m*len(forms)+l+k+i)%101 != 0 {
						continue
					}
					f := &forms[l]
					if s.lines() && (f.fold || f.end == "\r") {
						continue
					}
					stream := s.stream(f, pieces)
					liveAfter := 0
					if n%2 == 0 && !want.told() {
						liveAfter = 1
					}
					out := s.ask(t, via(s, liveAfter), s.kind, stream, f.cuts)
					s.compare(t, fmt.Sprintf("%s, in pieces of %q", f.name, pieces), out, want)
					n++
					if !want.told() && strings.Contains(out, "getWeather location=Rome") {
						t.Fatalf("%s, %s: the call stands in\n%s", s.name, f.name, out)
					}
				}
			}
		}
	}
	t.Logf("%d exchanges", n)
}

// compare compares what the application gets of a stream.
func (s *shape) compare(t *testing.T, what, out string, want shapeReply) {
	t.Helper()
	got := s.read(t, out)
	if s.usage == "" {
		got.usage = ""
	}
	if s.squeezes() {
		got.text, want.text = squeeze(got.text), squeeze(want.text)
	}
	if !slices.Equal(got.calls, want.calls) || got.text != want.text || got.finish != want.finish || got.usage != want.usage {
		t.Fatalf("%s, %s: got\n%+v\nwant\n%+v\nfrom\n%s", s.name, what, got, want, out)
	}
}

// location matches the beginning of the arguments of a call.
var location = regexp.MustCompile(`\{\\*"location\\*":\\*"([^"\\]*)`)

// TestDamage: of a damaged stream the application gets JSON, however it arrives, and no call that
// the model didn't write.
func TestDamage(t *testing.T) {
	shapes := readShapes(t)
	rng := rand.New(rand.NewPCG(5, 6))
	do := Middleware(shown(Options{Retries: -1, LiveAfter: -1}))
	for range often(1600) {
		s, f := shapes[rng.IntN(len(shapes))], &forms[rng.IntN(len(forms))]
		if s.lines() || s.constrain != "" {
			continue
		}
		stream := s.stream(f, []string{"A ", rome, " b <think>", oslo, "</think>", "<call>getWeather location=[</call>", " c"})
		events := strings.SplitAfter(stream, f.end+f.end)
		at := rng.IntN(len(events))
		switch rng.IntN(5) {
		case 0: // broken JSON
			events[at] = strings.Replace(events[at], "}", "", 1)
		case 1: // the connection ends
			events = append(events[:at], events[at][:len(events[at])/2])
		case 2:
			events = slices.Insert(events, at, `event: error`+f.end+`data: {"error":{"message":"gone"},"type":"error"}`+f.end+f.end)
		case 3:
			events = slices.Delete(events, at, at+1)
		case 4:
			other := rng.IntN(len(events))
			events[at], events[other] = events[other], events[at]
		}
		stream = strings.Join(events, "")
		want, wantErr := s.try(t, do, s.kind, stream, nil)
		var e *Error
		if wantErr != nil && !errors.As(wantErr, &e) {
			t.Fatalf("%s, %s: %v of\n%s", s.name, f.name, wantErr, stream)
		}
		checkStream(t, want, e != nil || brokeOff([]byte(stream)))
		for _, cuts := range [][]byte{{0}, {byte(rng.IntN(256)), byte(rng.IntN(40)), byte(rng.IntN(3))}} {
			if got, err := s.try(t, do, s.kind, stream, cuts); got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s, %s: cut %q, %v\nwhole %q, %v", s.name, f.name, got, err, want, wantErr)
			}
		}
		for _, m := range location.FindAllStringSubmatch(want, -1) {
			if m[1] != "Rome" && m[1] != "Oslo" {
				t.Fatalf("%s, %s: a call with %q in\n%s\nof\n%s", s.name, f.name, m[1], want, stream)
			}
		}
	}
}

// told reports whether the text contains the fault of a call.
func (r *shapeReply) told() bool { return strings.Contains(r.text, "<tool-error") }

// finish returns the reason of a message.
func (s *shape) finish(called bool) string {
	switch {
	case !called || s.path == "/responses" || s.ends == "STOP" || s.lines():
		return s.ends
	case s.path == messages || strings.HasSuffix(s.path, "RawPredict"):
		return "tool_use"
	}
	return "tool_calls"
}

// squeezes reports whether white space between calls may be left out: it would be
// a block, or an item, of its own.
func (s *shape) squeezes() bool { return s.path == "/responses" || s.finish(true) == "tool_use" }

// splitsOf returns a text as one piece, as runes, and as all splits into two.
func splitsOf(text string) [][]string {
	splits := [][]string{{text}, strings.Split(text, "")}
	for i := range text {
		if i > 0 {
			splits = append(splits, []string{text[:i], text[i:]})
		}
	}
	return splits
}
