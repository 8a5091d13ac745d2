package proxy

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/proxy/proxytest"
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

// in returns options with other times.
func in(change func(*times)) func(*Options) {
	return func(o *Options) { change(&o.times) }
}

const halfHeader = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"

// TestSlowHeader: a client that does not come to the end of its header is
// cut off.
func TestSlowHeader(t *testing.T) {
	p := startProxy(t, "http://127.0.0.1:1", in(func(times *times) { times.header = 50 * time.Millisecond }))
	if answer, err := io.ReadAll(dial(t, p.url, halfHeader)); len(answer) > 0 && !strings.HasPrefix(string(answer), "HTTP/1.1 4") || err != nil {
		t.Errorf("%q %v", answer, err)
	}
}

// TestSlowBody: a client that stops in the middle of its request is told,
// and so is one that sends it byte by byte.
func TestSlowBody(t *testing.T) {
	upstream := proxytest.Upstream(t, &scripted.Model{Script: func(int, scripted.Request) scripted.Reply { return scripted.Reply{Text: "Hi"} }})
	for name, pause := range map[string]time.Duration{"stops": 0, "drips": 10 * time.Millisecond} {
		p := startProxy(t, upstream, in(func(times *times) { times.piece = 100 * time.Millisecond }))
		conn := dial(t, p.url, halfHeader+"Content-Length: 1000000\r\n\r\n{")
		ended := make(chan bool)
		go func() {
			defer close(ended)
			for pause > 0 {
				time.Sleep(pause)
				if _, err := io.WriteString(conn, " "); err != nil {
					return
				}
			}
		}()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusRequestTimeout {
			t.Errorf("%s: %v %v", name, answer, err)
		}
		conn.Close()
		<-ended
	}
}

// TestDeadline: a body may take the longer the more of it has come, and each
// piece no longer than a piece may.
func TestDeadline(t *testing.T) {
	start := time.Unix(1e9, 0)
	for _, c := range []struct {
		read int64
		now  time.Duration // since the start
		want time.Duration
	}{
		{0, 0, 30 * time.Second},
		{1, 29 * time.Second, 30*time.Second + time.Second/slowest},
		{20 * slowest, 29 * time.Second, 50 * time.Second},
		{32 << 20, 29 * time.Second, 59 * time.Second},
	} {
		b := &requestBody{piece: 30 * time.Second, start: start, read: c.read}
		if got := b.deadline(start.Add(c.now)).Sub(start); got != c.want {
			t.Errorf("%d bytes after %s: %s, want %s", c.read, c.now, got, c.want)
		}
	}
}

// TestLongAnswer: an answer may take longer than any piece of a request or of
// an answer, and so may its end.
func TestLongAnswer(t *testing.T) {
	upstream := proxytest.Upstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range 3 {
			io.WriteString(w, ": more\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(400 * time.Millisecond)
		}
	}))
	p := startProxy(t, upstream, in(func(times *times) {
		times.piece, times.take, times.idle = 300*time.Millisecond, 300*time.Millisecond, 300*time.Millisecond
	}))
	_, stream, err := proxytest.Post(t, p.url+"/v1/chat/completions", `{"stream":true}`)
	if strings.Count(stream, "more") != 3 || err != nil {
		t.Errorf("%v\n%s", err, stream)
	}
}

// TestIdleClient: a client that takes nothing of its answer is cut off, and
// the upstream with it.
func TestIdleClient(t *testing.T) {
	gone := make(chan bool)
	upstream := proxytest.Upstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			io.WriteString(w, ": "+strings.Repeat("x", 1<<16)+"\n\n")
		}
	}))
	p := startProxy(t, upstream, in(func(times *times) { times.take = 100 * time.Millisecond }))
	dial(t, p.url, halfHeader+"Content-Length: 2\r\n\r\n{}")
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		t.Fatal("the upstream still writes")
	}
	if err := p.stop(); err != nil || !strings.Contains(p.log.String(), "request 1: the answer broke off: the client took nothing of it for 100ms") {
		t.Errorf("%v, says %q", err, p.log.String())
	}
}

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
		upstream := proxytest.Upstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", c.kind)
			io.WriteString(w, c.said)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		p := startProxy(t, upstream, func(o *Options) { o.Wait = 500 * time.Millisecond })
		answer, text, err := proxytest.Post(t, p.url+"/v1/chat/completions", withTools)
		if answer.StatusCode != c.status || (err == nil) != (c.status == 504) || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %q %v", c.kind, answer.StatusCode, text, err)
		}
		if !strings.Contains(p.log.String(), "said nothing for 500ms") {
			t.Errorf("%s: says %q", c.kind, p.log.String())
		}
	}
}

// TestPatientBody: the time of the upstream runs while it is waited for, and not
// while the client does something else.
func TestPatientBody(t *testing.T) {
	const wait = 300 * time.Millisecond
	for _, c := range []struct {
		upstream, client time.Duration // that they take for each piece
		want             error
	}{{0, wait + wait/2, nil}, {2 * time.Second, 0, silence(wait)}} {
		ctx, cancel := context.WithCancel(context.Background())
		b := &patientBody{ReadCloser: &slowBody{ctx, c.upstream, 2}, wait: wait, cancel: cancel}
		n := 0
		var err error
		for err == nil {
			time.Sleep(c.client)
			var more int
			more, err = b.Read(make([]byte, 8))
			n += more
		}
		if c.want == nil && (n != 2 || err != io.EOF) || c.want != nil && err != c.want {
			t.Errorf("%+v: %d bytes, %v", c, n, err)
		}
		if b.Close(); ctx.Err() == nil {
			t.Errorf("%+v: the request goes on", c)
		}
	}
}

// slowBody takes its time for each byte, as long as its request goes on.
type slowBody struct {
	ctx  context.Context
	time time.Duration
	left int
}

func (s *slowBody) Read(p []byte) (int, error) {
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(s.time):
	}
	if s.left == 0 {
		return 0, io.EOF
	}
	s.left--
	return copy(p, "x"), nil
}

func (s *slowBody) Close() error { return nil }
