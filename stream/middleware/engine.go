package middleware

import "net/http"

// engine is what a Transport and a Middleware have in common.
type engine struct{ opts Options }

func newEngine(opts Options) *engine { return &engine{opts: opts} }

// do sends a request by next.
func (e *engine) do(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return next(req)
}
