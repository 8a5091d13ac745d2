package proxy

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/callwire/callwire/stream/middleware"
)

// A request is a request being answered, as the log has it.
type request struct {
	*handler
	n     int64 // number of the request
	start time.Time

	mu     sync.Mutex
	about  []any          // attributes for the log
	counts map[string]int // of what was done, by key
}

type requestKey struct{}

func requestOf(r *http.Request) *request {
	return r.Context().Value(requestKey{}).(*request)
}

// rewrite takes a report of the middleware.
func (q *request) rewrite(r middleware.Rewrite) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch r.Stage {
	case middleware.Warned:
		q.log.Warn(r.Reason, "request", q.n)
	case middleware.Untouched:
		q.metrics.add(1, `callwire_requests_total{api=%q,outcome="passed_on"}`, r.API)
		q.about = []any{"api", r.API, "unchanged", r.Reason}
	case middleware.Request:
		before, after := len(r.Before), len(r.After)
		q.metrics.add(1, `callwire_requests_total{api=%q,outcome="rewritten"}`, r.API)
		q.metrics.add(before, `callwire_request_bytes_total{side="program"}`)
		q.metrics.add(after, `callwire_request_bytes_total{side="model"}`)
		q.about = []any{"api", r.API, slog.Group("bytes", "before", before, "after", after)}
	default:
		q.count(r)
	}
	if q.o.Debug {
		q.o.show(q.n, r)
	}
}

func (q *request) count(r middleware.Rewrite) {
	for _, c := range counters {
		if c.key == string(r.Stage) {
			q.metrics.add(1, "%s", c.name)
		}
	}
	q.counts[string(r.Stage)]++
	for _, repair := range r.Repairs {
		q.metrics.add(1, "callwire_repaired_total{repair=%q}", repair)
	}
	if len(r.Repairs) > 0 {
		q.counts["repaired"]++
	}
}

// failed takes the status of an answer that is an error.
func (q *request) failed(status int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.metrics.add(1, `callwire_failures_total{status="%d"}`, status)
	q.about = append(q.about, "status", status)
}

// end logs what was done.
func (q *request) end() {
	q.metrics.add(-1, "callwire_requests_open")
	if !q.o.Debug {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	took := time.Since(q.start).Round(time.Millisecond)
	attrs := append([]any{"request", q.n, "took", took}, q.about...)
	for _, c := range counters {
		if q.counts[c.key] > 0 {
			attrs = append(attrs, c.key, q.counts[c.key])
		}
	}
	q.log.Info("answered", attrs...)
}

// An answerBody is the body of an answer. It logs if that breaks off.
type answerBody struct {
	io.ReadCloser
	request *http.Request
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	isFault := err != nil && err != io.EOF && !errors.Is(err, context.Canceled)
	if isFault && b.request.Context().Err() == nil {
		q := requestOf(b.request)
		q.log.Warn("the answer broke off", "request", q.n, "error", err)
	}
	return n, err
}
