package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// Client asks the models of one endpoint. It may be used by several goroutines at
// once.
type Client struct {
	url  *url.URL
	name string
	api  API
	key  string
	o    Options
}

// Options say how an endpoint is asked.
type Options struct {
	Key     string            // sent, and never told
	Name    string            // told in place of the URL, if set
	Base    http.RoundTripper // nil: http.DefaultTransport
	Retries int               // how often a request is sent again
	Pause   time.Duration     // before the first retry, where the endpoint does not say; then longer
	Silence time.Duration     // the longest that the endpoint may say nothing
	Whole   bool              // ask for answers that are not streamed

	// Meter, if set, is asked before a request is sent, and told what it took.
	Meter Meter
}

// Meter watches over what requests take.
type Meter interface {
	// Reserve asks for leave to send so many bytes and get at most so many
	// tokens. The function it returns is called once, with what it took; nil
	// means that nothing was taken. An error ends the request.
	Reserve(model string, bytes, maxTokens int) (settle func(*record.Usage), err error)
}

// New returns a client for the endpoint at a URL. The error says what is wrong
// with it.
func New(base string, api API, o Options) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, errors.New("--base-url is no URL; write it like https://api.openai.com/v1") // err may hold a password
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, errors.New("--base-url is http:// or https://, a host and a path, without a user or a query")
	}
	path := strings.TrimRight(u.Path, "/")
	name := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}).String()
	switch api {
	case OpenAI:
		if path == "" {
			path = "/v1"
		}
		path += "/chat/completions"
	case Anthropic:
		path = strings.TrimSuffix(path, "/v1") + "/v1/messages"
	default:
		return nil, fmt.Errorf("--api is openai or anthropic, not %q", api)
	}
	if o.Name != "" {
		name = o.Name
	}
	return &Client{url: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}, name: name, api: api, key: o.Key, o: o}, nil
}

// Name returns the URL of the endpoint as it is told to people.
func (c *Client) Name() string { return c.name }

// API returns the way in which the endpoint is spoken to.
func (c *Client) API() API { return c.api }

// Hash names a request.
func (c *Client) Hash(r Request) (string, error) {
	body, err := r.Body(c.api, !c.o.Whole)
	return record.Hash(body), err
}

// Ask sends a request and returns the answer. Watch, if set, returns what watches
// a try; nil does not. The error is that of ctx, or an *Error; of the answer there is
// then only what was lost.
func (c *Client) Ask(ctx context.Context, r Request, watch func() Watch) (*Answer, error) {
	body, err := r.Body(c.api, !c.o.Whole)
	if err != nil {
		return nil, err
	}
	tries := 0
	var lost record.Usage
	pause := backoff.NewExponentialBackOff()
	if c.o.Pause > 0 {
		pause.InitialInterval = c.o.Pause
	}
	answer, err := backoff.Retry(ctx, func() (*Answer, error) {
		tries++
		var see Watch
		if watch != nil {
			see = watch()
		}
		a, err := c.try(ctx, r, body, see)
		if err != nil && a != nil {
			lost.Add(a.Usage)
		}
		if ctx.Err() != nil {
			return nil, backoff.Permanent(ctx.Err())
		}
		var e *Error
		if errors.As(err, &e) && !e.passing() {
			return nil, backoff.Permanent(err)
		}
		return a, err
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(uint(c.o.Retries+1)), backoff.WithMaxElapsedTime(0))
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	if err != nil {
		return &Answer{Lost: lost}, c.safe(err, r)
	}
	answer.Tries, answer.Lost = tries-1, lost
	answer.hide(c.key)
	return answer, nil
}

// safe returns the error without the key and without what was asked.
func (c *Client) safe(err error, r Request) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Detail = without(told.Detail, c.key, secretOfKey)
	for _, text := range r.texts() {
		told.Detail = without(told.Detail, text, secretOfPrompt)
	}
	return &told
}

// try sends a request once. With an error the answer is what came of one, or nil.
func (c *Client) try(ctx context.Context, r Request, body []byte, watch Watch) (*Answer, error) {
	settle := func(*record.Usage) {}
	if c.o.Meter != nil {
		var err error
		if settle, err = c.o.Meter.Reserve(r.Model, len(body), r.Most()); err != nil {
			return nil, &Error{Code: OverBudget, Detail: err.Error()}
		}
	}
	a, err := c.exchange(ctx, body, watch)
	if a == nil {
		settle(nil)
		return nil, err
	}
	settle(&a.Usage)
	return a, err
}

// exchange sends the body and reads the answer. What was read of an answer that
// breaks off is returned with the error.
func (c *Client) exchange(ctx context.Context, body []byte, watch Watch) (*Answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := c.o.Silence
	if silence <= 0 {
		silence = 5 * time.Minute
	}
	tooLong := &Error{Code: Slow, Detail: silence.String()}
	alarm := time.AfterFunc(silence, func() { cancel(tooLong) })
	defer alarm.Stop()

	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "callwire-bench")
	switch {
	case c.api == Anthropic:
		request.Header.Set("Anthropic-Version", "2023-06-01")
		if c.key != "" {
			request.Header.Set("X-Api-Key", c.key)
		}
	case c.key != "":
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	client := http.Client{
		Transport: c.o.Base,
		// Another host must not see the key.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	start := time.Now()
	response, err := client.Do(request)
	if err != nil {
		if context.Cause(ctx) == tooLong {
			return nil, tooLong
		}
		return nil, dialError(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10))
		e := statusError(response.StatusCode, said)
		e.wait = retryAfter(response.Header.Get("Retry-After"), time.Now())
		return nil, e
	}
	r := &reading{watch: watch, since: func() time.Duration { return time.Since(start) }}
	r.Scripted = response.Header.Get(ScriptedHeader) != ""
	in := bufio.NewReader(&lively{response.Body, func() {
		alarm.Reset(silence)
		if r.FirstByte == 0 {
			r.FirstByte = r.since()
		}
	}})
	err = c.read(r, in, response.Header.Get("Content-Type"))
	r.Total = r.since()
	if context.Cause(ctx) == tooLong {
		err = tooLong
	}
	if !r.reported {
		r.Usage = record.Usage{Input: (len(body) + 3) / 4, Output: (len(r.Text) + 3) / 4, Estimated: true}
	}
	return &r.Answer, err
}

// read reads the body of an answer.
func (c *Client) read(r *reading, in *bufio.Reader, contentType string) error {
	take := r.openAI
	if c.api == Anthropic {
		take = r.anthropic
	}
	head, _ := in.Peek(1)
	stream := strings.HasPrefix(contentType, "text/event-stream") || len(head) > 0 && (head[0] == 'd' || head[0] == 'e' || head[0] == ':')
	var err error
	if stream {
		_, err = readEvents(in, take)
	} else {
		var data []byte
		data, err = io.ReadAll(io.LimitReader(in, maxAnswer))
		if err == nil {
			err = take(data)
			r.completed = true
		}
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case err != nil:
		return &Error{Code: Broken, Detail: root(err).Error()}
	case !r.meaning:
		return &Error{Code: NotJSON, Detail: "nothing in it is an answer of a model"}
	case !r.completed:
		return &Error{Code: Broken, Detail: "it ends without saying why"}
	}
	return nil
}

// lively is a reader that says when something has come.
type lively struct {
	io.Reader
	came func()
}

func (l *lively) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if n > 0 {
		l.came()
	}
	return n, err
}

// longestWait is how long an endpoint may ask to be left alone.
const longestWait = 10 * time.Minute

// retryAfter returns what package backoff understands for a Retry-After header:
// seconds, or a date.
func retryAfter(value string, now time.Time) error {
	wait := time.Duration(0)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		wait = time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	} else if date, err := http.ParseTime(value); err == nil {
		wait = date.Sub(now)
	} else {
		return nil
	}
	return &backoff.RetryAfterError{Duration: min(max(wait, 0), longestWait)}
}
