package endpoint

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"unicode/utf8"
)

// Code names what is wrong with an endpoint.
type Code string

// The codes.
const (
	Unreachable  Code = "unreachable"  // nobody answers
	TLS          Code = "tls"          // the connection is not secure
	Unauthorized Code = "unauthorized" // the key is missing or wrong
	NotFound     Code = "not-found"    // no such path, or no such model
	HTML         Code = "html"         // a page for people
	NotJSON      Code = "not-json"     // no JSON, or no answer of this API
	Redirect     Code = "redirect"     // another URL
	Refused      Code = "refused"      // the request cannot be answered
	Limited      Code = "rate-limited" // too many requests
	Failing      Code = "failing"      // the endpoint fails
	Broken       Code = "broken"       // the answer broke off
	Slow         Code = "slow"         // it said nothing for too long
	OverBudget   Code = "over-budget"  // the request was not sent: it could pass the budget
)

// Error says why there is no answer.
type Error struct {
	Code   Code
	Status int    // of HTTP, where there was one
	Detail string // what came, in a few words

	wait error // of package backoff: when to try again
}

// Error says in one line what is wrong and what to do.
func (e *Error) Error() string {
	say := map[Code]string{
		Unreachable:  "the endpoint cannot be reached; is the --base-url right, and does it run?",
		TLS:          "the connection to the endpoint is not secure; is the --base-url right?",
		Unauthorized: "the endpoint does not accept the key; name the variable that holds it by --key-env",
		NotFound:     "the endpoint has no such path or model; --base-url usually ends in /v1, and --model is a name that it lists",
		HTML:         "the endpoint answers with a page for people, not with JSON; is the --base-url that of the API?",
		NotJSON:      "the endpoint answers with something else than this API does; is --api right?",
		Redirect:     "the endpoint is elsewhere; give that URL as --base-url",
		Refused:      "the endpoint refuses the request",
		Limited:      "the endpoint has had too many requests; use a smaller --concurrency, or go on later",
		Failing:      "the endpoint fails",
		Broken:       "the answer broke off",
		Slow:         "the endpoint said nothing for too long",
		OverBudget:   "the budget is used up",
	}[e.Code]
	if e.Status != 0 {
		say += fmt.Sprintf(" (%d %s)", e.Status, http.StatusText(e.Status))
	}
	if e.Detail != "" {
		say += ": " + e.Detail
	}
	return say
}

// Unwrap returns when to try again, if the endpoint said so.
func (e *Error) Unwrap() error { return e.wait }

// Fatal reports whether every other request would end the same way.
func (e *Error) Fatal() bool {
	switch e.Code {
	case Unreachable, TLS, Unauthorized, NotFound, HTML, NotJSON, Redirect:
		return true
	}
	return false
}

// passing reports whether another try may succeed.
func (e *Error) passing() bool {
	switch e.Code {
	case Limited, Failing, Broken, Slow:
		return true
	}
	return false
}

// dialError returns what kept a request from being answered.
func dialError(err error) *Error {
	var (
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		record    tls.RecordHeaderError
		resolve   *net.DNSError
		timeout   net.Error
	)
	switch {
	case errors.As(err, &record):
		return &Error{Code: TLS, Detail: "it does not speak TLS; should the URL begin with http://?"}
	case errors.As(err, &verify), errors.As(err, &authority), errors.As(err, &host):
		return &Error{Code: TLS, Detail: root(err).Error()}
	case errors.As(err, &resolve):
		return &Error{Code: Unreachable, Detail: "there is no host " + resolve.Name}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Error{Code: Unreachable, Detail: "connection refused"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &Error{Code: Slow}
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return &Error{Code: TLS, Detail: "it does not speak TLS; should the URL begin with http://?"}
	}
	return &Error{Code: Broken, Detail: root(err).Error()}
}

// root returns the innermost error: what is around it repeats URLs.
func root(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

// statusError returns what an answer with an error status means.
func statusError(status int, body []byte) *Error {
	e := &Error{Status: status, Detail: messageOf(body)}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Code = Unauthorized
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		e.Code = NotFound
	case status >= 300 && status < 400:
		e.Code = Redirect
	case status == http.StatusTooManyRequests:
		e.Code = Limited
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status >= 500:
		e.Code = Failing
	default:
		e.Code = Refused
	}
	return e
}

// notJSON returns what it means that data is no JSON of the API.
func notJSON(data []byte) *Error {
	if isHTML(data) {
		return &Error{Code: HTML}
	}
	return &Error{Code: NotJSON, Detail: excerpt(string(data))}
}

func isHTML(data []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 512)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// messageOf returns what the body of an error says, in the members where APIs say
// it, or nothing.
func messageOf(body []byte) string {
	if isHTML(body) {
		return "a page for people"
	}
	var said struct {
		Error   json.RawMessage
		Message string
		Detail  json.RawMessage
	}
	if json.Unmarshal(body, &said) != nil {
		return excerpt(string(body))
	}
	var inner struct{ Message string }
	var text string
	switch {
	case json.Unmarshal(said.Error, &inner) == nil && inner.Message != "":
		return excerpt(inner.Message)
	case json.Unmarshal(said.Error, &text) == nil && text != "":
		return excerpt(text)
	case said.Message != "":
		return excerpt(said.Message)
	case json.Unmarshal(said.Detail, &text) == nil:
		return excerpt(text)
	}
	return ""
}

// excerpt returns the beginning of a text in one line.
func excerpt(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= most {
		return text
	}
	cut := most
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
