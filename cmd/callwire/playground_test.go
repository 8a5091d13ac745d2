package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestPlayground: the page is served on this machine alone, until it is stopped.
func TestPlayground(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- servePlayground(ctx, write, "127.0.0.1:0") }()
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.Fields(line)[0]
	get := func(host string) (int, string) {
		r, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	if code, page := get(""); code != http.StatusOK || !strings.Contains(page, "The text of the model") {
		t.Errorf("%d %.200s", code, page)
	}
	if code, _ := get("evil.example:80"); code != http.StatusForbidden {
		t.Errorf("another host: %d", code)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
