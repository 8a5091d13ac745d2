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

// Code is what is wrong with an endpoint.
type Code string

// The codes.
const (
	Unreachable  Code = "unreachable"  // there is no connection
	Unauthorized Code = "unauthorized" // the key is missing or wrong
	NotFound     Code = "not-found"    // no such path, or no such model
	NotAPI       Code = "not-api"      // a page for people, a redirect, or another API
	Refused      Code = "refused"      // the request cannot be answered
	Limited      Code = "rate-limited" // too many requests
	Failing      Code = "failing"      // the endpoint fails
	Broken       Code = "broken"       // the answer broke off
	Slow         Code = "slow"         // it was silent for too long
	OverBudget   Code = "over-budget"  // the request was not sent: it could exceed the budget
)

// Error is the reason why there is no answer.
type Error struct {
	Code   Code
	Status int    // of HTTP, or 0
	Detail string // what came, in a few words

	wait error // of package backoff: when to try again
}

var advice = map[Code]string{
	Unreachable:  "the endpoint cannot be reached; is the --base-url right, and does it run?",
	Unauthorized: "the endpoint does not accept the key; name the variable that holds it with --key-env",
	NotFound:     "the endpoint has no such path or model; --base-url usually ends in /v1, and --model is a name that it lists",
	NotAPI:       "the endpoint does not answer like this API; are --base-url and --api right?",
	Refused:      "the endpoint refuses the request",
	Limited:      "the endpoint had too many requests; use a smaller --concurrency, or continue later",
	Failing:      "the endpoint fails",
	Broken:       "the answer broke off",
	Slow:         "the endpoint was silent for too long",
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

// Unwrap returns when to try again, if the endpoint said so.
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
	var resolve *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &resolve):
		return &Error{Code: Unreachable, Detail: "there is no host " + resolve.Name}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Error{Code: Unreachable, Detail: "connection refused"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &Error{Code: Slow}
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "x509: "),
		strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return &Error{Code: Unreachable, Detail: root(err).Error()}
	}
	return &Error{Code: Broken, Detail: root(err).Error()}
}

// root returns the innermost error; those around it repeat URLs.
func root(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

// statusError returns the meaning of an error status.
func statusError(status int, body []byte) *Error {
	e := &Error{Code: Refused, Status: status, Detail: messageOf(body)}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Code = Unauthorized
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		e.Code = NotFound
	case status >= 300 && status < 400:
		e.Code = NotAPI
	case status == http.StatusTooManyRequests:
		e.Code = Limited
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status >= 500:
		e.Code = Failing
	}
	return e
}

// notAPI is the error of an answer that is not JSON.
func notAPI(data []byte) *Error {
	if detail := messageOf(data); detail != "" {
		return &Error{Code: NotAPI, Detail: detail}
	}
	return &Error{Code: NotAPI, Detail: excerpt(string(data))}
}

// messageOf returns the message in the body of an error, or "".
func messageOf(body []byte) string {
	if head := bytes.ToLower(bytes.TrimSpace(body)); bytes.HasPrefix(head, []byte("<!doctype")) || bytes.HasPrefix(head, []byte("<html")) {
		return "a page for people"
	}
	var said struct{ Error, Message, Detail json.RawMessage }
	if json.Unmarshal(body, &said) != nil {
		return excerpt(string(body))
	}
	for _, member := range []json.RawMessage{said.Error, said.Message, said.Detail} {
		var inner struct{ Message string }
		var text string
		if json.Unmarshal(member, &inner) == nil && inner.Message != "" {
			return excerpt(inner.Message)
		}
		if json.Unmarshal(member, &text) == nil && text != "" {
			return excerpt(text)
		}
	}
	return ""
}

// excerpt returns the beginning of a text in one line.
func excerpt(text string) string {
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "))
	if len(runes) <= 200 {
		return string(runes)
	}
	return string(runes[:200]) + "…"
}

// The shortest pieces of secrets that are hidden: shorter ones are words that anyone writes.
const (
	pieceOfKey    = 6
	pieceOfPrompt = 24
)

// hide replaces every piece of a secret in text that is at least least bytes long.
func hide(text, secret string, least int) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 0
		for end := i + least; end <= len(text) && strings.Contains(secret, text[i:end]); end++ {
			n = end - i
		}
		if n == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString("•••")
		i += n
	}
	return strings.ToValidUTF8(b.String(), "")
}
