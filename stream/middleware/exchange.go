package middleware

import (
	"context"
	"mime"
	"net/http"
	"strings"
)

// exchange is a request whose response is read for calls.
type exchange struct {
	opts    *Options
	dialect dialect
	set     *toolset // nil: nothing is read
	req     *http.Request
	next    roundTrip
	ids     idSource
	one     bool
	n       int
	streams bool

	sent    *http.Request // as it was sent last
	body    []byte        // of it
	retries int           // left
	ctx     context.Context
	replace func(*http.Response) bool
}

// response puts what reads for calls around the body of a response.
func (x *exchange) response(resp *http.Response) (*http.Response, error) {
	if resp == nil || resp.Body == nil {
		return resp, nil
	}
	streams, ok := x.readable(resp)
	if !ok {
		return resp, nil
	}
	if coding := resp.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		resp.Body.Close()
		return nil, &Error{Code: CompressedResponse, Detail: coding}
	}
	resp.Header.Del("Content-Length")
	forget(resp.Header)
	resp.ContentLength = -1
	resp.Body = newBody(x, resp.Body, streams)
	return resp, nil
}

// readable reports whether a response holds a message, and whether it streams.
func (x *exchange) readable(resp *http.Response) (streams, ok bool) {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return false, false
	}
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream":
		return true, true
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return false, true
	case kind == "" || err != nil:
		return x.streams, true
	}
	x.warn("a response of type " + kind + " is passed on as it is")
	return false, false
}

func (x *exchange) warn(problem string) { x.opts.warn(x.req, problem) }

func (x *exchange) report(r Rewrite) {
	x.opts.report(x.req, r)
}

// mayRetry reports whether a message may be sent back.
func (x *exchange) mayRetry() bool { return x.retries > 0 && x.n <= 1 }

// retry sends a message back to the model, with what was wrong with it, and
// reports whether another one comes in its place.
func (x *exchange) retry(text []byte, feedback string) bool {
	x.retries--
	feedback += "\n" + again
	body := appendTurn(x.body, text, feedback)
	return x.replace != nil && x.send(body, text, feedback)
}

// again is added to what a model is told of a message that nothing was delivered
// of.
const again = "Nothing of this message was executed. Write all of it again."

// send sends the request with another body.
func (x *exchange) send(body, text []byte, feedback string) bool {
	req := withBody(x.ctx, x.sent, body)
	if key := req.Header.Get("Idempotency-Key"); key != "" {
		req.Header.Set("Idempotency-Key", key+"-again")
	}
	resp, err := x.next(req)
	if err != nil {
		x.warn("a malformed message could not be sent back") // the error may hold the URL
		return false
	}
	if !x.replace(resp) {
		resp.Body.Close()
		x.warn("a malformed message was sent back, and the answer is no message: " + resp.Status)
		return false
	}
	x.sent, x.body = req, body
	x.report(Rewrite{Stage: Retry, Before: text, After: body, Reason: feedback})
	return true
}

// appendTurn returns a request with two more messages: one of the assistant, and
// one of the user.
func appendTurn(body, assistant []byte, user string) []byte {
	o := readObject(nil, body)
	messages := o.array("messages")
	messages = append(messages,
		object{{"role", quoted("assistant")}, {"content", quoted(strings.TrimSpace(string(assistant)))}}.appendTo(nil),
		object{{"role", quoted("user")}, {"content", quoted(user)}}.appendTo(nil))
	return o.set("messages", appendArray(nil, messages)).appendTo(make([]byte, 0, len(body)+len(assistant)+len(user)+64))
}

// retryWhole is retry for a message that was not streamed, with all of its
// faults.
func (x *exchange) retryWhole(text []byte, faults []string) bool {
	return x.retry(text, strings.Join(faults, "\n"))
}
