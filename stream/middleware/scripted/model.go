package scripted

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
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

	// Strict makes the model refuse what the real APIs refuse: empty contents,
	// reasoning without the item it produced, ids that the model did not issue,
	// continuing a message of a thread twice, and schemas that claim to be strict
	// but aren't.
	Strict bool

	mu       sync.Mutex
	requests []Request
	threads  map[string]bool // messages of threads; true: not continued yet
}

// Reply is an answer of a model.
type Reply struct {
	// Text is what the model writes, calls included.
	Text string

	// More are the texts of further choices. Anthropic has none.
	More []string

	// Reasoning is what the model thinks before it writes, in a field of its own.
	Reasoning string

	// Finish is why the model ends: "stop", which "" means, "length" or
	// "content_filter", for Anthropic in its own words.
	Finish string

	// Raw, if set, is the body of the answer as it is, a recorded one for example.
	// Its type is ContentType, or JSON. Status and Header are those of the answer;
	// 0 means 200.
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
	a, err := m.answer(r)
	if err != nil {
		return nil, err
	}
	a.body.ctx = r.Context()
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)),
		StatusCode: a.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        a.header,
		Body:          a.body,
		ContentLength: -1,
		Request:       r,
	}, nil
}

// ServeHTTP answers, and flushes after each piece.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := m.answer(r)
	if err != nil {
		panic(http.ErrAbortHandler) // the request broke off
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	a.body.ctx = r.Context()
	flush := http.NewResponseController(w)
	for {
		piece, err := a.body.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		w.Write(piece)
		flush.Flush()
	}
}

// answer is an answer on its way.
type answer struct {
	status int
	header http.Header
	body   *body
}

// answer records a request and returns the answer to it.
func (m *Model) answer(r *http.Request) (*answer, error) {
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
	why := m.refusal(r, request)
	m.mu.Lock()
	n := len(m.requests)
	if why == nil {
		m.requests = append(m.requests, request)
	}
	m.mu.Unlock()
	var reply Reply
	if why == nil {
		reply = m.reply(n, request)
	} else {
		reply = why.reply()
	}
	events, contentType := events(n, request, reply, m.Shape)
	a := &answer{status: reply.Status, header: reply.Header.Clone()}
	if a.status == 0 {
		a.status = http.StatusOK
	}
	if a.header == nil {
		a.header = make(http.Header)
	}
	a.header.Set("Content-Type", contentType)
	a.body = newBody(m.Shape, events, reply.Break)
	return a, nil
}

// reply returns what is answered to the request n.
func (m *Model) reply(n int, r Request) Reply {
	switch {
	case r.Method != http.MethodPost:
		return failure(http.StatusMethodNotAllowed, "requests are by POST")
	case r.api() == nil:
		return failure(http.StatusNotFound, "there are /chat/completions, /messages, /responses, "+
			":generateContent, :streamGenerateContent and /api/chat")
	case m.Script != nil:
		return m.Script(n, r)
	case n < len(m.Replies):
		return m.Replies[n]
	}
	return failure(http.StatusInternalServerError,
		fmt.Sprintf("the script has %d replies, this is request %d", len(m.Replies), n+1))
}

// failure is the answer of a model that cannot answer, in a shape that the
// clients of both interfaces read.
func failure(status int, message string) Reply {
	return Reply{Status: status, Raw: string(encode(object{
		{"type", "error"},
		{"error", object{{"type", "scripted_model"}, {"message", message}}},
	}))}
}

// events returns the events of an answer and its type. A raw body is returned as one
// event without a name.
func events(n int, r Request, reply Reply, s Shape) (events []event, contentType string) {
	switch {
	case reply.Raw != "" || r.api() == nil:
		contentType = reply.ContentType
		if contentType == "" {
			contentType = "application/json"
		}
		return []event{{verbatim: []byte(reply.Raw)}}, contentType
	case r.Stream() && r.api() == ollama{}:
		return r.api().stream(n, r, reply, s), "application/x-ndjson"
	case r.Stream():
		return r.api().stream(n, r, reply, s), "text/event-stream; charset=utf-8"
	}
	return []event{{verbatim: encode(r.api().whole(n, r, reply))}}, "application/json"
}

// api is one of the interfaces that a model has. Its functions return the answer
// to the request n.
type api interface {
	stream(n int, r Request, reply Reply, s Shape) []event
	whole(n int, r Request, reply Reply) object
}
