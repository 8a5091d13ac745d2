package proxy

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// withTools is a request that is rewritten.
const withTools = `{"model":"m","stream":true,"messages":[{"role":"user","content":"How warm is it in Oslo?"}],
	"tools":[{"type":"function","function":{"name":"getWeather","description":"Tells the weather.","parameters":{"type":"object","properties":{"location":{"type":"string"}},"required":["location"]}}}]}`

// running is a proxy that runs in this process.
type running struct {
	url  string
	log  *logBuffer
	stop func() error // stops it, and returns how it ended
}

// startProxy starts a proxy for an upstream; options change the defaults.
func startProxy(t *testing.T, upstream string, options ...func(*Options)) running {
	t.Helper()
	said := &logBuffer{}
	o := &Options{Upstream: upstream, Listen: "127.0.0.1:0", MaxBody: 1 << 20, Wait: time.Minute, Grace: time.Minute}
	o.Rewriting.ShowMalformed = true
	for _, option := range options {
		option(o)
	}
	o.Out, o.Screen = said, terminal.Screen{Width: terminal.PageWidth}
	handler, err := newHandler(o)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- o.serve(ctx, listener, handler) }()
	stop := sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { stop() })
	return running{"http://" + listener.Addr().String(), said, stop}
}

// TestPassesOn: what the upstream says reaches the client as it is, errors
// included, and the request reaches the upstream.
func TestPassesOn(t *testing.T) {
	var got *http.Request
	upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
		io.WriteString(w, `{"error":{"message":"slow <down>"}}`)
	}))
	p := startProxy(t, upstream+"/api/v1")
	request, _ := http.NewRequest("POST", p.url+"/v1/chat/completions?beta=x", strings.NewReader(withTools))
	request.Header.Set("Authorization", "Bearer sk-1")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != 429 || answer.ContentLength != int64(len(body)) || answer.Header.Get("Retry-After") != "7" || string(body) != `{"error":{"message":"slow <down>"}}` {
		t.Errorf("%v %s", answer, body)
	}
	if got.URL.String() != "/api/v1/chat/completions?beta=x" || got.Header.Get("Authorization") != "Bearer sk-1" || "http://"+got.Host != upstream {
		t.Errorf("the upstream got %v %v", got.URL, got.Header)
	}
	if got.Header.Get("X-Forwarded-For") != "" || got.UserAgent() == "" {
		t.Errorf("headers %v", got.Header)
	}
}

// TestFlushes: what the upstream has written is there before it ends, and
// the end of the request's time is not that of the answer.
func TestFlushes(t *testing.T) {
	release := make(chan bool)
	const event = `data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}` + "\n\n"
	p := startProxy(t, startUpstream(t, says("text/event-stream", event, func(w http.ResponseWriter, _ *http.Request) {
		<-release
		io.WriteString(w, "data: [DONE]\n\n")
	})))
	answer, err := http.Post(p.url+"/v1/chat/completions", "application/json", strings.NewReader(withTools))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	if line, err := lines.ReadString('\n'); !strings.Contains(line, `"Hi"`) || err != nil {
		t.Errorf("%q %v", line, err)
	}
	close(release)
	if rest, err := io.ReadAll(lines); !strings.Contains(string(rest), "[DONE]") || err != nil {
		t.Errorf("%q %v", rest, err)
	}
}

// TestFailures: what the proxy itself has to say comes in JSON that the
// clients read, with a code.
func TestFailures(t *testing.T) {
	silent := startUpstream(t, http.HandlerFunc(wait))
	closed := httptest.NewServer(nil)
	closed.Close()
	mute := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }))
	long := startUpstream(t, says("application/json", "{"+strings.Repeat(" ", 1000)+"}", func(http.ResponseWriter, *http.Request) {}))
	small := func(o *Options) { o.MaxBody = 100 }
	for _, c := range []struct {
		name, upstream string
		option         func(*Options)
		status         int
		code           string
	}{
		{"unreachable", closed.URL, nil, 502, "upstream_unreachable"},
		{"mute", mute, nil, 502, "upstream_error"},
		{"silent", silent, func(o *Options) { o.Wait = 50 * time.Millisecond }, 504, "upstream_timeout"},
		{"endless", long, func(o *Options) { o.Rewriting.MaxResponse = 100 }, 422, "response-too-long"},
		{"large", silent, small, 413, "request_too_large"},
	} {
		options := []func(*Options){func(o *Options) {}}
		if c.option != nil {
			options = append(options, c.option)
		}
		p := startProxy(t, c.upstream, options...)
		for _, body := range []io.Reader{strings.NewReader(withTools), io.MultiReader(strings.NewReader(withTools))} {
			answer, err := http.Post(p.url+"/v1/chat/completions", "application/json", body)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			read, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode != c.status || !strings.Contains(string(read), `"code":"`+c.code+`"`) {
				t.Errorf("%s: %d %s", c.name, answer.StatusCode, read)
			}
		}
		if n := strings.Count(p.log.String(), "\n"); n != 2 || strings.Contains(p.log.String(), "Oslo") {
			t.Errorf("%s: says %q", c.name, p.log.String())
		}
	}
}

// TestBreak: an answer that breaks off breaks off for the client.
func TestBreak(t *testing.T) {
	model := &scripted.Model{Replies: []scripted.Reply{{Text: "Hello", Break: 250}}}
	p := startProxy(t, startUpstream(t, model))
	_, stream, err := post(t, p.url+"/v1/chat/completions", `{"stream":true}`)
	if len(stream) != 250 || err == nil {
		t.Errorf("%d bytes, %v", len(stream), err)
	}
	if !strings.Contains(p.log.String(), "msg=\"the answer broke off\" request=1") {
		t.Errorf("says %q", p.log.String())
	}
}

// TestForbidden: the proxy answers, also for itself, only to programs on its own machine and to pages
// of it.
func TestForbidden(t *testing.T) {
	model := &scripted.Model{Script: func(int, scripted.Request) scripted.Reply { return scripted.Reply{Text: "Hi"} }}
	p := startProxy(t, startUpstream(t, model))
	for from, want := range map[string]int{ // the host, and the origin
		"": 200, "localhost:1": 200, "[::1]": 200, "evil.example": 403, "evil.example:8787": 403,
		" http://localhost:3000": 200, " https://127.0.0.1": 200, " http://[::1]:80": 200, " null": 403, " https://evil.example": 403, " http://localhost.evil.example": 403,
		" http://[::2]": 403, " vscode-webview://x": 403, " ://": 403, " file://": 403, " chrome-extension://x": 403, " //evil.com": 403,
	} {
		for path, says := range map[string]string{"/v1/chat/completions": `"Hi"`, "/healthz": "ok\n"} {
			request, _ := http.NewRequest("POST", p.url+path, strings.NewReader(`{"messages":[]}`))
			host, origin, _ := strings.Cut(from, " ")
			request.Host = host
			if origin != "" {
				request.Header.Set("Origin", origin)
			}
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			if answer.StatusCode != want || strings.Contains(string(body), says) != (want == 200) {
				t.Errorf("%s from %q: %d, want %d: %s", path, from, answer.StatusCode, want, body)
			}
		}
	}
}

// TestStops: running answers end, if they do so in time.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		grace time.Duration
		want  error
	}{{time.Minute, nil}, {0, ErrCutOff}} {
		release := make(chan bool)
		upstream := startUpstream(t, says("", "a", func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			io.WriteString(w, "b")
		}))
		p := startProxy(t, upstream, func(o *Options) { o.Grace = c.grace })
		answer, err := http.Post(p.url+"/x", "", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Read(make([]byte, 1))
		ended := make(chan error)
		go func() { ended <- p.stop() }()
		if c.want == nil {
			for !strings.Contains(p.log.String(), "stopping") {
				time.Sleep(time.Millisecond)
			}
			close(release)
		}
		if err := <-ended; err != c.want {
			t.Errorf("grace %s: ends with %v", c.grace, err)
		}
		if rest, err := io.ReadAll(answer.Body); (string(rest) == "b" && err == nil) != (c.want == nil) {
			t.Errorf("grace %s: the client read %q, %v", c.grace, rest, err)
		}
		answer.Body.Close()
	}
}

// TestKeepsSecrets: anything that may be a key is hidden, even by --debug.
func TestKeepsSecrets(t *testing.T) {
	model := &scripted.Model{Replies: []scripted.Reply{{Text: "<call>getWeather location=Oslo</call> <call>getWeather location</call>\x1b[2J"}}}
	p := startProxy(t, startUpstream(t, model)+"/sesame7/v1", func(o *Options) { o.Debug = true })
	request, _ := http.NewRequest("POST", p.url+"/sesame5/v1/chat/completions?key=sesame1&beta=true&sesame4&sesame6=1", strings.NewReader(withTools))
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie", "Proxy-Authorization", "X-Anything"} {
		request.Header.Set(name, "a=sesame2")
	}
	request.SetBasicAuth("me", "sesame3")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	said := p.log.String()
	if strings.Contains(said, "sesame") || strings.Contains(said, "bWU6") || strings.Contains(said, "\x1b") {
		t.Errorf("it shows\n%s", said)
	}
	for _, want := range []string{
		"#1 chat completions: ", "the model sees", "system    │ Answer directly", "user      │ How warm is it in Oslo?",
		"▶ <call>getWeather location=Oslo</call>", `"input":{"location":"Oslo"}`, "✗ <call>getWeather location</call>", "msg=answered request=1 ", `api="chat completions"`, "bytes.before=", " call=1 malformed=1\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

func TestJoinPath(t *testing.T) {
	for _, c := range [][3]string{
		{"", "/v1/messages", "/v1/messages"},
		{"/", "/v1/messages", "/v1/messages"},
		{"/v1", "/v1/messages", "/v1/messages"},
		{"/v1/", "/messages", "/v1/messages"},
		{"/v1", "/v12/messages", "/v1/v12/messages"},
		{"/api/v1", "/v1/chat/completions", "/api/v1/chat/completions"},
		{"/api/v1", "/chat/completions", "/api/v1/chat/completions"},
		{"/api/v1", "/api/v1/models", "/api/v1/models"},
		{"/api/v1", "/v1", "/api/v1"},
	} {
		if got := joinPath(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q are %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
