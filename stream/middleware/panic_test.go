package middleware

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A callback that panics ends the body: whoever recovers and reads on gets an error, each
// time, and nothing of a message of which a part is missing.
func TestPanicInCallback(t *testing.T) {
	for _, stage := range []Stage{Call, Malformed} {
		for _, text := range []string{"one <call>getWeather location=x</call> two", "one <call>getWeather location=</call>=</call> <call>getWeather =</call> two"} {
			for _, streams := range []bool{true, false} {
				opts := Options{OnRewrite: func(r Rewrite) {
					if r.Stage == stage {
						panic("a mistake")
					}
				}}
				request, reply := weatherRequest, chunksRaw(`"`+text+`"`)
				if !streams {
					request = strings.Replace(request, `"stream":true`, `"stream":false`, 1)
					reply = `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + text + `"},"finish_reason":"stop"}]}`
				}
				client, url := serve(t, opts, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", map[bool]string{true: "text/event-stream", false: "application/json"}[streams])
					io.WriteString(w, reply)
				})
				resp, err := client.Post(url, "application/json", strings.NewReader(request))
				if err != nil {
					t.Fatal(err)
				}
				panicked := false
				for reads := 0; err == nil && !panicked; reads++ {
					func() {
						defer func() { panicked = recover() != nil }()
						_, err = resp.Body.Read(make([]byte, 4096))
					}()
				}
				if !panicked {
					continue // this text has nothing for this stage
				}
				for range 2 {
					n, err := resp.Body.Read(make([]byte, 4096))
					if e := (*Error)(nil); n != 0 || !errors.As(err, &e) || e.Code != Interrupted {
						t.Errorf("%s, streams %v: after the panic %d bytes and %v", stage, streams, n, err)
					}
				}
				if err := resp.Body.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
