package middleware

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"iter"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// An exchange is a request whose response is read for calls.
type exchange struct {
	*Transport
	*dialect
	want    demand
	custom  string   // name of the custom tool that replaces all tools, or ""
	forced  bool     // a grammar in the request makes the model write a call
	set     *toolset // nil: the response isn't read
	rescues bool     // the request was sent unchanged, see Options.Rescue
	source  object   // the request as the application sent it
	req     *http.Request
	next    roundTrip
	hash    [sha256.Size]byte // of the request as first sent
	spent   spending

	settle func() // takes the rest of a stream, before another request is sent

	ctx  context.Context // of requests that are sent again
	sent *http.Request   // as last sent
	body []byte          // of sent

	// How often the model may still be asked again: because of a fault, because it loads
	// tools, and without tools.
	retries, loads, natives int

	streams bool           // the response is a stream
	reply   string         // id of the response
	voices  map[int]*voice // of its messages
	events  []event        // what the application gets of a frame
	frame   *frame         // contains exactly the events that are being written, or is nil
	written []object       // what a form has written for them
	pending []Rewrite      // what is reported if the response isn't sent back
	kept    int            // bytes of the response that are kept until its end
	native  bool           // the request was sent without tools: all text is the answer
	missing bool           // a required call is missing
	replied *http.Response // replaces the one being read
	refusal *http.Response // the error with which the upstream refused to send another
	ended   error          // the context has ended, and the response with it
}

// begin sends the request, with that body, and reads the response.
func (x *exchange) begin(out *http.Request, body []byte) (*http.Response, error) {
	out.Header.Del("Accept-Encoding")
	x.body, x.sent, x.hash = body, out, sha256.Sum256(body)
	resp, err := x.pass(out)
	if err != nil || resp == nil || resp.Body == nil {
		return resp, err
	}
	var ok bool
	x.streams, ok = x.readable(resp)
	if !ok {
		return resp, nil
	}
	coding := codingOf(resp)
	forget(resp.Header)
	if coding != "" {
		resp.Body.Close()
		resp.Header.Del("Content-Encoding")
		return x.fail(resp, newError(compressedResponse, "expected a plain response, "+
			"found Content-Encoding %q; turn off compression in the upstream", coding)), nil
	}
	resp.ContentLength = -1
	x.ctx = x.req.Context()
	if x.streams {
		resp.Body = newBody(x, resp.Body)
		return resp, nil
	}
	return x.readWhole(resp)
}

// codingOf returns the Content-Encoding of a response, "" if it has none.
func codingOf(resp *http.Response) string {
	coding := resp.Header.Get("Content-Encoding")
	if coding == "identity" {
		return ""
	}
	return coding
}

// readable reports whether a response contains a message, and whether it streams. Some servers
// send a stream under another type: if the request asked for one, the first byte decides, except
// that a complete response of Ollama's is also a stream of one line.
func (x *exchange) readable(resp *http.Response) (streams, ok bool) {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return false, false
	}
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream" || kind == "application/x-ndjson":
		return true, true
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return x.want.streams && x.isStream(resp), true
	case kind == "" || err != nil:
		return x.want.streams, true
	case x.want.streams && x.isStream(resp):
		return true, true
	}
	x.warn("a response of type " + kind + " is passed on as it is")
	return false, false
}

// isStream reports whether a body begins like a stream: with an object, or with a colon or the
// name of a field of a server-sent event.
func (x *exchange) isStream(resp *http.Response) bool {
	first := ":deir\xef"
	if x.lines {
		first = "{"
	}
	return strings.IndexByte(first, firstByte(resp)) >= 0
}

// firstByte returns the first byte of a body after whitespace, without taking it, or 0 if there is
// none.
func firstByte(resp *http.Response) byte {
	body := bufio.NewReader(resp.Body)
	resp.Body = readCloser{body, resp.Body}
	for n := 1; ; n++ {
		head, err := body.Peek(n)
		switch {
		case err != nil:
			return 0
		case head[n-1] > ' ':
			return head[n-1]
		}
	}
}

// readWhole reads a response that isn't streamed, and those that replace it, as the streams
// that would have sent them.
func (x *exchange) readWhole(resp *http.Response) (*http.Response, error) {
	upstream := resp.Body
	for {
		data, err := io.ReadAll(io.LimitReader(upstream, x.opts.MaxResponse+1))
		upstream.Close()
		o := readValid(data)
		switch {
		case int64(len(data)) > x.opts.MaxResponse:
			return x.fail(resp, tooLongError(responseTooLong, x.opts.MaxResponse)), nil
		case err != nil:
			return nil, err
		case o == nil || isFailure("", o): // not a message: the client reports it
			return withData(resp, data), nil
		}
		form := x.form(x)
		clear(x.voices)
		var list []event
		for _, part := range form.unroll(o) {
			list = form.read(list, &frame{data: part.Append(nil), object: part})
		}
		same, fault := x.filter(list)
		if x.replied != nil {
			upstream, x.replied, x.pending = x.replied.Body, nil, nil
			x.spent.restart()
			continue
		}
		switch {
		case x.ended != nil:
			return nil, x.ended
		case fault != nil:
			return x.fail(resp, fault), nil
		}
		for _, report := range x.pending {
			x.tell(report)
		}
		switch {
		case x.missing && x.refusal != nil:
			return x.refusal, nil
		case x.missing:
			return x.fail(resp, x.failure()), nil
		case !same || x.spent.before != nil:
			data = form.fold(o, x.events).Append(nil)
		}
		return withData(resp, data), nil
	}
}

// edit sets a member of an event that a form writes, so that differs from the upstream's.
func (x *exchange) edit(o object, key string, value any) object {
	x.frame = nil
	return o.With(key, value)
}

// put writes an event of a response. The object must not change until the frame is written.
func (x *exchange) put(o object) { x.written = append(x.written, o) }

// writing yields what a form writes for events. It keeps only that for some of them, because the
// objects take far more memory than their JSON.
func (x *exchange) writing(form form, list []event) iter.Seq[object] {
	return func(yield func(object) bool) {
		for part := range slices.Chunk(list, mostWritten) {
			x.written = x.written[:0]
			form.write(x.inPieces(part))
			for _, o := range x.written {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// mostWritten is how many events are written at once.
const mostWritten = 1000

// withData returns the response with another body.
func withData(resp *http.Response, data []byte) *http.Response {
	resp.Body = io.NopCloser(bytes.NewReader(data))
	resp.ContentLength = int64(len(data))
	resp.Header.Set("Content-Length", strconv.Itoa(len(data)))
	return resp
}

// withFault returns the response with an error as its body.
func withFault(resp *http.Response, status int, data []byte) *http.Response {
	resp.StatusCode = status
	resp.Status = strconv.Itoa(status) + " " + http.StatusText(status)
	resp.Header.Set("Content-Type", "application/json")
	return withData(resp, data)
}

// fail returns a response with an error. Clients don't try again after its status: they would
// only pay again.
func (x *exchange) fail(resp *http.Response, err *Error) *http.Response {
	x.warn(err.Error())
	resp.Header.Set("X-Should-Retry", "false")
	return withFault(resp, http.StatusUnprocessableEntity, x.fault(err).Append(nil))
}

// failure returns what is wrong with a complete message without a required call.
func (x *exchange) failure() *Error {
	err := newError(callMissing, "the request requires a tool call, but the model answered "+
		"without one, although it was instructed: %q", x.want.instruction())
	if x.refusal != nil {
		err.message += "; it could not be asked again: " + x.refusal.Status
	}
	return err
}

func (x *exchange) warn(problem string) { x.report(Rewrite{Stage: Warned, Reason: problem}) }

// report reports something, as soon as it is certain: until its end, a response that
// isn't streamed may still be sent back.
func (x *exchange) report(r Rewrite) {
	isCertain := x.streams || r.Stage == Retry || r.Stage == Load || r.Stage == Warned
	if isCertain {
		x.tell(r)
		return
	}
	r.Before, r.After = bytes.Clone(r.Before), bytes.Clone(r.After)
	x.pending = append(x.pending, r)
}

// again asks the model again, with what it has written and an answer to that. It reports
// whether another response replaces the one being read.
func (x *exchange) again(stage Stage, text []byte, answer string) bool {
	return x.send(Rewrite{Stage: stage, Before: text, Reason: answer,
		After: x.appendTurn(x.body, text, answer)})
}

// askNatively sends the request again without tools, and with the native setting for
// the form of the answer. It does so once.
func (x *exchange) askNatively() {
	if x.natives == 0 {
		return
	}
	x.natives--
	body := x.withoutTools(rawjson.ParseObject(x.body), &demand{})
	for _, f := range x.formats {
		if value := at(x.source, f.at); value != nil {
			body = setAt(body, f.at, value)
		}
	}
	x.native = x.send(Rewrite{Stage: Retry, After: body.Append(nil),
		Reason: "the answer does not have the requested form"})
}

// mostRefusal is how many bytes of an error are kept.
const mostRefusal = 64 << 10

// send sends the request again, with the body r.After, and reports whether x.replied
// replaces the response.
func (x *exchange) send(r Rewrite) bool {
	req := withBody(x.ctx, x.sent, r.After)
	if key := req.Header.Get("Idempotency-Key"); key != "" {
		req.Header.Set("Idempotency-Key", key+"-again")
	}
	if x.streams {
		x.settle()
	}
	resp, err := x.next(req)
	if err == nil {
		streams, ok := x.readable(resp)
		if ok && streams == x.streams && codingOf(resp) == "" && firstByte(resp) != 0 {
			x.replied, x.sent, x.body = resp, req, r.After
			x.report(r)
			return true
		}
	}
	x.ended = x.ctx.Err()
	if err != nil {
		x.warn("the model could not be asked again") // err may contain the URL
		return false
	}
	upstream := resp.Body
	if resp.StatusCode >= http.StatusBadRequest {
		data, _ := io.ReadAll(io.LimitReader(resp.Body, mostRefusal))
		resp.Request, x.refusal = x.req, withData(resp, data)
	}
	upstream.Close()
	x.warn("the model was asked again, and the response is not a message: " + resp.Status)
	return false
}

// appendTurn returns a request with two more messages: one of the assistant, and one of the user.
// A conversation on the server has all messages before that already.
func (d *dialect) appendTurn(body, assistant []byte, user string) []byte {
	o := rawjson.ParseObject(body)
	messages := d.conversation(o)
	if o.Has("conversation") {
		return o.With(d.messages, d.instruct(nil, user)).Append(nil)
	}
	if text := strings.TrimSpace(string(assistant)); text != "" {
		messages = append(messages, d.message(manual.Assistant, text))
	}
	return o.With(d.messages, d.instruct(messages, user)).Append(nil)
}
