package live

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/internal/rawjson"
)

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
	switch status := e.Status; {
	case status < 400:
		e.Code = NotAPI
	case status == 401 || status == 403:
		e.Code = Unauthorized
	case status == 404 || status == 405:
		e.Code = NotFound
	case status == 429:
		e.Code = Limited
	case status >= 500 || status == 408 || status == 409:
		e.Code = Failing
	}
	seconds, err := strconv.ParseFloat(r.Header.Get("Retry-After"), 64)
	if err == nil {
		wait := time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
		e.wait = max(wait, 1) // 0 would mean that the endpoint names none
	}
	return e
}

// messageOf returns the message of an error, in one line.
func messageOf(body []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return "a page for people"
	}
	text := string(body)
	if rawjson.Valid(body) {
		o := rawjson.ParseObject(body)
		text = cmp.Or(o.Object("error").Text("message"), o.Text("error"), o.Text("message"),
			o.Text("detail"))
	}
	words := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
	return fmt.Sprintf("%.200s", strings.Join(words, " "))
}
