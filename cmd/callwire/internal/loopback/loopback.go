// Package loopback reports whether hosts and requests belong to this machine.
//
//	if loopback.FromPage(r) {
//		http.Error(w, "not for web pages", http.StatusForbidden)
//	}
package loopback

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Is reports whether a host is this machine, reachable from nowhere else.
func Is(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// FromPage reports whether a request comes from a page that isn't on this machine: a
// web page, a file or an extension of the browser. Pages can send requests to programs
// on this machine, and would spend its keys.
func FromPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return true
	}
	return !Is(u.Hostname())
}
