package middleware

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// after answers the first request like one upstream and the later ones like another. N counts them.
func after(first, second roundTripper) (upstream roundTripper, n *int) {
	n = new(int)
	return func(req *http.Request) (*http.Response, error) {
		if *n++; *n == 1 {
			return first(req)
		}
		return second(req)
	}, n
}

// TestRetryThatFails goes on with the message that there is, and shows the call in it.
func TestRetryThatFails(t *testing.T) {
	request := strings.Replace(weatherRequest, `"name":`, `"lazy":true,"name":`, 1)
	compressed := streaming(strings.NewReader("\x1f\x8b"))
	compressed.Header.Set("Content-Encoding", "gzip")
	for name, second := range map[string]roundTripper{
		"error":        func(*http.Request) (*http.Response, error) { return nil, errors.New("no route") },
		"status":       (&scripted.Model{}).RoundTrip,
		"compressed":   once(compressed),
		"another kind": canned("{}").RoundTrip,
	} {
		for _, said := range []string{broken, load} {
			upstream, n := after(says(said+" and so on").RoundTrip, second)
			got := readChat(t, post(t, upstream, Options{Retries: 1}, chat, request))
			if *n != 2 || !strings.HasPrefix(got.Text, said+"\n<tool-error") || !strings.HasSuffix(got.Text, "</tool-error>\n and so on") || got.Finish != "stop" {
				t.Errorf("%s, %s: after %d requests, %+v", said, name, *n, got)
			}
		}
	}
}

// TestOneAtATime: the request for a message that is sent back has ended before the next one, which
// some servers answer only then. If that fails, the message breaks off where it ended.
func TestOneAtATime(t *testing.T) {
	for want, second := range map[string]roundTripper{
		"Look. Again.": says("Again.").RoundTrip,
		"Look. " + broken + "\n<tool-error…</tool-error>\n blah blah…": (&scripted.Model{}).RoundTrip,
	} {
		body := &failing{Reader: &endless{head: chunksRaw(`"Look. ` + broken + `"`), fill: chunksRaw(`" blah"`)}}
		first := streaming(nil)
		first.Body = body
		upstream, n := after(once(first), func(req *http.Request) (*http.Response, error) {
			if body.closed == 0 {
				t.Error("the first request goes on")
			}
			return second(req)
		})
		resp, err := Middleware(shown(Options{}))(newRequest(chat, weatherRequest), upstream)
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(resp.Body)
		got := readChat(t, string(out))
		isAnswered := got.Finish == "stop"
		if !matches(want, got.Text) || *n != 2 || isAnswered != (err == nil) || !isAnswered && err != io.ErrUnexpectedEOF {
			t.Errorf("%d requests, %v, %.200q", *n, err, got.Text)
		}
	}
}

// TestRefusedRetry: if the upstream refuses to be asked again for a required call, the client gets
// the reason, and if the request has ended, its error.
func TestRefusedRetry(t *testing.T) {
	request := `{"tool_choice":"required",` + weatherRequest[1:]
	whole := strings.Replace(request, `"stream":true`, `"stream":false`, 1)
	for _, body := range []string{request, whole} {
		var cancel func()
		for name, second := range map[string]roundTripper{
			"refused": (&scripted.Model{Replies: []scripted.Reply{{Raw: "slow down", ContentType: "text/plain", Status: 429}}}).RoundTrip,
			"hung": func(*http.Request) (*http.Response, error) {
				cancel()
				return streaming(iotest.ErrReader(io.ErrUnexpectedEOF)), nil
			},
			"ended": func(req *http.Request) (*http.Response, error) {
				cancel()
				if key := req.Header.Get("Idempotency-Key"); key != "k-again" {
					t.Errorf("the key is %q", key)
				}
				return nil, req.Context().Err()
			},
		} {
			var ctx context.Context
			ctx, cancel = context.WithCancel(context.Background())
			defer cancel()
			upstream, n := after(says("Look. "+broken).RoundTrip, second)
			req := newRequest(chat, body).WithContext(ctx)
			req.Header.Set("Idempotency-Key", "k")
			resp, err := (&Transport{Base: upstream}).RoundTrip(req)
			var out []byte
			status := 0
			if err == nil {
				status = resp.StatusCode
				out, err = io.ReadAll(resp.Body)
			}
			isRight := err == context.Canceled && !strings.Contains(string(out), "stop")
			switch {
			case name == "refused" && body == whole:
				isRight = status == 429 && string(out) == "slow down"
			case name == "refused":
				isRight = strings.Contains(string(out), "429") && strings.Contains(fmt.Sprint(err), callMissing)
			}
			if !isRight || *n != 2 {
				t.Errorf("%s: %d requests, status %d, %v, %s", name, *n, status, err, out)
			}
		}
	}
}

// TestContinuedResponse: a conversation that the upstream stores goes on after the message that
// corrects another. One that it adds to has the input and the message already.
func TestContinuedResponse(t *testing.T) {
	m := says(broken, rome, "Warm.")
	transport := &Transport{Base: m}
	request, ids := weatherRequestR, []string{}
	for range 2 {
		resp, err := transport.RoundTrip(newRequest("/responses", request))
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(resp.Body)
		for _, e := range eventsOf(t, string(out)) {
			if id := e.tree("response").text("id"); id != "" {
				ids = append(ids, id)
			}
		}
		request = `{"previous_response_id":"` + ids[0] + `",` + weatherRequestR[1:]
	}
	sent := string(m.Requests()[2].Body)
	if strings.Contains(sent, ids[0]) || !strings.Contains(sent, `"previous_response_id":"resp`) {
		t.Errorf("after %q: %s", ids, sent)
	}
}
