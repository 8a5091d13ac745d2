package live

import (
	"bytes"
	"encoding/json"
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
	e.wait = retryAfter(r.Header.Get("Retry-After"))
	switch {
	case e.Status == 401 || e.Status == 403:
		e.Code = Unauthorized
	case e.Status == 404 || e.Status == 405:
		e.Code = NotFound
	case e.Status == 429:
		e.Code = Limited
	case e.Status >= 500 || e.Status == 408 || e.Status == 409:
		e.Code = Failing
	case e.Status < 400:
		e.Code = NotAPI
	}
	return e
}

// messageOf returns the message of an error, in one line.
func messageOf(body []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return "a page for people"
	}
	var read struct{ Error, Message, Detail any }
	text := string(body)
	if json.Unmarshal(body, &read) == nil {
		text = ""
	}
	for _, member := range []any{read.Detail, read.Message, read.Error} {
		if inner, ok := member.(map[string]any); ok {
			member = inner["message"]
		}
		if s, ok := member.(string); ok && s != "" {
			text = s
		}
	}
	words := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
	return fmt.Sprintf("%.200s", strings.Join(words, " "))
}

// retryAfter returns the time of a Retry-After header, in seconds or as a date; 0 if there is none.
func retryAfter(value string) time.Duration {
	var wait time.Duration
	seconds, err := strconv.ParseFloat(value, 64)
	if date, dateErr := http.ParseTime(value); dateErr == nil {
		wait = time.Until(date)
	} else if err == nil {
		wait = time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	} else {
		return 0
	}
	return min(max(wait, 1), longestWait) // 0 would mean that there is none
}
