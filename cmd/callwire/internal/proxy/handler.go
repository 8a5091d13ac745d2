package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/stream/middleware"
)

// handler answers the requests to the proxy.
type handler struct {
	o        *Options
	upstream *url.URL
	shared   *middleware.Transport
	metrics  metrics
	seen     atomic.Int64 // requests
}

func newHandler(o *Options, upstream *url.URL) *handler {
	o.Rewriting.MaxRequest = o.MaxBody // nothing that is let in is too long to be rewritten
	h := &handler{o: o, upstream: upstream}
	o.Rewriting.OnRewrite = h.rewrite
	h.shared = &middleware.Transport{Base: newUpstreamTransport(o.Wait), Options: o.Rewriting}
	return h
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	inner, log := w, h.o.log.request(h.seen.Add(1))
	answer := newAnswerWriter(w, h.o.times.take, log.broken)
	defer answer.more() // what is left is written behind us
	w = answer
	if !h.o.Public && !loopback.Is(hostOf(r)) {
		refuse(w, http.StatusForbidden, "forbidden_host", fmt.Sprintf("this proxy is for programs on its own machine, not for %q; call it by 127.0.0.1 or localhost, or start it with --public", r.Host))
		return
	}
	if !h.o.Public && loopback.FromPage(r) {
		refuse(w, http.StatusForbidden, "forbidden_origin", fmt.Sprintf("this proxy is for programs on its own machine, not for pages of %q; start it with --public if you mean it", r.Header.Get("Origin")))
		return
	}
	if r.URL.Path == "/metrics" {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		h.metrics.write(w)
		return
	}
	if r.URL.Path == "/healthz" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n")
		return
	}
	defer h.metrics.enter()()
	log.begin(r)
	defer log.end() // also when the answer is aborted
	body := newRequestBody(inner, r, h.o.MaxBody, h.o.times.piece)
	if r.ContentLength > h.o.MaxBody {
		h.fail(w, r, log, body, &http.MaxBytesError{Limit: h.o.MaxBody})
		return
	}
	if r.Body != http.NoBody {
		r.Body = body
	}
	proxy := httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			sendTo(h.upstream, p.Out.URL)
			p.Out.Host = ""
		},
		Transport:     h.shared,
		FlushInterval: -1,
		ErrorLog:      discard,
		ModifyResponse: func(answer *http.Response) error {
			log.answer(answer)
			if answer.StatusCode == http.StatusSwitchingProtocols {
				return nil
			}
			if err := begun(answer); err != nil {
				return err
			}
			answer.Body = &answerBody{answer.Body, r.Context(), log.broken}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) { h.fail(w, r, log, body, err) },
	}
	proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), logKey{}, log)))
}

// discard is for what is told elsewhere.
var discard = log.New(io.Discard, "", 0)

// logKey is the key of a request's log in its context.
type logKey struct{}

// rewrite takes what the middleware reports.
func (h *handler) rewrite(req *http.Request, r middleware.Rewrite) {
	h.metrics.rewrite(r)
	log, _ := req.Context().Value(logKey{}).(*requestLog)
	if log != nil {
		log.rewrite(r)
	}
}

// fail answers a request that has no other answer.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, log *requestLog, body *requestBody, err error) {
	if failed := body.failure(); failed != nil {
		err = failed
	}
	if r.Context().Err() != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return // nobody listens any more
	}
	status, code, message := h.failure(err)
	log.failed(status, message)
	h.metrics.add(1, "callwire_failures_total", "status", strconv.Itoa(status))
	refuse(w, status, code, message)
}

// failure words an error for the client.
func (h *handler) failure(err error) (status int, code, message string) {
	var tooLarge *http.MaxBytesError
	var network net.Error
	var dial *net.OpError
	host := h.upstream.Host
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, "request_too_large",
			fmt.Sprintf("the request has more than %d bytes; send less, or start the proxy with a larger --max-body", tooLarge.Limit)
	case errors.As(err, &dial) && dial.Op == "dial":
		return http.StatusBadGateway, "upstream_unreachable",
			fmt.Sprintf("cannot reach %s: %v; is it running, and is --upstream right?", host, loopback.Cause(err))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout, "request_timeout", "the body of the request did not arrive in time; send it again"
	case errors.As(err, &network) && network.Timeout():
		return http.StatusGatewayTimeout, "upstream_timeout",
			fmt.Sprintf("%s said nothing for %s; wait longer with --wait", host, h.o.Wait)
	}
	return http.StatusBadGateway, "upstream_error", fmt.Sprintf("no answer from %s: %v", host, err)
}

// refuse answers with an error in a shape that the clients of all interfaces
// read.
func refuse(w http.ResponseWriter, status int, code, message string) {
	type detail struct {
		Type    string `json:"type"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(struct {
		Type  string `json:"type"`
		Error detail `json:"error"`
	}{"error", detail{"callwire_proxy", code, "callwire proxy: " + message}})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

// hostOf returns the host by which a request calls the proxy.
func hostOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		return host
	}
	return strings.Trim(r.Host, "[]")
}
