package live

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
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Client asks the models of one endpoint. It may be used by several goroutines at once.
type Client struct {
	url  string
	name string
	api  API
	o    ClientOptions
}

// ClientOptions configure a Client.
type ClientOptions struct {
	Key     string            // sent, and never shown
	Name    string            // shown in place of the URL
	Base    http.RoundTripper // nil means http.DefaultTransport
	Retries int               // how often a request is sent again
	Pause   time.Duration     // before the first retry, unless the endpoint names one; 0 means half a second
	Silence time.Duration     // the longest silence of the endpoint; 0 means five minutes
	Whole   bool              // ask for answers that are not streamed
	Budget  *Budget
}

// NewClient returns a client of the endpoint at a URL.
func NewClient(base string, api API, o ClientOptions) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, errors.New("--base-url is not a URL; write it like https://api.openai.com/v1") // err may contain a password
	}
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/"), RawPath: u.RawPath}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || bare.String() != strings.TrimRight(base, "/") {
		return nil, errors.New("--base-url is http:// or https://, a host and a path, without a user or a query")
	}
	c := &Client{name: bare.String(), api: api, o: o}
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

// Spend counts tokens that an earlier part of the run has taken against the budget.
func (c *Client) Spend(u Usage) { c.o.Budget.spend(u) }

// hash identifies a request.
func (c *Client) hash(r request) (string, error) {
	body, err := r.body(c.api, !c.o.Whole)
	return hashOf(body), err
}

// ask sends a request and returns the answer; tries is how often it was sent again, and lost what
// those tries took. Watch, if set, returns a function that sees the text of a try as it arrives. The
// error is that of ctx, or an *Error.
func (c *Client) ask(ctx context.Context, r request, watch func(*answer) func(string)) (a *answer, tries int, lost Usage, err error) {
	body, err := r.body(c.api, !c.o.Whole)
	if err != nil {
		return nil, 0, lost, err
	}
	pause := backoff.NewExponentialBackOff()
	if c.o.Pause > 0 {
		pause.InitialInterval = c.o.Pause
	}
	a, err = backoff.Retry(ctx, func() (*answer, error) {
		tries++
		a, err := c.try(ctx, r, body, watch)
		if err == nil {
			return a, nil
		}
		if a != nil {
			lost.Add(a.usage)
		}
		if ctx.Err() != nil {
			return nil, backoff.Permanent(ctx.Err())
		}
		var e *Error
		if errors.As(err, &e) && !e.passing() {
			return nil, backoff.Permanent(err)
		}
		return nil, err
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(uint(c.o.Retries+1)), backoff.WithMaxElapsedTime(0))
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	if err != nil {
		return nil, tries - 1, lost, c.safe(err, r)
	}
	a.hide(c.o.Key)
	return a, tries - 1, lost, nil
}

// safe returns the error without the key and the prompt, which an endpoint may repeat.
func (c *Client) safe(err error, r request) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	shown := *e
	shown.Detail = hide(shown.Detail, c.o.Key, pieceOfKey)
	for _, text := range r.texts() {
		shown.Detail = hide(shown.Detail, text, pieceOfPrompt)
	}
	return &shown
}

// hide removes the key from what an endpoint wrote. Local endpoints take any word for a key, which
// a model may write by itself.
func (a *answer) hide(key string) {
	if len(key) < 16 {
		return
	}
	clean := func(text *string) { *text = strings.ReplaceAll(*text, key, "•••") }
	clean(&a.Text)
	clean(&a.Finish)
	for i := range a.Calls {
		clean(&a.Calls[i].ID)
		clean(&a.Calls[i].Name)
		clean(&a.Calls[i].Arguments)
	}
}

// try sends a request once, within the budget. With an error, the answer is what came of it, or
// nil.
func (c *Client) try(ctx context.Context, r request, body []byte, watch func(*answer) func(string)) (*answer, error) {
	settle, err := c.o.Budget.reserve(len(body), r.Most())
	if err != nil {
		return nil, &Error{Code: OverBudget, Detail: err.Error()}
	}
	a, err := c.exchange(ctx, body, watch)
	if a == nil {
		settle(Usage{})
		return nil, err
	}
	settle(a.usage)
	return a, err
}

// exchange sends the body and reads the answer.
func (c *Client) exchange(ctx context.Context, body []byte, watch func(*answer) func(string)) (*answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := c.o.Silence
	if silence <= 0 {
		silence = 5 * time.Minute
	}
	tooLong := &Error{Code: Slow, Detail: silence.String()}
	alarm := time.AfterFunc(silence, func() { cancel(tooLong) })
	defer alarm.Stop()
	start := time.Now()
	response, err := c.send(ctx, body)
	if err != nil {
		if context.Cause(ctx) == tooLong {
			return nil, tooLong
		}
		return nil, dialError(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // what was read is enough
		e := statusError(response.StatusCode, said)
		e.wait = retryAfter(response.Header.Get("Retry-After"), time.Now())
		return nil, e
	}
	a := &answer{since: func() time.Duration { return time.Since(start) }}
	if watch != nil {
		a.watch = watch(a)
	}
	a.scripted = response.Header.Get(scriptedHeader) != ""
	in := bufio.NewReader(&lively{response.Body, func() {
		alarm.Reset(silence)
		if a.firstByte == 0 {
			a.firstByte = a.since()
		}
	}})
	take := a.openAI
	if c.api == Anthropic {
		take = a.anthropic
	}
	head, _ := in.Peek(1) // some servers stream with another content type
	isStream := strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") ||
		len(head) > 0 && strings.Contains("de:", string(head))
	err = a.read(in, isStream, take)
	a.total = a.since()
	if context.Cause(ctx) == tooLong {
		err = tooLong
	}
	if !a.counted {
		a.usage = Usage{Input: (len(body) + 3) / 4, Output: (len(a.Text) + 3) / 4, Estimated: true}
	}
	return a, err
}

func (c *Client) send(ctx context.Context, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
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
		// Another host must not see the key.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return client.Do(request)
}

// lively is a reader that reports when something arrives.
type lively struct {
	io.Reader
	arrived func()
}

func (l *lively) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if n > 0 {
		l.arrived()
	}
	return n, err
}

// longestWait is how long an endpoint may ask to wait.
const longestWait = 10 * time.Minute

// retryAfter returns what package backoff understands for a Retry-After header: seconds, or a date.
func retryAfter(value string, now time.Time) error {
	var wait time.Duration
	seconds, err := strconv.ParseFloat(value, 64)
	if err == nil {
		wait = time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	} else {
		date, err := http.ParseTime(value)
		if err != nil {
			return nil
		}
		wait = date.Sub(now)
	}
	return &backoff.RetryAfterError{Duration: min(max(wait, 0), longestWait)}
}

// Budget bounds the tokens of a run. A request is sent only if it cannot exceed the limit: with all
// tokens that it may write, and as many as its bytes can be. At first each byte counts as a token;
// later as the most tokens that a byte of an earlier request was, and a quarter more. A nil Budget
// has no limit.
type Budget struct {
	Tokens int

	mu      sync.Mutex
	settled *sync.Cond // a request that was out has been settled
	out     int        // requests that are out
	spent   int
	held    int // reserved by requests that are out
	perByte float64
}

// spend counts what an earlier part of the run has taken.
func (b *Budget) spend(u Usage) {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.spent += u.Input + u.Output
	}
}

// reserve asks for room for a request. If requests that are out leave none, it waits for them: they
// may take less than they reserved. The caller calls settle once.
func (b *Budget) reserve(bytes, maxTokens int) (settle func(Usage), err error) {
	if b == nil {
		return func(Usage) {}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.settled == nil {
		b.settled = sync.NewCond(&b.mu)
	}
	most := b.most(bytes) + maxTokens
	for b.out > 0 && b.spent+b.held+most > b.Tokens {
		b.settled.Wait()
		most = b.most(bytes) + maxTokens
	}
	if b.spent+b.held+most > b.Tokens {
		return nil, fmt.Errorf("%d of %d tokens, and another request may take %d", b.spent+b.held, b.Tokens, most)
	}
	b.out++
	b.held += most
	return func(u Usage) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.out--
		b.held -= most
		b.spent += u.Input + u.Output
		b.perByte = max(b.perByte, float64(u.Input)/float64(max(bytes, 1)))
		b.settled.Broadcast()
	}, nil
}

// most returns how many tokens so many bytes can be.
func (b *Budget) most(bytes int) int {
	if b.perByte == 0 {
		return bytes + 1
	}
	return int(float64(bytes)*min(1.25*b.perByte, 1)) + 1
}
