package live

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client asks the models of one endpoint. It may be used by several goroutines at once.
type Client struct {
	url    string
	name   string
	api    API
	o      ClientOptions
	client http.Client
	*budget
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
	c := &Client{name: cmp.Or(o.Name, u.String()), api: api, o: o, budget: newBudget(o.Budget)}
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
		a, err = c.try(ctx, r, body)
		var e *Error
		switch isOurs := errors.As(err, &e); {
		case ctx.Err() != nil:
			return nil, again, ctx.Err()
		case !isOurs:
			return a, again, err
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

// hidden replaces the key in what an endpoint answers, for it may repeat it.
const hidden = "•••"

// try sends a request once, within the budget.
func (c *Client) try(ctx context.Context, r request, body []byte) (*answer, error) {
	most := len(body) + r.Most() // a token has at least one byte
	if err := c.reserve(most); err != nil {
		return nil, err
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
	if c.o.Key != "" {
		data = bytes.ReplaceAll(data, []byte(c.o.Key), []byte(hidden))
	}
	if response.StatusCode != http.StatusOK {
		return nil, statusError(response, data)
	}
	if !a.read(c.api, data) {
		return nil, &Error{Code: NotAPI, Detail: messageOf(data)}
	}
	a.time, a.scripted = time.Since(start), response.Header.Get(scriptedHeader) != ""
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
