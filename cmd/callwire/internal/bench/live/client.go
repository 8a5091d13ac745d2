package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Client asks the models of one endpoint. It may be used by several goroutines at once.
type Client struct {
	url  string
	name string
	api  API
	o    ClientOptions
	*budget
}

// ClientOptions configure a Client.
type ClientOptions struct {
	Key     string            // sent, and never shown
	Name    string            // shown instead of the URL
	Base    http.RoundTripper // nil means http.DefaultTransport
	Retries int               // how often a request is sent again
	Pause   time.Duration     // before the first retry, unless the endpoint names one
	Wait    time.Duration     // the longest time for an answer; 0 means no limit
	Budget  int               // tokens of a run; 0 means no limit
}

// NewClient returns a client of the endpoint at a URL.
func NewClient(base string, api API, o ClientOptions) (*Client, error) {
	const form = "--base-url is http:// or https://, a host and a path, without a user or a query"
	u, err := url.Parse(base)
	if err != nil {
		return nil, errors.New(form) // err may contain a password
	}
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/")}
	isHTTP := u.Scheme == "http" || u.Scheme == "https"
	if !isHTTP || u.Host == "" || bare.String() != strings.TrimRight(base, "/") {
		return nil, errors.New(form)
	}
	c := &Client{name: bare.String(), api: api, o: o, budget: newBudget(o.Budget)}
	if o.Name != "" {
		c.name = o.Name
	}
	if api == Anthropic {
		c.url = strings.TrimSuffix(bare.String(), "/v1") + "/v1/messages"
		return c, nil
	}
	if bare.Path == "" {
		bare.Path = "/v1"
	}
	c.url = bare.String() + "/chat/completions"
	return c, nil
}

// hash identifies a request.
func (c *Client) hash(r request) (string, error) {
	body, err := r.body(c.api)
	return hashOf(body), err
}

// ask sends a request and returns the answer, and how often it was sent again. The error is that of
// ctx, or an *Error.
func (c *Client) ask(ctx context.Context, r request) (a *answer, tries int, err error) {
	body, err := r.body(c.api)
	if err != nil {
		return nil, 0, err
	}
	pause := backoff.NewExponentialBackOff()
	if c.o.Pause > 0 {
		pause.InitialInterval = c.o.Pause
	}
	a, err = backoff.Retry(ctx, func() (*answer, error) {
		tries++
		a, err := c.try(ctx, r, body)
		var e *Error
		switch {
		case ctx.Err() != nil:
			return nil, backoff.Permanent(ctx.Err())
		case errors.As(err, &e) && !meanings[e.Code].passing:
			return nil, backoff.Permanent(err)
		}
		return a, err
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(uint(c.o.Retries+1)),
		backoff.WithMaxElapsedTime(0))
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	var e *Error
	if c.o.Key != "" && errors.As(err, &e) { // an endpoint may repeat the key
		shown := *e
		shown.Detail = strings.ReplaceAll(e.Detail, c.o.Key, "•••")
		err = &shown
	}
	return a, tries - 1, err
}

// try sends a request once, within the budget.
func (c *Client) try(ctx context.Context, r request, body []byte) (*answer, error) {
	settle, err := c.reserve(len(body), r.Most())
	if err != nil {
		return nil, err
	}
	var used Usage
	defer func() { settle(used) }()
	start := time.Now()
	data, isScripted, err := c.exchange(ctx, body)
	if err != nil {
		return nil, err
	}
	if c.o.Key != "" { // a record must not contain it either
		data = bytes.ReplaceAll(data, []byte(c.o.Key), []byte("•••"))
	}
	a, err := c.api.read(data)
	if err != nil {
		return nil, err
	}
	a.time, a.scripted = time.Since(start), isScripted
	if a.usage == (Usage{}) {
		a.usage = Usage{
			Input: (len(body) + 3) / 4, Output: (len(a.raw.Text) + 3) / 4, Estimated: true,
		}
	}
	used = a.usage
	return a, nil
}

// exchange sends the body and returns that of the response.
func (c *Client) exchange(
	ctx context.Context, body []byte,
) (data []byte, isScripted bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "callwire-bench")
	if c.api == Anthropic {
		request.Header.Set("Anthropic-Version", "2023-06-01")
	}
	if c.o.Key != "" && c.api == Anthropic {
		request.Header.Set("X-Api-Key", c.o.Key)
	} else if c.o.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	client := http.Client{
		Transport: c.o.Base,
		Timeout:   c.o.Wait,
		// Another host must not see the key.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, false, dialError(err)
	}
	defer response.Body.Close()
	data, err = io.ReadAll(io.LimitReader(response.Body, 32<<20))
	if err != nil {
		return nil, false, dialError(err)
	}
	if response.StatusCode != http.StatusOK {
		e := statusError(response.StatusCode, data)
		e.wait = retryAfter(response.Header.Get("Retry-After"))
		return nil, false, e
	}
	return data, response.Header.Get(scriptedHeader) != "", nil
}

// retryAfter returns what package backoff understands for a Retry-After header: seconds, or a date.
func retryAfter(value string) error {
	const longest = 10 * time.Minute
	date, err := http.ParseTime(value)
	wait := time.Until(date)
	if err != nil {
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil
		}
		wait = time.Duration(min(seconds, longest.Seconds()) * float64(time.Second))
	}
	return &backoff.RetryAfterError{Duration: min(max(wait, 0), longest)}
}
