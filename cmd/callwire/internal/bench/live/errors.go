package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// Code is the kind of an error of an endpoint.
type Code string

// The codes.
const (
	Unreachable  Code = "unreachable"  // the connection failed
	Unauthorized Code = "unauthorized" // the key is missing or wrong
	NotFound     Code = "not-found"    // no such path, or no such model
	NotAPI       Code = "not-api"      // a page for people, a redirect, or another API
	Refused      Code = "refused"      // the request cannot be answered
	Limited      Code = "rate-limited" // too many requests
	Failing      Code = "failing"      // the endpoint fails
	Broken       Code = "broken"       // the answer broke off
	Slow         Code = "slow"         // the answer took too long
	OverBudget   Code = "over-budget"  // the request was not sent: it could exceed the budget
)

// Error is why a request has no answer.
type Error struct {
	Code   Code
	Status int    // of HTTP, or 0
	Detail string // what came, in a few words

	wait error // of package backoff: when to try again
}

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

// Unwrap returns when to try again, if the endpoint sent a time.
func (e *Error) Unwrap() error { return e.wait }

// fatal reports whether every other request would end the same way.
func (e *Error) fatal() bool {
	switch e.Code {
	case Unreachable, Unauthorized, NotFound, NotAPI:
		return true
	}
	return false
}

// passing reports whether the same request may be answered later.
func (e *Error) passing() bool {
	switch e.Code {
	case Limited, Failing, Broken, Slow:
		return true
	}
	return false
}

// dialError returns why a request was not answered.
func dialError(err error) *Error {
	var timeout net.Error
	inner := err
	for next := err; next != nil; next = errors.Unwrap(next) {
		inner = next // the outer ones repeat the URL
	}
	e := &Error{Code: Broken, Detail: inner.Error()}
	var resolve *net.DNSError
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return &Error{Code: Slow}
	case errors.As(err, &resolve), errors.Is(err, syscall.ECONNREFUSED):
		e.Code = Unreachable
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "x509: "),
		strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		e.Code = Unreachable
	}
	return e
}

// statusError returns the meaning of an error status.
func statusError(status int, body []byte) *Error {
	e := &Error{Code: Refused, Status: status, Detail: messageOf(body)}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Code = Unauthorized
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		e.Code = NotFound
	case http.StatusTooManyRequests:
		e.Code = Limited
	case http.StatusRequestTimeout, http.StatusConflict:
		e.Code = Failing
	}
	if status >= 500 {
		e.Code = Failing
	} else if status < 400 {
		e.Code = NotAPI
	}
	return e
}

// notAPI is the error of an answer that cannot be read.
func notAPI(data []byte) *Error { return &Error{Code: NotAPI, Detail: messageOf(data)} }

// messageOf returns the message of an error, in one line.
func messageOf(body []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return "a page for people"
	}
	var said struct{ Error, Message, Detail json.RawMessage }
	text := string(body)
	if json.Unmarshal(body, &said) == nil {
		text = ""
	}
	for _, member := range []json.RawMessage{said.Detail, said.Message, said.Error} {
		var inner struct{ Message string }
		var plain string
		if json.Unmarshal(member, &inner) == nil && inner.Message != "" {
			text = inner.Message
		} else if json.Unmarshal(member, &plain) == nil && plain != "" {
			text = plain
		}
	}
	words := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
	return fmt.Sprintf("%.200s", strings.Join(words, " "))
}
