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

// Error is why a request has no answer.
type Error struct {
	Code   Code
	Status int    // of HTTP, or 0
	Detail string // what came, in a few words

	wait time.Duration // until the endpoint wants to be asked again, if it names a time
}

// meanings describes each code.
var meanings = map[Code]struct {
	advice  string
	fatal   bool // every other request would end the same way
	passing bool // the same request may be answered later
}{
	Unreachable: {advice: "the endpoint cannot be reached; is the --base-url right, " +
		"and does it run?", fatal: true},
	Unauthorized: {advice: "the endpoint does not accept the key; " +
		"name its variable with --key-env", fatal: true},
	NotFound: {advice: "the endpoint has no such path or model; " +
		"--base-url usually ends in /v1", fatal: true},
	NotAPI: {advice: "the endpoint does not answer like this API; " +
		"are --base-url and --api right?", fatal: true},
	Refused: {advice: "the endpoint refuses the request"},
	Limited: {advice: "the endpoint had too many requests; " +
		"continue later, or with less --concurrency", passing: true},
	Failing:    {advice: "the endpoint fails", passing: true},
	Broken:     {advice: "the answer broke off", passing: true},
	Slow:       {advice: "the endpoint takes too long to answer; see --wait", passing: true},
	OverBudget: {advice: "the budget is used up"},
}

// Error describes the error and what to do about it in one line.
func (e *Error) Error() string {
	text := meanings[e.Code].advice
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
