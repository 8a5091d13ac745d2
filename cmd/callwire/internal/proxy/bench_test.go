package proxy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
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

// servedVariable names the kind of proxy that the process is to be.
const servedVariable = "CALLWIRE_BENCH_PROXY"

// weightPath is where such a process reports what it takes.
const weightPath = "/weight"

func TestMain(m *testing.M) {
	kind, upstream, served := strings.Cut(os.Getenv(servedVariable), " ")
	if !served {
		os.Exit(m.Run())
	}
	err := serveBench(kind, upstream)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// A weight is what a process takes.
type weight struct {
	Memory int64 // bytes in use
	CPU    time.Duration
}

// serveBench serves a proxy, and prints its address first.
func serveBench(kind, upstream string) error {
	o := Default()
	o.Upstream = upstream
	h, err := newHandler(&o)
	if err != nil {
		return err
	}
	var handler http.Handler = h
	if kind == "plain" {
		target, err := url.Parse(upstream)
		if err != nil {
			return err
		}
		plain := httputil.NewSingleHostReverseProxy(target)
		plain.FlushInterval = -1
		plain.ErrorLog = log.New(io.Discard, "", 0)
		handler = plain
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc(weightPath, func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(weigh())
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return http.Serve(listener, mux)
}

// weigh returns what this process takes.
func weigh() weight {
	runtime.GC()
	runtime.GC() // for what pools hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return weight{int64(m.HeapAlloc + m.StackInuse), time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

// A served proxy runs in a process of its own.
type served struct{ address string }

// startServed starts a proxy of a kind for an upstream that sends each request the events
// of a channel.
func startServed(b *testing.B, kind string, upstream net.Listener) served {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), servedVariable+"="+kind+" http://"+upstream.Addr().String())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	err = cmd.Start()
	if err != nil {
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
	return served{strings.TrimSpace(address)}
}

// weight returns what the process takes now.
func (s served) weight(b *testing.B) (w weight) {
	b.Helper()
	answer, err := http.Get("http://" + s.address + weightPath)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&w)
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// open sends a request for a stream, and returns the connection after the first event.
func (s served) open(b *testing.B) *bufio.Reader {
	b.Helper()
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(withTools), withTools)
	answer := bufio.NewReaderSize(conn, 4<<10)
	readEvent(b, answer)
	return answer
}

// readEvent reads up to the end of the next event.
func readEvent(b *testing.B, answer *bufio.Reader) {
	b.Helper()
	for {
		line, err := answer.ReadSlice('\n')
		if err != nil {
			b.Fatal(err)
		}
		if bytes.HasPrefix(line, []byte("data: ")) {
			return
		}
	}
}

// benchEvent returns an event of a stream with that text.
func benchEvent(text string) string {
	return `data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,` +
		`"model":"m-1","choices":[{"index":0,"delta":{"content":"` + text + `"},` +
		`"logprobs":null,"finish_reason":null}]}` + "\n\n"
}

// listenBench starts an upstream that sends the same event again and again: the first at
// once, and each other one for a value in next.
func listenBench(b *testing.B, event string, next chan struct{}) net.Listener {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerBench(conn, event, next)
		}
	}()
	return listener
}

func answerBench(conn net.Conn, event string, next chan struct{}) {
	defer conn.Close()
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	_, err = io.Copy(io.Discard, request.Body)
	if err != nil {
		return
	}
	time.Sleep(5 * time.Millisecond) // before that, the proxy may still hold the request
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
	for {
		_, err := fmt.Fprintf(conn, "%x\r\n%s\r\n", len(event), event)
		if err != nil {
			return
		}
		<-next
	}
}

var proxyKinds = []string{"plain", "callwire"}

// BenchmarkIdle measures the memory of a stream that waits for its next event.
func BenchmarkIdle(b *testing.B) {
	const streams = 300
	for _, kind := range proxyKinds {
		b.Run(kind, func(b *testing.B) {
			s := startServed(b, kind, listenBench(b, benchEvent("Let me look."), nil))
			s.open(b)
			before := s.weight(b)
			for b.Loop() {
				for range streams {
					s.open(b)
				}
			}
			used := s.weight(b).Memory - before.Memory
			b.ReportMetric(float64(used)/float64(streams*b.N)/1024, "KB/stream")
		})
	}
}

// BenchmarkEvent measures the CPU time of an event, with plain text and with markup.
func BenchmarkEvent(b *testing.B) {
	for name, text := range map[string]string{"text": " some words", "markup": " <b>some</b> words"} {
		for _, kind := range proxyKinds {
			b.Run(name+"/"+kind, func(b *testing.B) {
				next := make(chan struct{})
				s := startServed(b, kind, listenBench(b, benchEvent(text), next))
				answer := s.open(b)
				before := s.weight(b)
				for b.Loop() {
					next <- struct{}{}
					readEvent(b, answer)
				}
				used := s.weight(b).CPU - before.CPU
				b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "cpu-ns/event")
			})
		}
	}
}
