package middleware

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
)

// sent returns the body that the upstream gets for a request, and why it was left
// as it is.
func sent(t *testing.T, opts Options, path, body string) (out, reason string) {
	t.Helper()
	u := &upstream{replies: []string{"{}"}}
	hook := opts.OnRewrite
	opts.OnRewrite = func(req *http.Request, r Rewrite) {
		if r.Stage == Untouched {
			reason = r.Reason
		}
		if hook != nil {
			hook(req, r)
		}
	}
	u.post(t, opts, path, body)
	if !validObject([]byte(u.bodies[0])) && validObject([]byte(body)) {
		t.Fatalf("no JSON: %s", u.bodies[0])
	}
	return u.bodies[0], reason
}

// requestOptions are the options that a case of testdata/requests names.
var requestOptions = map[string]func(*Options){
	"keep-tool-choice": func(o *Options) { o.KeepToolChoice = true },
	"keep-format":      func(o *Options) { o.KeepFormat = true },
	"keep-user-text":   func(o *Options) { o.Manual.KeepUserText = true },
	"manual-off":       func(o *Options) { o.Manual.Off = true },
	"morph-xml":        func(o *Options) { o.Manual.Format = format.MorphXML },
}

// TestRequests: testdata/requests contains requests, each with a name, a path, options, and
// what the upstream gets. $M is the manual, and $CHAT, $MESSAGES and $RESPONSES are the tool
// of the tests in each API.
func TestRequests(t *testing.T) {
	_, tool, _ := strings.Cut(weatherRequestR, `"tools":[`)
	tool = strings.TrimSuffix(tool, "]}")
	words := []string{"$M", weatherManual, "$CHAT", weatherTool, "$MESSAGES", weatherToolA, "$RESPONSES", tool}
	shorter := make([]string, len(words))
	for i := range words {
		shorter[i] = words[i^1]
	}
	// Some words begin with others.
	full := strings.NewReplacer(append(words[4:6:6], words...)...)
	short := strings.NewReplacer(shorter...)
	for _, api := range []string{"chat", "messages", "responses", "gemini", "ollama"} {
		t.Run(api, func(t *testing.T) {
			file := "requests/" + api + ".txt"
			var out []string
			for block := range strings.SplitSeq(strings.TrimSpace(string(golden.Get(t, file))), "\n\n") {
				lines := strings.Split(block, "\n")
				path, with, _ := strings.Cut(lines[1], " with ")
				var opts Options
				for _, name := range strings.Fields(with) {
					requestOptions[name](&opts)
				}
				body := full.Replace(lines[2])
				got, reason := sent(t, opts, path, body)
				again, _ := sent(t, opts, path, body)
				if again != got {
					t.Errorf("%s: another time\n%s", lines[0], again)
				}
				if got == body {
					got = "unchanged: " + reason
				}
				out = append(out, fmt.Sprintf("%s\n%s\n%s\n%s\n", lines[0], lines[1], lines[2], short.Replace(got)))
			}
			golden.Assert(t, strings.Join(out, "\n"), file)
		})
	}
}

const weatherManual = `Answer directly if you need no tool. Otherwise write calls exactly like these, one per tag, then stop and wait for the results:\n<call>getWeather location=\"New York\" units=metric</call>\n- Separate arguments by spaces. Quote values with spaces or quotes as in JSON, </call> as <\\/call>.\n- Omit optional (?) arguments, never write null.\n\nTools (string unless typed):\ngetWeather location units?:metric|imperial - Get the weather.`

// TestNoneReadsNothing: under tool_choice none, and without tools, text that
// looks like a call is text.
func TestNoneReadsNothing(t *testing.T) {
	reply := chunks("stop", "<call>getWeather location=Rome</call>")
	for _, body := range []string{
		strings.Replace(weatherRequest, `"stream"`, `"tool_choice":"none","stream"`, 1),
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"getWeather","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"18"}]}`,
	} {
		u := &upstream{replies: []string{reply}}
		if got := u.post(t, Options{}, chat, body); got != reply {
			t.Errorf("got %s", got)
		}
	}
}

// TestTagsThatAreNotLegal: illegal tags are reported before a request is sent.
func TestTagsThatAreNotLegal(t *testing.T) {
	opts := Options{}
	opts.Manual.Tags.Open, opts.Manual.Tags.Close = "call", "end"
	u := &upstream{replies: []string{"{}"}}
	if _, err := u.try(opts, chat, weatherRequest); err == nil || len(u.bodies) > 0 {
		t.Errorf("error %v, %d requests", err, len(u.bodies))
	}
	if _, err := u.try(opts, chat, `{"messages":[]}`); err != nil {
		t.Errorf("without tools: %v", err)
	}
}

// TestOtherTags are those of the manual, the history and the reading.
func TestOtherTags(t *testing.T) {
	opts := Options{}
	opts.Manual.Tags.Open, opts.Manual.Tags.Close = "<run-7f>", "</run-7f>"
	u := &upstream{replies: []string{chunks("stop", "<call>getWeather location=A</call><run-7f>getWeather location=B</run-7f>")}}
	got := readChat(t, u.post(t, opts, chat, weatherRequest))
	if len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"B"}` || got.Text != "<call>getWeather location=A</call>" {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(u.bodies[0], "<run-7f>getWeather") || strings.Contains(u.bodies[0], "<call>") {
		t.Errorf("sent %s", u.bodies[0])
	}
}
