package speed

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
)

var long = flag.Bool("long", false, "read in chunks of all sizes, as the gate does")

func every(string) bool { return true }

// TestWorkloads: every reader of calls finds them all in every workload, at every
// size of chunks, and a reader that does not is told.
func TestWorkloads(t *testing.T) {
	all, err := workloads(true, every)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := workloads(true, every)
	if !reflect.DeepEqual(all, again) {
		t.Error("the workloads differ from one time to the next")
	}
	for _, w := range all {
		sizes := w.chunks
		if !*long && w.size > 0 {
			sizes = []int{64}
		}
		for _, size := range sizes {
			names, read := w.readers(size)
			if names[0] != Wire || len(names) != len(read) {
				t.Errorf("%s: readers %v", w.name, names)
			}
			if err := checkReaders(w, names, read); err != nil {
				t.Errorf("%s in chunks of %d: %v", w.name, size, err)
			}
			if calls, n := read[Wire](); calls != w.calls || (calls > 0) != (n > 0) {
				t.Errorf("%s in chunks of %d: %d calls with %d bytes, want %d calls", w.name, size, calls, n, w.calls)
			}
			w.calls++
			if err := checkReaders(w, names, read); err == nil {
				t.Errorf("%s in chunks of %d: a call too few is not told", w.name, size)
			}
			w.calls--
		}
	}
}

// TestTexts: each kind of text is what it says, to the byte.
func TestTexts(t *testing.T) {
	for k, signs := range map[kind]string{prose: `"';.`, html: `<>"`, code: "\"'\\{<\t"} {
		s := text(k, 10_000)
		if len(s) != 10_000 || s != text(k, 10_000) || s != text(k, 20_000)[:10_000] {
			t.Errorf("%s: %d bytes", k, len(s))
		}
		for _, sign := range signs {
			if !contains(s, byte(sign)) {
				t.Errorf("%s: no %q", k, sign)
			}
		}
	}
	for _, b := range []byte(text(plain, 10_000)) {
		if b != ' ' && (b < 'a' || b > 'z') {
			t.Fatalf("plain: %q", b)
		}
	}
}

func contains(s string, b byte) bool {
	for i := range len(s) {
		if s[i] == b {
			return true
		}
	}
	return false
}

// TestMeasureCell: each round has a sample of each reader, ratios are of samples
// of the same round, and the rounds are told.
func TestMeasureCell(t *testing.T) {
	all, err := workloads(true, func(name string) bool { return name == "transcript" })
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	steps := 0
	c, err := measureCell(all[0], 4096, 3, time.Millisecond, func() { steps++ })
	if err != nil {
		t.Fatal(err)
	}
	if c.Workload != "transcript" || c.Calls != 190 || c.Bytes < 190*between || steps != 3 {
		t.Errorf("%s, %d calls, %d bytes, %d steps", c.Workload, c.Calls, c.Bytes, steps)
	}
	for _, timing := range c.Readings {
		if len(timing.Samples) != 3 || timing.Least <= 0 || timing.Least > timing.Nanoseconds.Low || timing.runs < 1 {
			t.Errorf("%+v", timing)
		}
	}
	if c.Readings[0].Reader != Wire || c.Readings[0].Ratio != (Spread{1, 1, 1}) {
		t.Errorf("%+v", c.Readings[0])
	}
	broken := all[0]
	broken.native = [][]byte{[]byte("{}")}
	if _, err := measureCell(broken, 4096, 1, time.Microsecond, func() {}); err == nil {
		t.Error("encoding/json finds no call, and nobody says so")
	}
}

// TestRun measures what is asked for, and only that.
func TestRun(t *testing.T) {
	last, total := 0, 0
	r, err := Measure(Options{Quick: true, Run: "[cp]*s*", Rounds: 1, Progress: func(done, all int) { last, total = done, all }})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) != 1+len(chunkSizes) || r.Cells[0].Workload != "calls" || r.Cells[1].Workload != "prose" || len(r.Growth) != 0 {
		t.Errorf("%d cells", len(r.Cells))
	}
	if last != len(r.Cells) || last != total {
		t.Errorf("progress ends at %d of %d", last, total)
	}
	if got := len(r.panels()); got != 1 {
		t.Errorf("%d panels", got)
	}
	for _, p := range []*page.Page{r.Page(), r.Brief()} {
		var b strings.Builder
		if err := p.WriteText(&b, 80); err != nil || strings.Contains(b.String(), "Inf") || strings.Contains(b.String(), "NaN") {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
	for _, bad := range []string{"nothing", "["} {
		if _, err := Measure(Options{Run: bad}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestAgainst computes ratios by hand.
func TestAgainst(t *testing.T) {
	c := Cell{Readings: []Timing{
		{Reader: Wire, Samples: []float64{10, 30, 20}},
		{Reader: JSON, Samples: []float64{40, 60, 20}},
	}}
	if got, ok := c.against(Wire, JSON); !ok || got != (Spread{0.5, 0.375, 0.75}) {
		t.Errorf("%+v", got)
	}
	if got, ok := c.against(Wire, Noop); ok {
		t.Errorf("against nobody: %+v", got)
	}
}

// TestGrowth: twice the time for twice the length is the exponent 1.
func TestGrowth(t *testing.T) {
	var cells []Cell
	for i, size := range []int{1 << 10, 2 << 10, 4 << 10} {
		n := float64(int(1) << i)
		cells = append(cells, Cell{kind: prose, Chunk: 64, size: size, Readings: []Timing{
			{Reader: Wire, Least: 5 * n},
			{Reader: JSON, Least: min(9*n, 5*n*n)},
			{Reader: Noop, Least: 1},
		}})
	}
	got := growth(cells)
	for i := range got {
		got[i].Exponent = float64(int(got[i].Exponent*1000+0.5)) / 1000
	}
	if want := []Growth{{"prose", 64, Wire, 1}, {"prose", 64, JSON, 1.424}}; !reflect.DeepEqual(got, want) {
		// JSON: 5, 18 and 36 are the shortest times.
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestCPUName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cpuinfo")
	if err := os.WriteFile(file, []byte("processor\t: 0\nmodel name\t: Fast CPU: 3\nmodel name\t: Other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := cpuName(file); got != "Fast CPU: 3" {
		t.Errorf("%q", got)
	}
	if got := cpuName(file + "x"); got != "" {
		t.Errorf("no file: %q", got)
	}
}
