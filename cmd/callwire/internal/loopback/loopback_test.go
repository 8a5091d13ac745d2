package loopback

import (
	"net"
	"net/url"
	"testing"
)

// TestSelf: a listener is known by every name.
func TestSelf(t *testing.T) {
	for _, c := range []struct {
		listener, upstream string
		want               bool
	}{
		{"127.0.0.1:8787", "http://127.0.0.1:8787", true}, {"127.0.0.1:8787", "http://localhost:8787/v1", true},
		{"127.0.0.1:8787", "http://0.0.0.0:8787", true}, {"0.0.0.0:8787", "http://127.0.0.1:8787", true},
		{"[::1]:8787", "http://[::1]:8787", true}, {"127.0.0.1:80", "http://localhost", true},
		{"127.0.0.1:8787", "http://localhost:8788", false}, {"127.0.0.1:8787", "http://192.0.2.1:8787", false},
	} {
		listener, err := net.ResolveTCPAddr("tcp", c.listener)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(c.upstream)
		if err != nil {
			t.Fatal(err)
		}
		if got := IsSelf(listener, u); got != c.want {
			t.Errorf("%s at %s: %v", c.upstream, c.listener, got)
		}
	}
}
