package middleware

import (
	"net/http"
	"sync"
)

// Transport is an [http.RoundTripper] that rewrites requests with tools and the responses to them,
// and passes everything else on. The zero value works over [http.DefaultTransport]. It may be used
// by several goroutines at once; its fields must not change after the first use.
type Transport struct {
	Base    http.RoundTripper // nil: http.DefaultTransport
	Options Options

	once   sync.Once
	engine *engine
}

// RoundTrip implements [http.RoundTripper]. It does not change the request.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.once.Do(func() { t.engine = newEngine(t.Options) })
	return t.engine.do(req, t.base().RoundTrip)
}

// CloseIdleConnections closes the idle connections of the transport below, if
// that has such a method. [http.Client.CloseIdleConnections] calls it.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// Middleware does what a [Transport] does, as a function around the next one. It is the
// type of middleware that openai-go and anthropic-sdk-go accept.
func Middleware(
	opts Options,
) func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return newEngine(opts).do
}
