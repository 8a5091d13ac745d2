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
	"syscall"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/internal/rawjson"
)

// Client asks the models of one endpoint. It may be used by several goroutines at once.
type Client struct {
	url    string
	name   string
	api    API
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
	Key    string            // sent, and never shown
	Name   string            // shown instead of the URL
	Base   http.RoundTripper // nil means http.DefaultTransport
	Tries  int               // how often a request is sent at most; at least once
	Pause  time.Duration     // before the first retry, unless the endpoint names one; 0: 0.5 s
	Wait   time.Duration     // the longest time for an answer; 0 means no limit
	Budget int               // tokens of a run; 0 means no limit
}

// NewClient returns a client of the endpoint at a URL.
func NewClient(base string, api API, o ClientOptions) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	isHTTP := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !isHTTP || u.String() != u.Scheme+"://"+u.Host+u.EscapedPath() {
		return nil, errors.New("--base-url is http:// or https://, a host and a path, " +
			"without a user or a query") // err may contain a password
	}
	o.Pause = cmp.Or(o.Pause, usualPause)
	c := &Client{name: cmp.Or(o.Name, u.String()), api: api, o: o}
	c.settled.L = &c.mu
	c.client = http.Client{
		Transport: o.Base,
		Timeout:   o.Wait,
		// Another host must not see the key.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	switch {
	case api == Anthropic:
		c.url = strings.TrimSuffix(u.String(), "/v1") + "/v1/messages"
	case u.Path == "":
		c.url = u.String() + "/v1/chat/completions"
	default:
		c.url = u.String() + "/chat/completions"
	}
	return c, nil
}

// hash identifies a request without showing it.
func (c *Client) hash(r request) (string, error) {
	body, err := r.body(c.api)
	sum := sha256.Sum256(body)
	return fmt.Sprintf("sha256:%x", sum[:12]), err
}

// Limits of what is waited before a request is sent again.
const (
	usualPause   = 500 * time.Millisecond
	longestPause = time.Minute
	longestWait  = 10 * time.Minute // if the endpoint names a time
)

// ask sends a request and returns the answer, and how often it was sent again. The error is that of
// ctx, or an *Error.
func (c *Client) ask(ctx context.Context, r request) (a *answer, again int, err error) {
	body, err := r.body(c.api)
	if err != nil {
		return nil, 0, err
	}
	for pause := c.o.Pause; ; pause = min(pause*3/2, longestPause) {
		a, e := c.try(ctx, r, body)
		switch {
		case ctx.Err() != nil:
			return nil, again, ctx.Err()
		case e == nil:
			return a, again, nil
		case !e.Code.isPassing() || again+1 >= c.o.Tries:
			return nil, again, e
		}
		select {
		case <-ctx.Done():
		case <-time.After(cmp.Or(e.wait, pause/2+rand.N(pause))):
		}
		again++
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
	most := len(body) + r.Most() // a token has at least one byte
	if e := c.reserve(most); e != nil {
		return nil, e
	}
	a := new(answer)
	defer func() { c.settle(most, a.usage) }()
	start := time.Now()
	response, err := c.post(ctx, body)
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
	if !a.read(c.api, data) {
		return nil, &Error{Code: NotAPI, Detail: messageOf(data)}
	}
	a.time = time.Since(start)
	if a.usage == (Usage{}) {
		a.usage = Usage{
			Input: (len(body) + 3) / 4, Output: (len(a.raw.Text) + 3) / 4, Estimated: true,
		}
	}
	return a, nil
}

// post sends the body of a request.
func (c *Client) post(ctx context.Context, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "callwire-bench")
	switch {
	case c.o.Key == "":
	case c.api == Anthropic:
		request.Header.Set("X-Api-Key", c.o.Key)
	default:
		request.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	if c.api == Anthropic {
		request.Header.Set("Anthropic-Version", "2023-06-01")
	}
	return c.client.Do(request)
}

// reserve holds the tokens that a request may take at most. If requests that are out leave no room,
// it waits for them: they may take less than they hold. The caller calls settle afterward.
func (c *Client) reserve(most int) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.o.Budget > 0 && c.spent+c.held+most > c.o.Budget {
		if c.held == 0 {
			return &Error{Code: OverBudget, Detail: fmt.Sprintf(
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

// Code is the kind of an error of an endpoint.
type Code string

// The codes.
const (
	Unreachable  Code = "unreachable"
	Unauthorized Code = "unauthorized"
	NotFound     Code = "not-found"
	NotAPI       Code = "not-api" // a page for people, a redirect, or another API
	Refused      Code = "refused"
	Limited      Code = "rate-limited"
	Failing      Code = "failing"
	Broken       Code = "broken"
	Slow         Code = "slow"
	OverBudget   Code = "over-budget" // the request was not sent: it could exceed the budget
)

var advice = map[Code]string{
	Unreachable:  "the endpoint cannot be reached; is the --base-url right, and does it run?",
	Unauthorized: "the endpoint does not accept the key; name its variable with --key-env",
	NotFound:     "the endpoint has no such path or model; --base-url usually ends in /v1",
	NotAPI:       "the endpoint does not answer like this API; are --base-url and --api right?",
	Refused:      "the endpoint refuses the request",
	Limited:      "the endpoint had too many requests; continue later, or with less --concurrency",
	Failing:      "the endpoint fails",
	Broken:       "the answer broke off",
	Slow:         "the endpoint takes too long to answer; see --wait",
	OverBudget:   "the budget is used up",
}

// isFatal reports whether every other request would end the same way.
func (c Code) isFatal() bool {
	return slices.Contains([]Code{Unreachable, Unauthorized, NotFound, NotAPI}, c)
}

// isPassing reports whether the same request may be answered later.
func (c Code) isPassing() bool {
	return slices.Contains([]Code{Limited, Failing, Broken, Slow}, c)
}

// Error is why a request has no answer.
type Error struct {
	Code   Code
	Status int    // of HTTP, or 0
	Detail string // what came, in a few words

	wait time.Duration // until the endpoint wants to be asked again, if it names a time
}

// Error describes the error and what to do about it in one line.
func (e *Error) Error() string {
	text := advice[e.Code]
	if e.Status != 0 {
		text += fmt.Sprintf(" (%d %s)", e.Status, http.StatusText(e.Status))
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// dialError returns why a request was not answered.
func dialError(err error) *Error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &Error{Code: Slow}
	}
	e := &Error{Code: Broken, Detail: loopback.Cause(err).Error()}
	var resolve *net.DNSError
	isUnreachable := errors.As(err, &resolve) || errors.Is(err, syscall.ECONNREFUSED)
	for _, sign := range []string{"tls: ", "x509: ", "HTTP response to HTTPS client"} {
		isUnreachable = isUnreachable || strings.Contains(err.Error(), sign)
	}
	if isUnreachable {
		e.Code = Unreachable
	}
	return e
}

// statusError returns the meaning of an error status.
func statusError(r *http.Response, body []byte) *Error {
	e := &Error{Code: Refused, Status: r.StatusCode, Detail: messageOf(body)}
	e.wait = retryAfter(r.Header.Get("Retry-After"))
	switch {
	case e.Status == 401 || e.Status == 403:
		e.Code = Unauthorized
	case e.Status == 404 || e.Status == 405:
		e.Code = NotFound
	case e.Status == 429:
		e.Code = Limited
	case e.Status >= 500 || e.Status == 408 || e.Status == 409:
		e.Code = Failing
	case e.Status < 400:
		e.Code = NotAPI
	}
	return e
}

// messageOf returns the message of an error, in one line.
func messageOf(body []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return "a page for people"
	}
	text := string(body)
	if json.Valid(body) {
		o := rawjson.ParseObject(body)
		text = cmp.Or(o.Object("error").Text("message"), o.Text("error"), o.Text("message"),
			o.Text("detail"))
	}
	words := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
	return fmt.Sprintf("%.200s", strings.Join(words, " "))
}

// retryAfter returns the time of a Retry-After header, in seconds or as a date; 0 if there is none.
func retryAfter(value string) time.Duration {
	seconds, err := strconv.ParseFloat(value, 64)
	if date, dateErr := http.ParseTime(value); dateErr == nil {
		seconds, err = time.Until(date).Seconds(), nil
	}
	if err != nil {
		return 0
	}
	wait := time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	return max(wait, 1) // 0 would mean that there is none
}
