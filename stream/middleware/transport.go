package middleware

import (
	"net/http"
	"sync"
)

// Transport is an [http.RoundTripper] that rewrites requests with tools and the
// responses to them, and passes everything else on. The zero value works over
// [http.DefaultTransport]. It may be used by several goroutines at once; its
// fields must not change after the first use.
type Transport struct {
	Base    http.RoundTripper // nil: http.DefaultTransport
	Options Options

	once   sync.Once
	engine *engine
}

// RoundTrip implements [http.RoundTripper]. It does not change the request.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.once.Do(func() { t.engine = newEngine(t.Options) })
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	return t.engine.do(req, base.RoundTrip)
}

// Middleware returns what a [Transport] does as a function around the next one,
// which is the type of middleware that openai-go and anthropic-sdk-go accept.
func Middleware(opts Options) func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return newEngine(opts).do
}
