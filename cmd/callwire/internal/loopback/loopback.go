// Package loopback knows what belongs to this machine alone: its own addresses, and who
// asks from there.
package loopback

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Is reports whether a host is this one, seen from nowhere else.
func Is(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// FromPage reports whether a request comes from a web page of somewhere else: pages
// can send requests to programs on this machine, and would spend its keys.
func FromPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	if err != nil || origin == "null" {
		return true
	}
	return (u.Scheme == "http" || u.Scheme == "https") && !Is(u.Hostname())
}

// IsSelf reports whether a URL leads to a listener, by whatever name.
func IsSelf(listener net.Addr, u *url.URL) bool {
	own, err := netip.ParseAddrPort(listener.String())
	if err != nil {
		return false
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n != int(own.Port()) {
		return false
	}
	ips, err := net.LookupIP(u.Hostname())
	if err != nil {
		return false // who does not exist is told of with the first request
	}
	locals, _ := net.InterfaceAddrs()
	for _, ip := range ips {
		if ip.IsUnspecified() || ip.Equal(own.Addr().AsSlice()) {
			return true
		}
		for _, local := range locals {
			if n, ok := local.(*net.IPNet); ok && own.Addr().IsUnspecified() && n.IP.Equal(ip) {
				return true
			}
		}
	}
	return false
}

// Cause returns the error at the bottom: what is above it repeats addresses.
func Cause(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}
