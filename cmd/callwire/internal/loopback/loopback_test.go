package loopback

import (
	"net/http"
	"testing"
)

// TestFromPage: only pages of this machine may send requests.
func TestFromPage(t *testing.T) {
	for origin, want := range map[string]bool{
		"": false, "http://localhost:3000": false, "https://127.0.0.1": false, "http://[::1]:80": false,
		"https://evil.example": true, "http://localhost.evil.example": true, "null": true, "file://": true,
		"chrome-extension://abc": true, "//evil.com": true, "://": true,
	} {
		r := &http.Request{Header: http.Header{}}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if got := FromPage(r); got != want {
			t.Errorf("%q: %t", origin, got)
		}
	}
}
