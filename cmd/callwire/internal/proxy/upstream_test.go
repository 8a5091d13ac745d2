package proxy

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// dial opens a connection to a proxy, writes that, and ends with the test.
func dial(t *testing.T, url, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second)) // a test that waits has failed
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestBadBody: a request whose body is broken is the client's fault, rewritten or not.
func TestBadBody(t *testing.T) {
	p := startProxy(t, startUpstream(t, &scripted.Model{}))
	for _, path := range []string{"/v1/chat/completions", "/v1/files"} {
		header := strings.Replace(halfHeader, "/v1/chat/completions", path, 1)
		conn := dial(t, p.url, header+"Transfer-Encoding: chunked\r\n\r\nxyz\r\n")
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %v %v", path, answer, err)
		}
	}
}

// TestHalfClosed: no answer is better than an empty one with status 200 for a client that has
// closed its side, which net/http takes for one that hung up.
func TestHalfClosed(t *testing.T) {
	p := startProxy(t, startUpstream(t, http.HandlerFunc(wait)))
	for _, sent := range []string{"Content-Length: 9\r\n\r\n{", "Content-Length: 2\r\n\r\n{}"} {
		conn := dial(t, p.url, halfHeader+sent)
		conn.(*net.TCPConn).CloseWrite()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			t.Errorf("%q: %s", sent, answer.Status)
		}
	}
}

// TestAPIs: the model sees a manual, the application a call, and --debug shows both, for every API.
func TestAPIs(t *testing.T) {
	const schema = `{"type":"object","properties":{}}`
	for path, body := range map[string]string{
		"/v1/chat/completions":             `{"model":"m","messages":[{"role":"user","content":"Hi there"}],"tools":[{"type":"function","function":{"name":"a","parameters":` + schema + `}}]}`,
		"/v1/messages":                     `{"model":"m","messages":[{"role":"user","content":"Hi there"}],"tools":[{"name":"a","input_schema":` + schema + `}]}`,
		"/v1/responses":                    `{"model":"m","input":"Hi there","tools":[{"type":"function","name":"a","parameters":` + schema + `}]}`,
		"/v1beta/models/m:generateContent": `{"contents":[{"role":"user","parts":[{"text":"Hi there"}]}],"tools":[{"functionDeclarations":[{"name":"a"}]}]}`,
		"/api/chat":                        `{"model":"m","messages":[{"role":"user","content":"Hi there"}],"tools":[{"type":"function","function":{"name":"a","parameters":` + schema + `}}]}`,
	} {
		m := &scripted.Model{Replies: []scripted.Reply{{Text: "<call>a x</call>"}, {Text: "<call>a</call>"}}}
		p := startProxy(t, startUpstream(t, m), func(o *Options) { o.Debug = true })
		_, answer, err := post(t, p.url+path, body)
		if sees := m.Requests()[0]; err != nil || strings.Contains(answer, "<call>") || sees.Tools() != 0 || len(sees.Turns()) != 2 {
			t.Errorf("%s: the model sees %s, the application %s, %v", path, sees.Body, answer, err)
		}
		if err := p.stop(); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"│ Hi there", "sent back to the model", " call=1 retry=1\n"} {
			if !strings.Contains(p.log.String(), want) {
				t.Errorf("%s: no %q in\n%s", path, want, p.log)
			}
		}
	}
}

// TestLoop: a request that comes back to the proxy ends there.
func TestLoop(t *testing.T) {
	var p running
	upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RequestURI, r.URL.Scheme, r.URL.Host = "", "http", strings.TrimPrefix(p.url, "http://")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		w.WriteHeader(answer.StatusCode)
	}))
	p = startProxy(t, upstream)
	answer, _, _ := post(t, p.url+"/v1/x", "{}")
	if answer.StatusCode != http.StatusLoopDetected {
		t.Errorf("status %d", answer.StatusCode)
	}
}

// TestManyOpenBodies: requests that have sent one byte take little memory.
func TestManyOpenBodies(t *testing.T) {
	p := startProxy(t, "http://127.0.0.1:1", func(o *Options) { o.MaxBody = 1 << 30 })
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 100 {
		dial(t, p.url, halfHeader+"Content-Length: 30000000\r\n\r\n{")
	}
	time.Sleep(100 * time.Millisecond)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 20<<20 {
		t.Errorf("%d bytes", grown)
	}
}

const halfHeader = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"

// TestSilentUpstream: an upstream that says nothing more is not waited for
// for ever. What was held back comes before the end.
func TestSilentUpstream(t *testing.T) {
	for _, c := range []struct {
		kind, said string
		status     int
		want       string
	}{
		{"text/event-stream", `data: {"choices":[{"index":0,"delta":{"content":"Hi <"}}]}` + "\n\n", 200, `{"content":"<"}`},
		{"application/json", "", 504, `"code":"upstream_timeout"`},
	} {
		p := startProxy(t, startUpstream(t, says(c.kind, c.said, wait)), func(o *Options) { o.Wait = 500 * time.Millisecond })
		answer, text, err := post(t, p.url+"/v1/chat/completions", withTools)
		if answer.StatusCode != c.status || (err == nil) != (c.status == 504) || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %q %v", c.kind, answer.StatusCode, text, err)
		}
		if !strings.Contains(p.log.String(), "sent nothing for 500ms") {
			t.Errorf("%s: says %q", c.kind, p.log.String())
		}
	}
}

// TestTimeoutBody: the time of the upstream runs while it is waited for, and not while
// the client does something else.
func TestTimeoutBody(t *testing.T) {
	const wait = 300 * time.Millisecond
	for _, c := range []struct {
		upstream, client time.Duration // that they take for each byte
		want             error
	}{{0, wait + wait/2, nil}, {4 * wait, 0, silence(wait)}} {
		synctest.Test(t, func(t *testing.T) {
			client, upstream := net.Pipe()
			var writer sync.WaitGroup
			writer.Go(func() {
				for range 2 {
					time.Sleep(c.upstream)
					io.WriteString(upstream, "x")
				}
			})
			body := newTimeoutBody(client, wait)
			for range 2 {
				time.Sleep(c.client)
				if _, err := body.Read(make([]byte, 8)); err != c.want {
					t.Errorf("%+v: %v", c, err)
				}
			}
			body.Close()
			upstream.Close()
			writer.Wait()
		})
	}
}
