package middleware

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestConcurrentStreams reads a thousand streams at once through one Transport, all of them in
// the middle before any goes on. Each gets its own calls.
func TestConcurrentStreams(t *testing.T) {
	const streams = 1000
	var begun, done sync.WaitGroup
	begun.Add(streams)
	transport := &Transport{Options: shown(Options{Retries: 1}), Base: roundTripper(func(req *http.Request) (*http.Response, error) {
		io.Copy(io.Discard, req.Body)
		n := req.Header.Get("N")
		stream := written(req.URL.Path, `{"stream":true}`, "Stream "+n+": <call>getWeather location="+n+"</call>"+broken)
		stream = strings.ReplaceAll(stream, "scripted1", n)
		half := len(stream) / 2
		return streaming(io.MultiReader(&cutReader{data: []byte(stream[:half]), cuts: []byte{7, 90}}, &gate{&begun}, strings.NewReader(stream[half:]))), nil
	})}
	var ids sync.Map
	for n := range streams {
		done.Go(func() {
			path := []string{chat, messages}[n%2]
			request := liveRequests[path]
			if n%10 == 3 { // its own tools
				request = strings.Replace(request, "Get the weather", fmt.Sprint("Get the weather ", n), 1)
			}
			req := newRequest(path, request)
			req.Header.Set("N", fmt.Sprint(n))
			resp, err := transport.RoundTrip(req)
			if err != nil {
				t.Error(err)
				begun.Done()
				return
			}
			out, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			r := readReply(t, path, string(out))
			if err != nil || len(r.Calls) != 1 || !strings.HasPrefix(r.Text, fmt.Sprintf("Stream %d: ", n)) || r.Calls[0].Arguments != fmt.Sprintf(`{"location":"%d"}`, n) {
				t.Errorf("%d: %v, %+v", n, err, r)
				return
			}
			if other, taken := ids.LoadOrStore(r.Calls[0].ID, n); taken {
				t.Errorf("%d and %v have the id %s", n, other, r.Calls[0].ID)
			}
		})
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
		resp, err := do(newRequest(chat, weatherRequest), func(req *http.Request) (*http.Response, error) {
			if n++; n == 1 {
				return says(broken).RoundTrip(req)
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
