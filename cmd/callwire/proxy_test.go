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

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// startUpstream starts a server that the test ends.
func startUpstream(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// post sends a body and returns the status and the answer.
func post(t *testing.T, url, body string) (status int, answer string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(read)
}

// The proxy explains tools in the format of the model, or leaves them native if it only rescues
// calls. The program gets the call either way.
func TestProxySpeaks(t *testing.T) {
	for _, c := range []struct {
		flags, answer, sees, not string
	}{
		{"--protocol=hermes", `<tool_call>{\"name\":\"ping\",\"arguments\":{\"host\":\"a\"}}</tool_call>`, "<tool_call>", `"tools"`},
		{"--rescue=qwen3-coder, hermes", `<tool_call>{\"name\":\"ping\",\"arguments\":{\"host\":\"a\"}}</tool_call>`, `"tools"`, "<tool_call>"},
		{"--rescue=wire", `<call>ping host=a</call>`, `"tools"`, "<call>"},
	} {
		got := ""
		upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			got = string(text)
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"`+c.answer+`"},"finish_reason":"stop"}]}`)
		}))
		cmd, url, says := proxyProgram(t, upstream, "--debug", c.flags)
		_, answer := post(t, url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}}}}}]}`)
		if !strings.Contains(answer, `"arguments":"{\"host\":\"a\"}"`) || !strings.Contains(got, c.sees) || strings.Contains(got, c.not) {
			t.Errorf("%s: sent %s, got %s", c.flags, got, answer)
		}
		log := interrupt(t, cmd, says)
		rescued := strings.Contains(log, " call=1") && strings.Contains(log, "unchanged=")
		if rescued != strings.Contains(c.flags, "rescue") {
			t.Errorf("%s: shows %s", c.flags, log)
		}
	}
}

// TestProxyTaken: an address that another program has.
func TestProxyTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	got := callwire("", "proxy", "--upstream", "https://a", "--listen", taken.Addr().String())
	if got.code != exitFailed || !strings.Contains(got.stderr, "choose another address") {
		t.Errorf("%+v", got)
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

// interrupt stops a proxy and returns what else it says.
func interrupt(t *testing.T, cmd *exec.Cmd, says io.Reader) string {
	t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(says)
	cmd.Wait()
	return string(rest)
}

// TestProxyProgram interrupts the real program.
func TestProxyProgram(t *testing.T) {
	model := &scripted.Model{Replies: []scripted.Reply{{Text: "Hi"}}}
	cmd, url, says := proxyProgram(t, startUpstream(t, model)+"/v1")
	if status, body := post(t, url+"/v1/chat/completions", "{}"); status != 200 || !strings.Contains(body, `"Hi"`) {
		t.Errorf("%d %s", status, body)
	}
	rest := interrupt(t, cmd, says)
	if code := cmd.ProcessState.ExitCode(); code != 0 || !strings.HasSuffix(rest, "callwire: stopped\n") {
		t.Errorf("it ends with %d and says %q", code, rest)
	}
}

// TestProxyCutsOff interrupts it in the middle of an answer, which has no time to end.
func TestProxyCutsOff(t *testing.T) {
	asked, ended := make(chan bool), make(chan bool)
	upstream := startUpstream(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-ended
	}))
	defer close(ended)
	cmd, url, says := proxyProgram(t, upstream, "--grace", "0s")
	go http.Get(url)
	<-asked
	rest := interrupt(t, cmd, says)
	if code := cmd.ProcessState.ExitCode(); code != exitFound || !strings.HasSuffix(rest, "give them more time with --grace\n") {
		t.Errorf("it ends with %d and says %q", code, rest)
	}
}
