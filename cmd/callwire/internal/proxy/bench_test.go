package proxy

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The benchmarks compare a proxy with a plain reverse proxy. Each runs in a process of its
// own, so that the program and the model on either side of it are not measured.

// servedVariable names the kind of proxy that the process is to be, and its upstream.
const servedVariable = "CALLWIRE_BENCH_PROXY"

func TestMain(m *testing.M) {
	kind, upstream, isServed := strings.Cut(os.Getenv(servedVariable), " ")
	if !isServed {
		os.Exit(m.Run())
	}
	o := Default()
	o.Upstream = upstream
	h, err := newHandler(&o)
	if err != nil {
		panic(err)
	}
	var handler http.Handler = h
	if kind == "plain" {
		plain := httputil.NewSingleHostReverseProxy(h.upstream)
		plain.FlushInterval = -1
		plain.ErrorLog = log.New(io.Discard, "", 0)
		handler = plain
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("/taken", func(w http.ResponseWriter, _ *http.Request) {
		memory, cpu := taken()
		fmt.Fprintln(w, memory, cpu)
	})
	fmt.Println(httptest.NewServer(mux).URL)
	select {}
}

// taken returns what this process takes: memory in use in bytes, and CPU time in nanoseconds.
func taken() (memory, cpu int64) {
	runtime.GC()
	runtime.GC() // for what pools hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return int64(m.HeapAlloc + m.StackInuse), used.Utime.Nano() + used.Stime.Nano()
}

// served is the URL of a proxy in a process of its own.
type served string

// serve starts a proxy of a kind. Its upstream sends the same event again and again: the first at
// once, and each other one for a value in next.
func serve(b *testing.B, kind, text string, next chan struct{}) served {
	b.Helper()
	event := `data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,` +
		`"model":"m-1","choices":[{"index":0,"delta":{"content":"` + text + `"},"logprobs":null,"finish_reason":null}]}` + "\n\n"
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(5 * time.Millisecond) // before that, the proxy may still hold the request
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			io.WriteString(w, event)
			w.(http.Flusher).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
	}))
	b.Cleanup(upstream.Close)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), servedVariable+"="+kind+" "+upstream.URL)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return served(strings.TrimSpace(address))
}

// taken returns what the process takes now.
func (s served) taken(b *testing.B) (memory, cpu int64) {
	b.Helper()
	answer, err := http.Get(string(s) + "/taken")
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := fmt.Fscan(answer.Body, &memory, &cpu); err != nil {
		b.Fatal(err)
	}
	return memory, cpu
}

// open sends a request for a stream, and returns its events after the first one.
func (s served) open(b *testing.B) *bufio.Scanner {
	b.Helper()
	answer, err := http.Post(string(s)+"/v1/chat/completions", "application/json", strings.NewReader(withTools))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { answer.Body.Close() })
	events := bufio.NewScanner(answer.Body)
	readEvent(b, events)
	return events
}

// readEvent reads an event and the blank line after it.
func readEvent(b *testing.B, events *bufio.Scanner) {
	b.Helper()
	for range 2 {
		if !events.Scan() {
			b.Fatal(events.Err())
		}
	}
}

var proxyKinds = []string{"plain", "callwire"}

// BenchmarkIdle measures the memory of a stream that waits for its next event.
func BenchmarkIdle(b *testing.B) {
	const streams = 300
	for _, kind := range proxyKinds {
		b.Run(kind, func(b *testing.B) {
			s := serve(b, kind, "Let me look.", nil)
			s.open(b)
			before, _ := s.taken(b)
			for b.Loop() {
				for range streams {
					s.open(b)
				}
			}
			after, _ := s.taken(b)
			b.ReportMetric(float64(after-before)/float64(streams*b.N)/1024, "KB/stream")
		})
	}
}

// BenchmarkEvent measures the CPU time of an event, with plain text and with markup.
func BenchmarkEvent(b *testing.B) {
	for name, text := range map[string]string{"text": " some words", "markup": " <b>some</b> words"} {
		for _, kind := range proxyKinds {
			b.Run(name+"/"+kind, func(b *testing.B) {
				next := make(chan struct{})
				s := serve(b, kind, text, next)
				events := s.open(b)
				_, before := s.taken(b)
				for b.Loop() {
					next <- struct{}{}
					readEvent(b, events)
				}
				_, after := s.taken(b)
				b.ReportMetric(float64(after-before)/float64(b.N), "cpu-ns/event")
			})
		}
	}
}
