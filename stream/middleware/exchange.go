package middleware

import (
	"bufio"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// exchange is a request whose response is read for calls.
type exchange struct {
	opts    *Options
	dialect *dialect
	want    demand
	custom  string   // name of the custom tool that stands for all tools, or ""
	forced  bool     // the grammar that was sent makes the model write a call
	set     *toolset // nil: nothing is read
	rescues bool     // the request was sent as it is, see Options.Rescue
	source  object   // the request as the application sent it
	req     *http.Request
	next    roundTrip
	ids     idSource
	spent   spending

	sent    *http.Request // as last sent
	body    []byte        // body of sent
	retries int           // retries left
	loads   int           // answers of the loader left
	missing bool          // a required call is missing
	ctx     context.Context
	replace func(*http.Response) bool
}

// response wraps the body of a response in a reader of its calls.
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
// Some servers send a stream under another type: if the request asked for one, the
// first byte tells.
func (x *exchange) readable(resp *http.Response) (streams, ok bool) {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return false, false
	}
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream" || kind == "application/x-ndjson":
		return true, true
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return x.want.streams && isStream(resp), true
	case kind == "" || err != nil:
		return x.want.streams, true
	case x.want.streams && isStream(resp):
		return true, true
	}
	x.warn("a response of type " + kind + " is passed on as it is")
	return false, false
}

// isStream reports whether a body begins like a stream of server-sent events: with a
// name, a colon or a line end.
func isStream(resp *http.Response) bool {
	body := bufio.NewReader(&steady{r: resp.Body})
	resp.Body = struct {
		io.Reader
		io.Closer
	}{body, resp.Body}
	head, _ := body.Peek(1)
	return len(head) == 1 && strings.IndexByte(":deir\r\n\xef", head[0]) >= 0
}

// protocol returns the format that responses are read in, nil for the wire format.
func (x *exchange) protocol() parse.Protocol {
	if x.rescues {
		return x.opts.Rescue
	}
	return x.opts.Manual.Protocol
}

func (x *exchange) warn(problem string) { x.opts.warn(x.req, problem) }

func (x *exchange) report(r Rewrite) {
	x.opts.report(x.req, r)
}

// mostLoads is how many messages with calls of the loader are answered for one
// request.
const mostLoads = 8

// mayLoad reports whether a call of the loader may be answered.
func (x *exchange) mayLoad() bool { return x.loads > 0 && x.set.loader != "" && x.want.n <= 1 }

// mayRetry reports whether a message may be sent back.
func (x *exchange) mayRetry() bool { return x.retries > 0 && x.want.n <= 1 }

// misses reports whether a message with so many calls lacks a required one.
func (x *exchange) misses(calls int) bool {
	return calls == 0 && x.want.mode == required && x.want.n <= 1 && !x.rescues
}

// demand returns what the model is told after a message without the required call.
func (x *exchange) demand() string {
	return "There is no call in this message. " + x.want.instruction()
}

// failure returns what is wrong with a complete message.
func (x *exchange) failure() *Error {
	if !x.missing {
		return nil
	}
	return &Error{Code: CallMissing, Detail: x.want.instruction()}
}

// Added to what the model is told about a message of which nothing was delivered, and
// about one whose text was.
const (
	again  = "Nothing of this message was executed. Write all of it again."
	onward = "Nothing of this message was executed. Its text was delivered: continue after it, do not repeat it."
)

// retry sends a message back to the model, with what was wrong with it, and
// reports whether another one replaces it, or follows the text of it that was
// delivered.
func (x *exchange) retry(text []byte, feedback string, delivered bool) bool {
	x.retries--
	if delivered {
		feedback += "\n" + onward
	} else {
		feedback += "\n" + again
	}
	return x.send(Retry, text, feedback)
}

// load answers the calls of the loader that a message ends with, and reports whether
// another message replaces it, or follows the text of it that was delivered.
func (x *exchange) load(text []byte, answer string) bool {
	x.loads--
	return x.send(Load, text, answer)
}

// send sends the request again, with what the model has written and the answer.
func (x *exchange) send(stage Stage, text []byte, answer string) bool {
	if x.replace == nil {
		return false
	}
	body := x.dialect.appendTurn(x.body, text, answer)
	req := withBody(x.ctx, x.sent, body)
	if key := req.Header.Get("Idempotency-Key"); key != "" {
		req.Header.Set("Idempotency-Key", key+"-again")
	}
	resp, err := x.next(req)
	if err != nil {
		x.warn("a message could not be answered") // err may hold the URL
		return false
	}
	if !x.replace(resp) {
		resp.Body.Close()
		x.warn("a message was answered, and what came then is no message: " + resp.Status)
		return false
	}
	x.sent, x.body = req, body
	x.report(Rewrite{Stage: stage, Before: text, After: body, Reason: answer})
	return true
}

// appendTurn returns a request with two more messages: one of the assistant, and
// one of the user.
func (d *dialect) appendTurn(body, assistant []byte, user string) []byte {
	o := readObject(nil, body)
	messages := d.conversation(o)
	if text := strings.TrimSpace(string(assistant)); text != "" {
		messages = append(messages, d.message(manual.Assistant, text))
	}
	messages = d.instruct(messages, user)
	return o.set(d.messages, appendArray(nil, messages)).appendTo(make([]byte, 0, len(body)+len(assistant)+len(user)+64))
}

// retryWhole is retry for a message that was not streamed, with all that is wrong
// with it, or with answers of the loader. It reports false if nothing is.
func (x *exchange) retryWhole(text []byte, d *decoder, cutOff bool) bool {
	if len(d.loaded) > 0 && len(d.faults) == 0 && d.calls == 0 && !cutOff {
		return x.load(text, strings.Join(d.loaded, "\n"))
	}
	faults := d.faults
	if lack := d.lack(); lack != "" && len(faults) == 0 {
		faults = []string{lack}
	}
	if len(faults) == 0 || cutOff || !x.mayRetry() {
		return false
	}
	return x.retry(text, strings.Join(faults, "\n"), false)
}
