package speed

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// sampleReport is a report with figures that nobody has measured.
func sampleReport() Report {
	r := Report{Machine: Machine{Go: "go1.99", OS: "plan9", Arch: "mips", CPUs: 3}, Rounds: 3}
	add := func(name string, calls, chunk, size int, k kind, nanoseconds map[Reader]float64) {
		c := Cell{Workload: name, Bytes: 100_000, Calls: calls, Chunk: chunk, kind: k, size: size}
		for _, s := range []Reader{Wire, Parser, JSON, IndexByte, Noop} {
			ns, ok := nanoseconds[s]
			if !ok {
				continue
			}
			samples := []float64{ns, 1.1 * ns, 0.9 * ns}
			c.Readings = append(c.Readings, Timing{Reader: s, Samples: samples, Nanoseconds: spread(samples), Least: 0.9 * ns, Allocations: 2, runs: 7})
		}
		for i := range c.Readings {
			c.Readings[i].Ratio, _ = c.against(Wire, c.Readings[i].Reader)
		}
		r.Cells = append(r.Cells, c)
	}
	add("calls", 190, whole, 0, "", map[Reader]float64{Wire: 30_000, Parser: 20_000, JSON: 200_000, IndexByte: 1000, Noop: 100})
	for i, chunk := range chunkSizes {
		ns := 1_000_000 / float64(i+1)
		add("transcript", 190, chunk, 0, "", map[Reader]float64{Wire: ns, JSON: 2 * ns, IndexByte: ns / 5, Noop: ns / 40})
		add("prose", 0, chunk, 0, "", map[Reader]float64{Wire: ns, IndexByte: ns / 2, Noop: ns / 4})
		add("html", 0, chunk, 0, "", map[Reader]float64{Wire: ns, IndexByte: ns / 3, Noop: ns / 4})
		for _, n := range []int{1, 2} {
			add("string-prose-"+bytesOf(n<<20), 1, chunk, n<<20, prose, map[Reader]float64{Wire: ns * float64(n), JSON: 3 * ns * float64(n*n), IndexByte: ns / 3, Noop: ns / 4})
		}
	}
	r.Growth = growth(r.Cells)
	return r
}

// TestJSON: the members of the report are what they were. A new one may join
// them; go test -update writes the file anew.
func TestJSON(t *testing.T) {
	r := sampleReport()
	r.Cells, r.Growth = r.Cells[:1], r.Growth[:1]
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, string(text)+"\n", "report.json")
}

// TestPages holds what people see.
func TestPages(t *testing.T) {
	var full, brief strings.Builder
	if err := sampleReport().Page().WriteText(&full, 100); err != nil {
		t.Fatal(err)
	}
	if err := sampleReport().Brief().WriteMarkdown(&brief); err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, full.String(), "page.txt")
	golden.Assert(t, brief.String(), "brief.md")
}

// TestBenchstat holds the lines that benchstat reads.
func TestBenchstat(t *testing.T) {
	r := sampleReport()
	r.Machine.CPU = "Fast CPU"
	r.Cells = r.Cells[:1]
	var b strings.Builder
	if err := r.WriteBenchstat(&b); err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, b.String(), "benchstat.txt")
}

// TestChart: the chart is XML, the same each time, of the same report, and shows
// what was measured.
func TestChart(t *testing.T) {
	var b strings.Builder
	if err := sampleReport().WriteChart(&b); err != nil {
		t.Fatal(err)
	}
	points, lines := 0, map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "circle":
			points++
		case start.Name.Local == "path":
			lines[start.Attr[0].Value]++
		}
	}
	if want := 4*len(chunkSizes) + 2*len(chunkSizes); points != want { // ours in four panels, JSON's in two
		t.Errorf("%d points, want %d", points, want)
	}
	if lines["line wire"] != 5 || lines["line json"] != 3 || lines["line noop"] != 5 || lines["line jsonv2"] != 0 { // with the legend
		t.Errorf("lines %v", lines)
	}
	for _, want := range []string{"prefers-color-scheme: dark", "200 bytes of prose", "a &lt; every", "go1.99 on plan9", "prose, 1M"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the chart", want)
		}
	}
	golden.Assert(t, b.String(), "chart.svg")
}
