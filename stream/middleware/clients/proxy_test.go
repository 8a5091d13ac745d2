package clients

import (
	"bufio"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/stream/middleware"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestProxy: every SDK makes a step with a call through callwire proxy.
func TestProxy(t *testing.T) {
	program := buildProgram(t)
	for _, s := range sdks {
		for _, streams := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%t", s.name, streams), func(t *testing.T) {
				m := &scripted.Model{Replies: []scripted.Reply{{Text: "Let me see. <call>getWeather location Zürich</call>"}, {Text: "<call>getWeather location=Zürich</call>"}, {Text: "18 °C."}}, Shape: scripted.Shape{Write: 5}}
				upstream := httptest.NewServer(m)
				defer upstream.Close()
				c := s.begin(startProxy(t, program, upstream.URL), byProxy, middleware.Options{}, streams)
				c.say(question)
				got := ask(t, c)
				if len(got.calls) != 1 || !s.same(got.calls[0].input, `{"location":"Zürich"}`) || got.finish != s.toolCalls {
					t.Fatalf("%+v", got)
				}
				c.give([]result{{got.calls[0].id, "18 °C", false}})
				if got := ask(t, c); got.text != "18 °C." || len(got.calls) != 0 || got.finish != s.stop {
					t.Errorf("%+v", got)
				}
				requests := m.Requests()
				turns := requests[len(requests)-1].Turns()
				if last := turns[len(turns)-1].Text; len(requests) != 3 || !strings.Contains(last, "<tool-result name=\"getWeather\">\n18 °C\n") {
					t.Errorf("%d requests, the model sees %q", len(requests), last)
				}
			})
		}
	}
}

// buildProgram returns the path of callwire.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "callwire")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/callwire/callwire/cmd/callwire").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// startProxy starts a proxy, which the end of the test stops, and returns its
// URL.
func startProxy(t *testing.T, program, upstream string) string {
	t.Helper()
	proxy := exec.Command(program, "proxy", "--upstream", upstream, "--listen", "127.0.0.1:0", "--retries", "1")
	stderr, err := proxy.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		proxy.Process.Signal(os.Interrupt)
		late := time.AfterFunc(time.Minute, func() { proxy.Process.Kill() })
		defer late.Stop()
		if err := proxy.Wait(); err != nil {
			t.Errorf("the proxy ends with %v", err)
		}
	})
	line, _ := bufio.NewReader(stderr).ReadString('\n')
	found := regexp.MustCompile(`proxy on (http://\S+) for`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("the proxy says %q", line)
	}
	return found[1]
}
