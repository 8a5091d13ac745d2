package live

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// Client asks the models of one endpoint. It may be used by several goroutines at once.
type Client struct {
	base   string // the URL of the endpoint
	url    string // that of requests
	header http.Header
	o      ClientOptions
	client http.Client

	// The budget. A request is sent only if it cannot exceed the limit.
	mu      sync.Mutex
	settled sync.Cond // a request that was out has been settled
	spent   int       // tokens
	held    int       // tokens reserved by requests that are out
}

// ClientOptions configure a Client.
type ClientOptions struct {
	API    manual.API        // ChatCompletions or Anthropic
	Key    string            // sent, and never shown
	Base   http.RoundTripper // nil means http.DefaultTransport
	Tries  int               // how often a request is sent at most; at least once
	Pause  time.Duration     // before the first retry, unless the endpoint names one; 0: 0.5 s
	Wait   time.Duration     // the longest time for an answer; 0 means no limit
	Budget int               // tokens of a run; 0 means no limit
}

// NewClient returns a client of the endpoint at a URL.
func NewClient(base string, o ClientOptions) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	isHTTP := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !isHTTP || u.String() != u.Scheme+"://"+u.Host+u.EscapedPath() {
		return nil, errors.New("--base-url is http:// or https://, a host and a path, " +
			"without a user or a query") // err may contain a password
	}
	o.Pause = cmp.Or(o.Pause, usualPause)
	c := &Client{o: o, base: u.String(), url: u.String(), header: http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"callwire-bench"},
	}}
	c.settled.L = &c.mu
	c.client = http.Client{
		Transport: o.Base,
		Timeout:   o.Wait,
		// Another host must not see the key.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	if o.API == manual.Anthropic || u.Path == "" {
		c.url = strings.TrimSuffix(c.url, "/v1") + "/v1"
	}
	path, keyHeader, prefix := "/chat/completions", "Authorization", "Bearer "
	if o.API == manual.Anthropic {
		path, keyHeader, prefix = "/messages", "X-Api-Key", ""
		c.header.Set("Anthropic-Version", "2023-06-01")
	}
	c.url += path
	if o.Key != "" {
		c.header.Set(keyHeader, prefix+o.Key)
	}
	return c, nil
}

// request is what a model is asked.
type request struct {
	params   rawjson.Object   // everything but the conversation and the tools
	messages []manual.Message // the system text first
	tools    []*sig.Tool      // declared natively
}

// body returns the request as it is sent. The same request gives the same bytes.
func (c *Client) body(r request) ([]byte, error) {
	text, err := c.o.API.AppendMessages(nil, r.messages)
	if err != nil {
		return nil, err
	}
	o := rawjson.ParseObject(text) // has the system text, too
	if rawjson.IsArray(text) {
		o = rawjson.Make("messages", text)
	}
	var tools [][]byte
	for _, t := range r.tools {
		tools = append(tools, bench.Declared(c.o.API, t))
	}
	if len(tools) > 0 {
		o = o.With("tools", tools)
	}
	return rawjson.Compact(slices.Concat(r.params, o).Append(nil)), nil
}

// count returns the sum of the numbers that an object has under some keys.
func count(o rawjson.Object, keys ...string) (sum int) {
	for _, key := range keys {
		n, _ := strconv.ParseFloat(string(o.Get(key)), 64) // 0 if there is none
		sum += int(n)
	}
	return sum
}

// Most returns how many tokens a model may write under some parameters; 0 means that nothing limits
// them.
func Most(params rawjson.Object) int {
	most := max(count(params, "max_tokens"), count(params, "max_completion_tokens"), 0)
	return most * max(count(params, "n"), 1)
}

// hash identifies a request without showing it.
func (c *Client) hash(r request) (string, error) {
	body, err := c.body(r)
	sum := sha256.Sum256(body)
	return fmt.Sprintf("sha256:%x", sum[:12]), err
}

// Limits of what is waited before a request is sent again.
const (
	usualPause   = 500 * time.Millisecond
	longestPause = time.Minute
	longestWait  = 10 * time.Minute // if the endpoint names a time
)

// ask sends a request, again if it may be answered later, and returns the answer. The error is that
// of ctx, or an *Error.
func (c *Client) ask(ctx context.Context, r request) (*answer, error) {
	body, err := c.body(r)
	if err != nil {
		return nil, err
	}
	pause := c.o.Pause
	for try := 1; ; try++ {
		a, e := c.try(ctx, r, body)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case e == nil:
			return a, nil
		case !e.passing || try >= c.o.Tries:
			return nil, e
		}
		select {
		case <-ctx.Done():
		case <-time.After(cmp.Or(e.wait, pause/2+rand.N(pause))):
		}
		pause = min(pause*3/2, longestPause)
	}
}

// hidden replaces the key in what an endpoint answers, for it may repeat it. A shorter one than
// shortest, such as "none" for a server that wants any key, is no secret, and may be a word of an
// answer.
const (
	hidden   = "•••"
	shortest = 12
)

// try sends a request once, within the budget.
func (c *Client) try(ctx context.Context, r request, body []byte) (*answer, *Error) {
	most := len(body) + Most(r.params) // a token has at least one byte
	if e := c.reserve(most); e != nil {
		return nil, e
	}
	a := new(answer)
	defer func() { c.settle(most, a.usage) }()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, dialError(err)
	}
	request.Header = c.header.Clone()
	start := time.Now()
	response, err := c.client.Do(request)
	if err != nil {
		return nil, dialError(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, 32<<20))
	if err != nil {
		return nil, dialError(err)
	}
	if len(c.o.Key) >= shortest {
		data = bytes.ReplaceAll(data, []byte(c.o.Key), []byte(hidden))
	}
	if response.StatusCode != http.StatusOK {
		return nil, statusError(response, data)
	}
	if !a.read(c.o.API, data) {
		e := &Error{kind: notAPI, detail: messageOf(data)}
		if rawjson.Valid(data) && rawjson.ParseObject(data).Has("error") {
			e.kind = failing // how gateways report that a provider failed
		}
		return nil, e
	}
	a.time = time.Since(start)
	if a.usage == (Usage{}) {
		a.usage = Usage{
			Input: (len(body) + 3) / 4, Output: (len(a.text) + 3) / 4, Estimated: true,
		}
	}
	return a, nil
}

// reserve holds the tokens that a request may take at most. If requests that are out leave no room,
// it waits for them: they may take less than they hold. The caller calls settle afterward.
func (c *Client) reserve(most int) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.o.Budget > 0 && c.spent+c.held+most > c.o.Budget {
		if c.held == 0 {
			if most > c.o.Budget {
				return &Error{kind: lowBudget, detail: fmt.Sprintf(
					"it has %d tokens, and a request may take %d", c.o.Budget, most)}
			}
			return &Error{kind: overBudget, detail: fmt.Sprintf(
				"%d of %d tokens, and another request may take %d", c.spent, c.o.Budget, most)}
		}
		c.settled.Wait()
	}
	c.held += most
	return nil
}

// settle counts what a request took that held some tokens.
func (c *Client) settle(held int, u Usage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held -= held
	c.spent += u.Input + u.Output
	c.settled.Broadcast()
}

// answer is what a model answers.
type answer struct {
	message manual.Message
	text    string          // of the message
	raw     json.RawMessage // as the API sent it
	usage   Usage
	time    time.Duration
}

// read reads the body of an answer, if it is one. Only Anthropic counts tokens of the cache apart
// from the input.
func (a *answer) read(api manual.API, data []byte) (ok bool) {
	if !rawjson.Valid(data) {
		return false
	}
	const cacheRead, cacheWrite = "cache_read_input_tokens", "cache_creation_input_tokens"
	o, message := rawjson.ParseObject(data), data
	u, choices := o.Object("usage"), o.Array("choices")
	switch {
	case api == manual.Anthropic && o.Text("type") == "message":
		a.raw = data
		a.usage.Input = count(u, "input_tokens", cacheRead, cacheWrite)
		a.usage.Cached = count(u, cacheRead)
		a.usage.Output = count(u, "output_tokens")
	case api == manual.ChatCompletions && len(choices) > 0:
		a.raw = choices[0]
		message = rawjson.ParseObject(a.raw).Get("message")
		a.usage.Input = count(u, "prompt_tokens")
		a.usage.Cached = count(u.Object("prompt_tokens_details"), "cached_tokens")
		a.usage.Output = count(u, "completion_tokens")
		a.usage.Reasoning = count(u.Object("completion_tokens_details"), "reasoning_tokens")
	default:
		return false
	}
	var err error
	a.message, err = api.ParseMessage(message)
	if api == manual.Anthropic {
		a.message.Extra = nil // of the answer, not of the message
	}
	a.text = textOf(a.message)
	return err == nil
}

// textOf returns the text of a message, results included.
func textOf(m manual.Message) (text string) {
	for _, p := range m.Parts {
		text += p.Text
	}
	return text
}

// say returns a message.
func say(role, text string) manual.Message {
	return manual.Message{Role: role, Parts: []manual.Part{{Kind: manual.Text, Text: text}}}
}

// kind is why a request has no answer, and what that means for others.
type kind struct {
	code    string // in records
	passing bool   // the same request may be answered later
	fatal   bool   // every other request would end the same way
	advice  string
}

var (
	unreachable = &kind{"unreachable", false, true,
		"the endpoint cannot be reached; is the --base-url right, and does it run?"}
	unauthorized = &kind{"unauthorized", false, true,
		"the endpoint does not accept the key; name its variable with --key-env"}
	notFound = &kind{"not-found", false, true,
		"the endpoint has no such path or model; --base-url usually ends in /v1"}
	notAPI = &kind{"not-api", false, true, // a page for people, a redirect, or another API
		"the endpoint does not answer like this API; are --base-url and --api right?"}
	limited = &kind{"rate-limited", true, false,
		"the endpoint had too many requests; continue later, or with less --concurrency"}
	slow = &kind{"slow", true, false,
		"the endpoint takes too long to answer; see --wait"}
	failing    = &kind{"failing", true, false, "the endpoint fails"}
	broken     = &kind{"broken", true, false, "the answer broke off"}
	refused    = &kind{"refused", false, false, "the endpoint refuses the request"}
	overBudget = &kind{"over-budget", false, false, "the budget is used up"} // it was not sent
	lowBudget  = &kind{"over-budget", false, false, "the budget is too small for one request"}
)

// Error is why a request has no answer.
type Error struct {
	*kind
	status int           // of HTTP, or 0
	detail string        // what came, in a few words
	wait   time.Duration // until the endpoint wants to be asked again, if it names a time
}

// Error describes the error and what to do about it in one line.
func (e *Error) Error() string {
	text := e.advice
	if e.status != 0 {
		text += fmt.Sprintf(" (%d %s)", e.status, http.StatusText(e.status))
	}
	if e.detail != "" {
		text += ": " + e.detail
	}
	return text
}

// dialError returns why a request was not answered.
func dialError(err error) *Error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &Error{kind: slow}
	}
	e := &Error{kind: broken, detail: terminal.Cause(err).Error()}
	for _, sign := range []string{"dial ", "tls: ", "x509: ", "HTTP response to HTTPS client"} {
		if strings.Contains(err.Error(), sign) {
			e.kind = unreachable
		}
	}
	return e
}

// statusError returns the meaning of an error status.
func statusError(r *http.Response, body []byte) *Error {
	e := &Error{kind: refused, status: r.StatusCode, detail: messageOf(body)}
	switch status := e.status; {
	case status < 400:
		e.kind = notAPI
	case status == 401 || status == 403:
		e.kind = unauthorized
	case status == 404 || status == 405:
		e.kind = notFound
	case status == 429:
		e.kind = limited
	case status >= 500 || status == 408 || status == 409:
		e.kind = failing
	}
	seconds, err := strconv.ParseFloat(r.Header.Get("Retry-After"), 64)
	if err == nil {
		wait := time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
		e.wait = max(wait, 1) // 0 would mean that the endpoint names none
	}
	return e
}

// messageOf returns the message of an error, in one line.
func messageOf(body []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return "a page for people"
	}
	text := string(body)
	if rawjson.Valid(body) {
		o := rawjson.ParseObject(body)
		text = cmp.Or(o.Object("error").Text("message"), o.Text("error"), o.Text("message"),
			o.Text("detail"))
	}
	words := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
	return fmt.Sprintf("%.200s", strings.Join(words, " "))
}
