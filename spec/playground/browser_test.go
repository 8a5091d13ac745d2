package main

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/callwire/callwire/spec/playground/site"
)

// browser returns the command of a headless Chromium, and skips where there is none.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine")
	return ""
}

// step is one thing that a person does, and whether what they see is right.
type step struct {
	What string
	OK   bool
	Seen string
}

// drive lets the browser work through the steps of a page in testdata on what handler
// serves, and returns the steps.
func drive(t *testing.T, page string, handler http.Handler) []step {
	t.Helper()
	chromium := browser(t)
	reports := make(chan []step, 1)
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("/"+page, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/"+page) })
	mux.HandleFunc("/report", func(w http.ResponseWriter, r *http.Request) {
		var steps []step
		json.NewDecoder(r.Body).Decode(&steps)
		reports <- steps
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	// A browser that is asked to end writes its profile and takes its children with it;
	// one that is killed leaves them writing where the test tidies up.
	ctx, end := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--window-size=1400,1000", server.URL+"/"+page)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	defer func() { end(); <-ended }()
	select {
	case steps := <-reports:
		for _, s := range steps {
			if !s.OK {
				t.Errorf("%s: %s", s.What, s.Seen)
			}
		}
		return steps
	case <-ended:
		t.Fatal("the browser ended")
	case <-time.After(8 * time.Minute):
		t.Fatal("the browser does not report")
	}
	return nil
}

// TestSite builds the site as it would be published, and drives it in a browser: a
// server of files is all that it needs.
func TestSite(t *testing.T) {
	out := t.TempDir()
	if err := build(out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"spec/index.html", "playground/index.html", "playground/callwire.wasm"} {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	if testing.Short() {
		return
	}
	files := http.FileServer(http.Dir(out))
	if n := len(drive(t, "drive.html", files)); n < 20 {
		t.Errorf("%d steps", n)
	}
	if *long {
		testAxe(t, files)
	}
}

var long = flag.Bool("long", false, "let axe look at all pages, and drive the page as callwire serves it, too: minutes")

// TestServed drives the page as callwire serves it, with the engine in the program.
// Its server has tests of its own.
func TestServed(t *testing.T) {
	if !*long {
		t.Skip("-long drives it")
	}
	drive(t, "drive.html", site.Server())
}

// testAxe lets axe look at the pages, wide and narrow, light and dark: it finds
// nothing serious. axe comes from npm, as its lock says.
func testAxe(t *testing.T, files http.Handler) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm on this machine")
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile("testdata/axe/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(npm, "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir).CombinedOutput(); err != nil {
		t.Skipf("npm has no axe-core here: %v\n%s", err, out)
	}
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.HandleFunc("/axe.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	})
	if n := len(drive(t, "axe.html", mux)); n < 20 {
		t.Errorf("%d steps", n)
	}
}
