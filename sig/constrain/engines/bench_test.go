package engines

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// The benchmark on models calls llama.cpp over HTTP with the grammar in each request:
// in what a model with random weights writes, nothing is malformed or repaired, and
// every call is valid.
func TestBenchOfARandomModel(t *testing.T) {
	random := startModel(t)
	var mu sync.Mutex // there is only one model
	written := uint32(0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var request struct{ Grammar string }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Grammar == "" {
			http.Error(w, "no grammar", http.StatusBadRequest)
			return
		}
		written++
		texts, err := random.write(request.Grammar, 300, written)
		if err != nil || len(texts) != 1 {
			http.Error(w, "the model has stopped", http.StatusBadGateway)
			return
		}
		text, finish := "", "length"
		if texts[0] != nil {
			text, finish = *texts[0], "stop"
		}
		content, _ := json.Marshal(text) // a string can always be encoded
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":%q}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, content, finish)
	}))
	defer server.Close()

	bench := exec.Command("go", "run", "github.com/callwire/callwire/cmd/callwire", "bench", "live",
		"--base-url", server.URL, "--model", "random", "--mode", "wire", "--constrain", "llama.cpp", "--strict", "on",
		"--tries", "1", "--concurrency", "2", "--json", "--out", filepath.Join(t.TempDir(), "run.jsonl"))
	bench.Stderr = os.Stderr
	text, err := bench.Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Groups []struct {
			Arms []struct {
				Name              string
				Trials, Failures  int
				Calls             float64
				Valid             struct{ Mean float64 }
				Malformed, Issues map[string]int
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	arm := report.Groups[0].Arms[0]
	if arm.Trials != 30 || arm.Failures != 0 || arm.Calls == 0 || len(arm.Malformed) > 0 || len(arm.Issues) > 0 || arm.Valid.Mean != 1 {
		t.Errorf("%+v", arm)
	}
	t.Logf("%d messages, %.2f calls in each", arm.Trials, arm.Calls)
}
