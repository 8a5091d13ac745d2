package proxy

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream/middleware"
)

// proxyLog is what a proxy tells people, on standard error.
type proxyLog struct {
	terminal.Screen
	debug bool
	count func(text string) int // tokens; may be nil

	mu    sync.Mutex
	out   io.Writer
	seed  maphash.Seed
	shown map[uint64]bool // the turns that have been shown in full
}

// manyTurns bounds the turns that are remembered.
const manyTurns = 4096

func newLog(out io.Writer, s terminal.Screen, debug bool, count func(string) int) *proxyLog {
	return &proxyLog{Screen: s, debug: debug, count: count, out: out, seed: maphash.MakeSeed(), shown: make(map[uint64]bool)}
}

// say tells something in a line.
func (l *proxyLog) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "callwire: %s\n", terminal.Visible(fmt.Appendf(nil, format, args...)))
}

// request returns the log of the request n.
func (l *proxyLog) request(n int64) *requestLog {
	return &requestLog{proxyLog: l, n: n, start: time.Now()}
}

// requestLog is what is told of one request. All of it but failures is for
// --debug.
type requestLog struct {
	*proxyLog
	n     int64
	start time.Time

	sum summary
}

func (l *requestLog) begin(r *http.Request) {
	l.block(terminal.Plain, r.Method+" "+safePath(r.URL)+safeQuery(r), safeHeaders(r.Header))
}

func (l *requestLog) answer(a *http.Response) {
	l.block(terminal.Dim, fmt.Sprintf("%d %s", a.StatusCode, a.Header.Get("Content-Type")))
}

// rewrite shows what was rewritten.
func (l *requestLog) rewrite(r middleware.Rewrite) {
	if r.Stage == middleware.Warned {
		l.say("%s", r.Reason)
		return
	}
	if !l.debug {
		return
	}
	l.sum.take(r, l.count)
	switch r.Stage {
	case middleware.Request:
		l.block(terminal.Calling, fmt.Sprintf("rewritten: %d bytes become %d; the model sees", len(r.Before), len(r.After)), l.conversation(r.After)...)
	case middleware.Retry:
		l.block(terminal.Doubt, "a malformed call is answered to the model, which sees", l.conversation(r.After)...)
	case middleware.Untouched:
		l.block(terminal.Dim, "passed on: "+r.Reason)
	case middleware.Invented:
		l.block(terminal.Doubt, r.Reason)
	case middleware.Call:
		becomes := "becomes " + terminal.Visible(r.After)
		if len(r.Repairs) > 0 {
			becomes += ", repaired: " + strings.Join(r.Repairs, ", ")
		}
		l.block(terminal.Calling, terminal.CallMark+string(r.Before), becomes)
	case middleware.Malformed:
		l.block(terminal.Wrong, terminal.MalformedMark+string(r.Before), visibleLines(r.Reason)...)
	}
}

func (l *requestLog) end() {
	l.block(terminal.Dim, l.sum.line(time.Since(l.start)))
}

// failed tells why a request got no answer of the upstream.
func (l *requestLog) failed(status int, message string) {
	l.say("request %d: status %d: %s", l.n, status, message)
}

// broken tells why an answer ended before its end.
func (l *requestLog) broken(err error) {
	l.say("request %d: the answer broke off: %v", l.n, err)
}

// block shows a headline, and other lines beneath it.
func (l *requestLog) block(st terminal.Style, headline string, lines ...string) {
	if !l.debug {
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s\n", l.Paint(terminal.Dim, fmt.Sprintf("#%d", l.n)), l.Paint(st, terminal.Visible(headline)))
	for _, line := range lines {
		b.WriteString(terminal.Margin + line + "\n")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.Write(b.Bytes())
}

// conversation returns the turns of a body in lines. What has been shown before
// is not shown again: conversations grow at their end.
func (l *requestLog) conversation(body []byte) []string {
	var lines []string
	for _, t := range conversation.Turns(body) {
		role := fmt.Sprintf("%-9s ", terminal.Visible(t.Role))
		if !l.news(t) {
			lines = append(lines, l.Paint(terminal.Dim, role+"│ as before, "+terminal.Count(len(t.Text), "byte")))
			continue
		}
		for _, text := range visibleLines(t.Text) {
			lines = append(lines, l.Paint(terminal.Key, role)+strings.TrimRight(l.Paint(terminal.Dim, "│")+" "+text, " "))
			role = strings.Repeat(" ", len(role))
		}
	}
	return lines
}

// visibleLines returns the lines of text as they are safe to print.
func visibleLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, terminal.Visible(strings.TrimRight(line, "\r\n")))
	}
	return lines
}

// news reports whether a turn has not been shown, and takes note of it.
func (l *proxyLog) news(t conversation.Turn) bool {
	sum := maphash.Comparable(l.seed, t)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown[sum] {
		return false
	}
	if len(l.shown) == manyTurns {
		clear(l.shown)
	}
	l.shown[sum] = true
	return true
}

// harmless are the headers whose values are shown. Every other one may be a key.
var harmless = []string{
	"Accept", "Accept-Encoding", "Anthropic-Beta", "Anthropic-Version", "Content-Encoding",
	"Content-Length", "Content-Type", "Transfer-Encoding", "User-Agent",
}

// safeHeaders returns headers in a line, without the values of those that may be
// keys.
func safeHeaders(h http.Header) string {
	var shown, hidden []string
	for name, values := range h {
		if slices.Contains(harmless, name) {
			shown = append(shown, terminal.Visible(name+": "+strings.Join(values, ", ")))
		} else {
			hidden = append(hidden, terminal.Visible(name))
		}
	}
	slices.Sort(shown)
	slices.Sort(hidden)
	line := strings.Join(shown, "; ")
	if len(hidden) > 0 {
		line = strings.TrimPrefix(line+"; not shown: "+strings.Join(hidden, ", "), "; ")
	}
	return line
}

// harmlessQuery are the parameters of a query that are shown.
var harmlessQuery = []string{"api-version", "beta", "alt"}

// safeQuery returns the query of a request without what may be a key, be it a
// value or a name.
func safeQuery(r *http.Request) string {
	var shown []string
	hidden := false
	for name, values := range r.URL.Query() {
		for _, value := range values {
			if slices.Contains(harmlessQuery, name) {
				shown = append(shown, name+"="+value)
			} else {
				hidden = true
			}
		}
	}
	slices.Sort(shown)
	if hidden {
		shown = append(shown, "…")
	}
	if len(shown) == 0 {
		return ""
	}
	return "?" + strings.Join(shown, "&")
}

// harmlessPath are the elements of a path that are shown. Some servers want their
// key, or the name of a user, in the path.
var harmlessPath = regexp.MustCompile(`^(|v[0-9]+((alpha|beta)[0-9]*)?|api|openai|anthropic|inference|chat|completions|messages|count_tokens|batches|models|embeddings|responses|files|images|audio|moderations|engines|deployments)$`)

// safePath returns the path of a URL without what may be a key.
func safePath(u *url.URL) string {
	elements := strings.Split(u.Path, "/")
	for i, e := range elements {
		if !harmlessPath.MatchString(e) {
			elements[i] = "…"
		}
	}
	return strings.Join(elements, "/")
}

// safeURL returns a URL without what may be a key, which with some servers is the
// name of a user.
func safeURL(u *url.URL) string {
	var b strings.Builder
	if u.Scheme != "" {
		b.WriteString(u.Scheme + "://")
	}
	if u.User != nil {
		b.WriteString("…@")
	}
	b.WriteString(u.Host + safePath(u))
	if u.RawQuery != "" {
		b.WriteString("?…")
	}
	if u.Fragment != "" {
		b.WriteString("#…")
	}
	return b.String()
}
