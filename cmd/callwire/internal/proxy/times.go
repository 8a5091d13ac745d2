package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// times are how long a proxy waits for a client. How long an answer takes
// has no limit, as long as the upstream goes on and the client takes it.
type times struct {
	header time.Duration // until the header of a request is complete
	piece  time.Duration // until the next piece of its body
	take   time.Duration // until the client takes the next piece of the answer
	idle   time.Duration // between two requests of one connection
}

var defaultTimes = times{header: 10 * time.Second, piece: 30 * time.Second, take: 5 * time.Minute, idle: 2 * time.Minute}

// slowest is how many bytes of its body a request must bring in a second, on
// average, after a first piece's time. Without it a client could hold a
// connection for ever by single bytes.
const slowest = 1 << 10

// requestBody is the body of a request, within its limits. It remembers why it
// ended, so that the answer can say so.
type requestBody struct {
	io.ReadCloser
	control *http.ResponseController
	piece   time.Duration // the longest wait for a piece
	start   time.Time
	read    int64        // bytes
	failed  atomic.Value // of errors, as the transport reads in a goroutine of its own
}

func newRequestBody(w http.ResponseWriter, r *http.Request, most int64, piece time.Duration) *requestBody {
	return &requestBody{
		ReadCloser: http.MaxBytesReader(w, r.Body, most), control: http.NewResponseController(w),
		piece: piece, start: time.Now(),
	}
}

func (b *requestBody) Read(p []byte) (int, error) {
	b.control.SetReadDeadline(b.deadline(time.Now()))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	switch err {
	case nil:
	case io.EOF:
		b.control.SetReadDeadline(time.Time{}) // the answer may take as long as it takes
	default:
		b.failed.CompareAndSwap(nil, failure{err})
	}
	return n, err
}

// deadline returns until when the next piece must come.
func (b *requestBody) deadline(now time.Time) time.Time {
	next := now.Add(b.piece)
	if all := b.start.Add(b.piece + time.Duration(b.read)*time.Second/slowest); all.Before(next) {
		return all
	}
	return next
}

// failure makes errors of all types one type.
type failure struct{ error }

// failure returns why the body ended before its end, if it did.
func (b *requestBody) failure() error {
	if f, ok := b.failed.Load().(failure); ok {
		return f.error
	}
	return nil
}

// answerWriter writes an answer to a client, which must take each piece in time.
type answerWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	take    time.Duration
	tell    func(error)
}

func newAnswerWriter(w http.ResponseWriter, take time.Duration, tell func(error)) *answerWriter {
	a := &answerWriter{w, http.NewResponseController(w), take, tell}
	a.more()
	return a
}

// more gives the client time for another piece.
func (a *answerWriter) more() { a.control.SetWriteDeadline(time.Now().Add(a.take)) }

// Unwrap is for [http.ResponseController].
func (a *answerWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answerWriter) WriteHeader(status int) {
	a.more()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answerWriter) Write(p []byte) (int, error) {
	a.more()
	n, err := a.ResponseWriter.Write(p)
	a.look(err)
	return n, err
}

// FlushError is what [http.ResponseController] flushes by.
func (a *answerWriter) FlushError() error {
	a.more()
	err := a.control.Flush()
	a.look(err)
	return err
}

// look tells if a client was too slow.
func (a *answerWriter) look(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		a.tell(fmt.Errorf("the client took nothing of it for %s", a.take))
	}
}

// patient is a transport that does not wait for ever for the next piece of an
// answer.
type patient struct {
	http.RoundTripper
	wait time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Upgrade") != "" {
		return p.RoundTripper.RoundTrip(r) // then no answer: a connection
	}
	ctx, cancel := context.WithCancel(r.Context())
	answer, err := p.RoundTripper.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = &patientBody{ReadCloser: answer.Body, wait: p.wait, cancel: cancel}
	return answer, nil
}

// patientBody is the body of an answer. Its time runs only while something is
// waited for.
type patientBody struct {
	io.ReadCloser
	wait   time.Duration
	cancel func()
	over   bool
}

func (b *patientBody) Read(p []byte) (int, error) {
	timer := time.AfterFunc(b.wait, b.cancel)
	n, err := b.ReadCloser.Read(p)
	b.over = !timer.Stop() || b.over
	if b.over && err != nil && err != io.EOF {
		err = silence(b.wait)
	}
	return n, err
}

func (b *patientBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// silence is the error of an upstream that said nothing for so long.
type silence time.Duration

func (s silence) Error() string {
	return fmt.Sprintf("the upstream said nothing for %s; wait longer with --wait", time.Duration(s))
}

// Timeout is that of [net.Error].
func (silence) Timeout() bool { return true }

// Temporary is that of [net.Error].
func (silence) Temporary() bool { return true }
