package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/stream/middleware"
)

// A handler answers the requests to the proxy.
type handler struct {
	o        *Options
	upstream *url.URL
	proxy    httputil.ReverseProxy
	log      *slog.Logger
	metrics  metrics
	seen     atomic.Int64 // requests
}

// via marks requests that the proxy has sent, so that it can refuse a loop.
const via = "1.1 callwire"

func newHandler(o *Options) (*handler, error) {
	upstream, err := o.check()
	if err != nil {
		return nil, err
	}
	h := &handler{o: o, upstream: upstream, log: slog.New(slog.NewTextHandler(o.Out, nil))}
	h.metrics.add(0, "callwire_requests_open") // it has a value before the first request
	o.Rewriting.MaxRequest = o.MaxBody         // every accepted request can be rewritten
	o.Rewriting.OnRewrite = func(req *http.Request, r middleware.Rewrite) {
		requestOf(req).rewrite(r)
	}
	h.proxy = httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			sendTo(upstream, p.Out.URL)
			p.Out.Host = ""
			p.Out.Header.Add("Via", via)
		},
		Transport: &middleware.Transport{
			Base: newUpstreamTransport(o.Wait), Options: o.Rewriting,
		},
		FlushInterval: -1,
		BufferPool:    buffers{},
		ErrorLog:      log.New(io.Discard, "", 0), // logged below
		ModifyResponse: func(answer *http.Response) error {
			if answer.StatusCode >= http.StatusBadRequest {
				requestOf(answer.Request).failed(answer.StatusCode)
			}
			if answer.StatusCode != http.StatusSwitchingProtocols {
				answer.Body = &answerBody{answer.Body, answer.Request}
			}
			return nil
		},
		ErrorHandler: h.fail,
	}
	return h, nil
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	code, reason := h.forbids(r)
	loops := strings.Contains(strings.Join(r.Header.Values("Via"), ","), via)
	switch {
	case code != "":
		refuse(w, http.StatusForbidden, code, reason)
	case r.URL.Path == "/metrics":
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		h.metrics.write(w)
	case r.URL.Path == "/healthz":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n")
	case loops:
		refuse(w, http.StatusLoopDetected, "loop",
			"--upstream leads back to the proxy; give the URL of the model")
	default:
		h.answer(w, r)
	}
}

// answer passes on a request, once its body has arrived in time and within the limit.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) {
	q := &request{handler: h, n: h.seen.Add(1), start: time.Now(), counts: make(map[string]int)}
	h.metrics.add(1, "callwire_requests_open")
	defer q.end() // also when the answer is aborted
	r = r.WithContext(context.WithValue(r.Context(), requestKey{}, q))
	if r.ContentLength > h.o.MaxBody {
		h.fail(w, r, &http.MaxBytesError{Limit: h.o.MaxBody})
		return
	}
	if r.Body != http.NoBody {
		control := http.NewResponseController(w)
		control.SetReadDeadline(time.Now().Add(bodyTime))
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.o.MaxBody))
		if err != nil {
			h.fail(w, r, fmt.Errorf("%w: %w", errBody, err))
			return
		}
		control.SetReadDeadline(time.Time{}) // the answer may take any time
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	}
	h.proxy.ServeHTTP(w, r)
}

var errBody = errors.New("the body of the request cannot be read")

// forbids returns why a proxy that isn't public refuses a request, if it does.
func (h *handler) forbids(r *http.Request) (code, reason string) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	switch {
	case h.o.Public:
	case !loopback.Is(host):
		return "forbidden_host", fmt.Sprintf("this proxy is for programs on its own machine, "+
			"not for %q; call it by 127.0.0.1 or localhost, or start it with --public", r.Host)
	case loopback.FromPage(r):
		return "forbidden_origin", fmt.Sprintf("this proxy is for programs on its own machine, "+
			"not for pages of %q; start it with --public if you mean it", r.Header.Get("Origin"))
	}
	return "", ""
}

// fail answers a request that has no other answer.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		panic(http.ErrAbortHandler) // the client hung up, or will read no answer as an empty one
	}
	status, code, message := h.failure(err)
	h.log.Error("no answer", "request", requestOf(r).n, "status", status, "error", message)
	requestOf(r).failed(status)
	refuse(w, status, code, message)
}

// failure words an error for the client.
func (h *handler) failure(err error) (status int, code, message string) {
	var tooLarge *http.MaxBytesError
	var silent interface{ Timeout() bool }
	var dial *net.OpError
	host := h.upstream.Host
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, "request_too_large",
			fmt.Sprintf("the request has more than %d bytes; send less, "+
				"or start the proxy with a larger --max-body", tooLarge.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout, "request_timeout",
			"the body of the request did not arrive in time; send it again"
	case errors.Is(err, errBody):
		return http.StatusBadRequest, "bad_request", err.Error()
	case errors.As(err, &dial) && dial.Op == "dial":
		return http.StatusBadGateway, "upstream_unreachable",
			fmt.Sprintf("cannot reach %s: %v; is it running, and is --upstream right?",
				host, terminal.Cause(err))
	case errors.As(err, &silent) && silent.Timeout():
		return http.StatusGatewayTimeout, "upstream_timeout",
			fmt.Sprintf("%s sent nothing for %s; wait longer with --wait", host, h.o.Wait)
	}
	return http.StatusBadGateway, "upstream_error", fmt.Sprintf("no answer from %s: %v", host, err)
}

// refuse answers with an error in a form that the clients of all APIs read.
func refuse(w http.ResponseWriter, status int, code, message string) {
	body := rawjson.Make("type", "error", "error", rawjson.Make("type", "callwire_proxy",
		"code", code, "message", "callwire proxy: "+message)).Append(nil)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}
