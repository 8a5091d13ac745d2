package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/proxy"
	"github.com/callwire/callwire/cmd/callwire/internal/proxy/proxytest"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// startProxy starts a proxy for an upstream. stop ends it when its answers have ended.
func startProxy(t *testing.T, upstream string, option func(*proxy.Options)) (url string, log *proxytest.Log, stop func()) {
	t.Helper()
	o := proxy.Default()
	log = &proxytest.Log{}
	o.Upstream, o.Out = upstream, log
	option(&o)
	handler, err := o.Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL, log, server.Close
}

// The proxy explains tools in the format of the model, or leaves them native if it only rescues
// calls. The program gets the call either way.
func TestProxySpeaks(t *testing.T) {
	for _, c := range []struct {
		protocol, rescue string
		answer           string
		sees, not        string
	}{
		{"hermes", "", `<tool_call>{\"name\":\"ping\",\"arguments\":{\"host\":\"a\"}}</tool_call>`, "<tool_call>", `"tools"`},
		{"", "qwen3-coder, hermes", `<tool_call>{\"name\":\"ping\",\"arguments\":{\"host\":\"a\"}}</tool_call>`, `"tools"`, "<tool_call>"},
		{"wire", "wire", `<call>ping host=a</call>`, `"tools"`, "<call>"},
	} {
		got := ""
		upstream := proxytest.Upstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			got = string(text)
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"`+c.answer+`"},"finish_reason":"stop"}]}`)
		}))
		url, log, stop := startProxy(t, upstream, func(o *proxy.Options) {
			o.Debug = true
			p, err := protocol.Format(c.protocol)
			if err != nil {
				t.Fatal(err)
			}
			o.Rewriting.Manual.Format = p
			if c.rescue != "" {
				o.Rewriting.Rescue, err = formatsOf(c.rescue)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		_, answer, err := proxytest.Post(t, url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}}}}}]}`)
		if err != nil || !strings.Contains(answer, `"arguments":"{\"host\":\"a\"}"`) || !strings.Contains(got, c.sees) || strings.Contains(got, c.not) {
			t.Errorf("%q, %q: sent %s, got %s, %v", c.protocol, c.rescue, got, answer, err)
		}
		stop()
		if rescued := strings.Contains(log.String(), " call=1") && strings.Contains(log.String(), "unchanged="); rescued != (c.rescue != "") {
			t.Errorf("%q, %q: shows %s", c.protocol, c.rescue, log)
		}
	}
	for args, want := range map[string]string{
		"--protocol morse":                          "morph-xml or yaml-xml",
		"--rescue hermes,morse":                     `"morse"`,
		"--protocol hermes --rescue hermes":         "one of them",
		"--protocol morph-xml --open (( --close ))": "named after its tool",
	} {
		got := callwire("", append([]string{"proxy", "--upstream", "http://127.0.0.1:1"}, strings.Fields(args)...)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %d %s", args, got.code, got.stderr)
		}
	}
}

// TestProxyUsage: command lines that cannot be done.
func TestProxyUsage(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct{ args, says string }{
		{"", "--upstream https://api.openai.com"},
		{"--upstream ftp://a", "http:// or https://"},
		{"--upstream https://", "a host"},
		{"--upstream https://a?key=secret", "a host"},
		{"--upstream https://me:se%zzcret@a", "not a URL"},
		{"--upstream https://secret@a/secret/v1?b", "not https://a/…"},
		{"--upstream https://a --listen 0.0.0.0:0", "--public"},
		{"--upstream https://a --listen :0", "--public"},
		{"--upstream https://a --listen a.example:0", "--public"},
		{"--upstream https://a --listen 8787", "host:port"},
		{"--upstream https://a --max-body 0", "positive"},
		{"--upstream https://a --retries -1", "at least 0"},
		{"--upstream https://a --style loud", "compact or classic"},
		{"--upstream https://a --header /no/such/file", "/no/such/file"},
		{"--upstream https://a --max-answer -1", "negative"},
		{"--upstream https://a --tool-choice maybe", "instruct or native"},
		{"--upstream https://a --strip some", "none, leading or all"},
		{"--upstream https://a --constrain gpt", "llama.cpp, localai"},
		{"--upstream https://a --listen " + taken.Addr().String(), "choose another address"},
		{"--upstream https://a x", "takes no argument"},
	} {
		got := callwire("", append([]string{"proxy"}, strings.Fields(c.args)...)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, c.says) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("proxy %s: code %d, says %q", c.args, got.code, got.stderr)
		}
		if strings.Contains(got.stdout+got.stderr, "cret") {
			t.Errorf("proxy %s: says %q", c.args, got.stderr)
		}
	}
}

// proxyProgram starts the real program as a proxy for an upstream.
func proxyProgram(t *testing.T, upstream string, flags ...string) (cmd *exec.Cmd, url string, says *bufio.Reader) {
	t.Helper()
	cmd = exec.Command(asProgram(t), append([]string{"proxy", "--upstream", upstream, "--listen", "127.0.0.1:0"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() { late.Stop() })
	says = bufio.NewReader(stderr)
	line, _ := says.ReadString('\n')
	found := regexp.MustCompile(`proxy on (http://127\.0\.0\.1:\d+) for http://`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("it says %q", line)
	}
	return cmd, found[1], says
}

// TestProxyProgram interrupts the real program.
func TestProxyProgram(t *testing.T) {
	model := &scripted.Model{Replies: []scripted.Reply{{Text: "Hi"}}}
	cmd, url, says := proxyProgram(t, proxytest.Upstream(t, model)+"/v1")
	if answer, body, err := proxytest.Post(t, url+"/v1/chat/completions", "{}"); answer.StatusCode != 200 || !strings.Contains(body, `"Hi"`) || err != nil {
		t.Errorf("%d %s %v", answer.StatusCode, body, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(says)
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if !strings.HasSuffix(string(rest), "callwire: stopped\n") {
		t.Errorf("it says %q", rest)
	}
}

// TestProxyCutsOff interrupts it in the middle of an answer, which has no time to end.
func TestProxyCutsOff(t *testing.T) {
	asked, ended := make(chan bool), make(chan bool)
	upstream := proxytest.Upstream(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-ended
	}))
	defer close(ended)
	cmd, url, says := proxyProgram(t, upstream, "--grace", "0s")
	go http.Get(url)
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(says)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFound || !strings.HasSuffix(string(rest), "give them more time with --grace\n") {
		t.Errorf("it ends with %d and says %q", code, rest)
	}
}
