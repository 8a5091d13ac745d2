package scripted

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/callwire/callwire/internal/rawjson"
)

// Model is a fake model with an HTTP API. It is safe for concurrent use; its fields
// must not change after the first use.
type Model struct {
	// Replies are the answers, one for each request, in the order in which the
	// requests come. After the last one the model answers with status 500.
	Replies []Reply

	// Script, if set, returns the answer to a request, in place of
	// Replies. Requests are counted from 0, in the order in which they come.
	Script func(n int, r Request) Reply

	// Shape is how answers look on the network.
	Shape Shape

	// Strict makes the model refuse what the real APIs refuse: empty contents, reasoning without
	// the item it produced, ids that the model did not issue, continuing a message of a thread
	// twice, and schemas that claim to be strict but aren't.
	Strict bool

	mu       sync.Mutex
	requests []Request
	threads  map[string]bool // messages of threads; true: not continued yet
}

// Reply is an answer of a model.
type Reply struct {
	// Text is what the model writes, calls included.
	Text string

	// Reasoning is what the model thinks before it writes, in a field of its own.
	Reasoning string

	// Finish is why the model ends: "stop", which "" means, "length" or
	// "content_filter", for Anthropic in its own words.
	Finish string

	// Raw is the body of the answer as it is, a recorded one for example, if it or ContentType
	// is set. Its type is ContentType, or JSON. Status and Header are those of the answer; 0 means
	// 200.
	Raw         string
	ContentType string
	Status      int
	Header      http.Header

	// Break, if not 0, is the number of bytes after which the connection breaks.
	Break int
}

// Requests returns the requests so far that were not refused, in the order in which
// they came. They must not be changed.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// RoundTrip answers without a network. Each Read of the answer's body returns
// one piece of it, as its Shape cuts it.
func (m *Model) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return m.answer(r)
}

// ServeHTTP answers, and flushes after each piece.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resp, err := m.answer(r)
	if err != nil {
		panic(http.ErrAbortHandler) // the request broke off
	}
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	flush, b := http.NewResponseController(w), resp.Body.(*body)
	for _, piece := range b.pieces {
		w.Write(piece)
		flush.Flush()
	}
	if b.end != io.EOF {
		panic(http.ErrAbortHandler)
	}
}

// answer records a request and returns the answer to it.
func (m *Model) answer(r *http.Request) (*http.Response, error) {
	request := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery,
		Header: r.Header.Clone()}
	if r.Body != nil {
		var err error
		request.Body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	n, reply := len(m.requests), m.refusal(request)
	if reply == nil {
		m.requests = append(m.requests, request)
	}
	m.mu.Unlock()
	if reply == nil {
		reply = m.reply(n, request)
	}
	pieces, contentType := m.content(n, request, reply)
	status, header := cmp.Or(reply.Status, http.StatusOK), http.Header{}
	maps.Copy(header, reply.Header)
	header.Set("Content-Type", contentType)
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: newBody(r.Context(), pieces, reply.Break), ContentLength: -1, Request: r,
	}, nil
}

// reply returns what is answered to the request n.
func (m *Model) reply(n int, r Request) *Reply {
	switch {
	case r.Method != http.MethodPost:
		return failure(http.StatusMethodNotAllowed, "", "requests are by POST")
	case m.Script != nil:
		reply := m.Script(n, r)
		return &reply
	case r.api() == nil:
		return failure(http.StatusNotFound, "", "there are /chat/completions, /messages, "+
			"/responses, :generateContent, :streamGenerateContent and /api/chat")
	case n < len(m.Replies):
		return &m.Replies[n]
	}
	return failure(http.StatusInternalServerError, "",
		fmt.Sprintf("the script has %d replies, this is request %d", len(m.Replies), n+1))
}

// failure is the answer of a model that cannot answer, in a shape that the clients of all
// APIs read. The code is in the details of Anthropic's errors.
func failure(status int, code, message string) *Reply {
	e := rawjson.Make("type", "scripted_model", "message", message)
	if code != "" {
		e = e.With("details", rawjson.Make("error_code", code))
	}
	body := rawjson.Make("type", "error", "error", e)
	return &Reply{Status: status, Raw: string(body.Append(nil))}
}

// content returns the body of an answer in the pieces that arrive at once, and its type.
func (m *Model) content(n int, r Request, reply *Reply) (pieces [][]byte, contentType string) {
	api, s := r.api(), m.Shape
	if reply.Raw != "" || reply.ContentType != "" || api == nil {
		return s.cut([]byte(reply.Raw)), cmp.Or(reply.ContentType, "application/json")
	}
	a := newAnswer(n, r, reply, s)
	if !r.Stream() {
		return s.cut([]byte(a.whole())), "application/json"
	}
	for i, data := range a.stream() {
		pieces = append(pieces, s.lay(i, api, data))
	}
	if api.lines {
		return s.cut(pieces...), "application/x-ndjson"
	}
	return s.cut(pieces...), "text/event-stream; charset=utf-8"
}
