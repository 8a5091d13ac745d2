//go:build unix

package runner

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
)

// TestGroup: what a child has started ends with it.
func TestGroup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	script := "sleep 1000 & echo $! >" + file + "; '" + os.Args[0] + "' implementation 'always hangs'; exit 0"
	r := judged(t, "", only(t, victim), func(c *Config) {
		c.Command, c.Timeout, c.Jobs, c.Matrix = []string{"sh", "-c", script},
			300*time.Millisecond, 1, corpus.Ends
	})
	if r.OK() {
		t.Error("it passes")
	}
	c := with("crashes")
	crash := "sleep 1000 & '" + c[0] + "' implementation crashes"
	r = judged(t, "", only(t, victim), func(c *Config) {
		c.Command, c.Timeout, c.Jobs, c.Matrix = []string{"sh", "-c", crash}, 2*time.Second, 1,
			corpus.Ends
	})
	if f := failures(r)["stream "+victim]; f == nil || f.Kind != "it does not answer" {
		t.Errorf("%+v", f)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); syscall.Kill(pid,
			0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the process %d still lives", pid)
}
