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
	h     *handler
	n     int64 // number of the request
	start time.Time

	mu     sync.Mutex
	api    string
	reason string         // why it was sent unchanged
	sizes  []any          // of the request, before and after
	counts map[string]int // of what was done
}

type requestKey struct{}

// requestOf returns the request that is being answered.
func requestOf(r *http.Request) *request {
	return r.Context().Value(requestKey{}).(*request)
}

// newRequest begins to answer a request and limits its body.
func newRequest(h *handler, n int64, w http.ResponseWriter, r *http.Request) *request {
	if r.Body != http.NoBody {
		control := http.NewResponseController(w)
		control.SetReadDeadline(time.Now().Add(bodyTime))
		r.Body = requestBody{http.MaxBytesReader(w, r.Body, h.o.MaxBody), control}
	}
	return &request{h: h, n: n, start: time.Now(), counts: make(map[string]int)}
}

// rewrite takes a report of the middleware.
func (q *request) rewrite(r middleware.Rewrite) {
	q.mu.Lock()
	q.api = r.API
	switch r.Stage {
	case middleware.Warned:
		q.h.log.Warn(r.Reason, "request", q.n)
	case middleware.Untouched:
		q.reason = r.Reason
	case middleware.Request:
		q.measure(r)
	default:
		q.counts[string(r.Stage)]++
		if len(r.Repairs) > 0 {
			q.counts["repaired"]++
		}
	}
	q.mu.Unlock()
	if q.h.screen != nil {
		q.h.screen.rewrite(q.n, r)
	}
}

// mostCounted is the length of the longest request whose tokens are counted. Counting
// takes a second for each megabyte.
const mostCounted = 256 << 10

// measure notes how long a rewritten request is, if it will be logged.
func (q *request) measure(r middleware.Rewrite) {
	if !q.h.o.Debug {
		return
	}
	unit, count := "tokens", q.h.o.Count
	if count == nil || len(r.Before) > mostCounted {
		unit, count = "bytes", func(text string) int { return len(text) }
	}
	before, after := count(string(r.Before)), count(string(r.After))
	q.sizes = []any{slog.Group(unit, "before", before, "after", after)}
}

// end logs what was done.
func (q *request) end() {
	if !q.h.o.Debug {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	attrs := []any{"request", q.n, "took", time.Since(q.start).Round(time.Millisecond)}
	if q.api != "" {
		attrs = append(attrs, "api", q.api)
	}
	if q.reason != "" {
		attrs = append(attrs, "unchanged", q.reason)
	}
	attrs = append(attrs, q.sizes...)
	for _, stage := range []string{"call", "repaired", "malformed", "retry", "load", "invented"} {
		if q.counts[stage] > 0 {
			attrs = append(attrs, stage, q.counts[stage])
		}
	}
	q.h.log.Info("answered", attrs...)
}

// A requestBody is the body of a request, which must arrive in time. Its errors are of the type
// bodyError.
type requestBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch err {
	case nil:
	case io.EOF:
		b.control.SetReadDeadline(time.Time{}) // the answer may take any time
	default:
		err = &bodyError{err}
	}
	return n, err
}

// A bodyError is an error of the body of a request.
type bodyError struct{ error }

func (e *bodyError) Unwrap() error { return e.error }

// watch logs if an answer breaks off.
func watch(answer *http.Response) error {
	if answer.StatusCode != http.StatusSwitchingProtocols {
		answer.Body = &answerBody{answer.Body, requestOf(answer.Request), answer.Request.Context()}
	}
	return nil
}

// An answerBody is the body of an answer.
type answerBody struct {
	io.ReadCloser
	request *request
	ctx     context.Context
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		b.request.h.log.Warn("the answer broke off", "request", b.request.n, "error", err)
	}
	return n, err
}
