// Package proxytest has what tests of a proxy need: an upstream, a request, and a log.
package proxytest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Log is a buffer that a test reads while others write.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends p.
func (s *Log) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String returns what was written.
func (s *Log) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// Upstream starts a server that a test ends.
func Upstream(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// Post sends a body and returns the answer and what was read of it.
func Post(t *testing.T, url, body string) (*http.Response, string, error) {
	t.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return answer, string(read), err
}
