package middleware

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestConcurrentStreams reads a thousand streams at once through one Transport,
// all of them in the middle before any goes on. Each gets its own calls.
func TestConcurrentStreams(t *testing.T) {
	const streams = 1000
	var begun, done sync.WaitGroup
	begun.Add(streams)
	transport := &Transport{Options: shown(Options{Retries: 1}), Base: roundTripper(func(req *http.Request) (*http.Response, error) {
		io.Copy(io.Discard, req.Body)
		n := req.Header.Get("N")
		id := strings.NewReplacer("chatcmpl-7", "chatcmpl-"+n, "msg_01", "msg_"+n)
		text := []string{"Stream " + n, ": <call>getWeather loca", "tion=" + n + "</call>", broken}
		stream := chunks("stop", text...)
		if strings.HasSuffix(req.URL.Path, messages) {
			stream = events("end_turn", text)
		}
		stream = id.Replace(stream)
		half := len(stream) / 2
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(io.MultiReader(
			&cutReader{data: []byte(stream[:half]), cuts: []byte{7, 90}}, &gate{&begun}, &cutReader{data: []byte(stream[half:])}))}, nil
	})}
	var ids sync.Map
	for n := range streams {
		done.Add(1)
		go func() {
			defer done.Done()
			path, request := chat, weatherRequest
			if n%2 == 1 {
				path, request = messages, weatherRequestA
			}
			if n%10 == 3 { // its own tools
				request = strings.Replace(request, "Get the weather", fmt.Sprint("Get the weather ", n), 1)
			}
			req, _ := http.NewRequest("POST", "http://upstream.test/v1"+path, strings.NewReader(request))
			req.Header.Set("N", fmt.Sprint(n))
			resp, err := transport.RoundTrip(req)
			if err != nil {
				t.Error(err)
				begun.Done()
				return
			}
			out, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Error(err)
			}
			resp.Body.Close()
			want := fmt.Sprintf(`{"location":"%d"}`, n)
			var text, input, id string
			if path == chat {
				r := readChat(t, string(out))
				if len(r.Calls) != 1 {
					t.Errorf("%d: %+v", n, r)
					return
				}
				text, input, id = r.Text, r.Calls[0].Arguments, r.Calls[0].ID
			} else {
				r := readMessage(t, string(out))
				if len(r.Blocks) != 3 {
					t.Errorf("%d: %+v", n, r)
					return
				}
				text, input, id = r.Blocks[0].Text, r.Blocks[1].Input, r.Blocks[1].ID
			}
			if !strings.HasPrefix(text, fmt.Sprintf("Stream %d: ", n)) || input != want {
				t.Errorf("%d: %q, %q", n, text, input)
			}
			if other, taken := ids.LoadOrStore(id, n); taken {
				t.Errorf("%d and %v have the id %s", n, other, id)
			}
		}()
	}
	done.Wait()
}

// gate is a reader that waits for all others, and is empty.
type gate struct{ all *sync.WaitGroup }

func (g *gate) Read([]byte) (int, error) {
	if g.all != nil {
		g.all.Done()
		g.all.Wait()
		g.all = nil
	}
	return 0, io.EOF
}

// TestCloseDuringRead: another goroutine may close the body while one reads, also
// while a message is sent back. The retry then ends with it.
func TestCloseDuringRead(t *testing.T) {
	for range 50 {
		reached := make(chan struct{})
		n := 0
		do := Middleware(shown(Options{Retries: 1}))
		resp, err := do(mustRequest(weatherRequest), func(req *http.Request) (*http.Response, error) {
			if n++; n == 1 {
				return streaming(strings.NewReader(chunks("stop", broken))), nil
			}
			close(reached)
			<-req.Context().Done()
			return nil, req.Context().Err()
		})
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan struct{})
		go func() {
			io.ReadAll(resp.Body)
			close(read)
		}()
		<-reached
		resp.Body.Close()
		<-read
	}
}
