package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
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

var advice = map[Code]string{
	Unreachable:  "the endpoint cannot be reached; is the --base-url right, and does it run?",
	Unauthorized: "the endpoint does not accept the key; name its variable with --key-env",
	NotFound:     "the endpoint has no such path or model; --base-url usually ends in /v1",
	NotAPI:       "the endpoint does not answer like this API; are --base-url and --api right?",
	Refused:      "the endpoint refuses the request",
	Limited: "the endpoint had too many requests; continue later, or with less " +
		"--concurrency",
	Failing:    "the endpoint fails",
	Broken:     "the answer broke off",
	Slow:       "the endpoint takes too long to answer; see --wait",
	OverBudget: "the budget is used up",
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
	var resolve *net.DNSError
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &Error{Code: Slow}
	}
	e := &Error{Code: Broken, Detail: loopback.Cause(err).Error()}
	isUnreachable := errors.As(err, &resolve) || errors.Is(err, syscall.ECONNREFUSED)
	for _, sign := range []string{"tls: ", "x509: ", "HTTP response to HTTPS client"} {
		isUnreachable = isUnreachable || strings.Contains(err.Error(), sign)
	}
	if isUnreachable {
		e.Code = Unreachable
	}
	return e
}

// byStatus has the codes of statuses that are not those of their hundred.
var byStatus = map[int]Code{401: Unauthorized, 403: Unauthorized, 404: NotFound, 405: NotFound,
	408: Failing, 409: Failing, 429: Limited}

// statusError returns the meaning of an error status.
func statusError(r *http.Response, body []byte) *Error {
	e := &Error{Code: byStatus[r.StatusCode], Status: r.StatusCode, Detail: messageOf(body)}
	e.wait = retryAfter(r.Header.Get("Retry-After"))
	switch {
	case e.Code != "":
	case e.Status >= 500:
		e.Code = Failing
	case e.Status < 400:
		e.Code = NotAPI
	default:
		e.Code = Refused
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
