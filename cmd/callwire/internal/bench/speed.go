package bench

import (
	"bufio"
	_ "embed" // of the page
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What the benchmarks of this package report, BenchmarkRead/TEXT/chunk=N and
// BenchmarkMemory/STATE. Times are of the processor, so a busy machine doesn't add to them.
const (
	perCall     = "cpu-ns/call"
	rate        = "cpu-MB/s"
	callAllocs  = "allocs/call"
	ofJSON      = "of-json"      // the time, divided by that of encoding/json
	ofIndexByte = "of-indexbyte" // the time, divided by that of a search for "<"
	perDecoder  = "B/decoder"
)

// Speed is the medians of what benchmarks have measured, by name and unit.
type Speed struct {
	CPU     string                        `json:"cpu"`
	Rounds  int                           `json:"rounds"`
	Medians map[string]map[string]float64 `json:"medians"`

	names []string // in the order of the benchmarks
}

// line is a line of the output of a benchmark; procs is not part of its name.
var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// ReadSpeed reads the output of go test -bench.
func ReadSpeed(r io.Reader) (Speed, error) {
	s := Speed{Medians: map[string]map[string]float64{}}
	values := map[string]map[string][]float64{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if cpu, ok := strings.CutPrefix(lines.Text(), "cpu: "); ok {
			s.CPU = cpu
		}
		parts := line.FindStringSubmatch(lines.Text())
		if parts == nil {
			continue
		}
		name, fields := parts[1], strings.Fields(parts[2])
		if values[name] == nil {
			s.names = append(s.names, name)
			values[name], s.Medians[name] = map[string][]float64{}, map[string]float64{}
		}
		for pair := range slices.Chunk(fields[:len(fields)/2*2], 2) {
			v, err := strconv.ParseFloat(pair[0], 64)
			if err != nil {
				return Speed{}, fmt.Errorf("%s: %q is not a number", name, pair[0])
			}
			all := append(values[name][pair[1]], v)
			values[name][pair[1]] = all
			s.Medians[name][pair[1]] = Percentile(all, 0.5)
			s.Rounds = max(s.Rounds, len(all))
		}
	}
	if err := lines.Err(); err != nil {
		return Speed{}, err
	}
	if len(s.names) == 0 {
		return Speed{}, errors.New("no benchmark in the input; see callwire bench speed --help")
	}
	return s, nil
}

//go:embed speed.tmpl
var speedPage string

// Page returns the tables.
func (s Speed) Page() Page {
	return NewPage(speedPage, map[string]any{
		"CPU": s.CPU, "Rounds": s.Rounds,
		"Reads":  s.rows("Read", perCall, rate, callAllocs, ofJSON, ofIndexByte),
		"States": s.rows("Memory", perDecoder),
	}, nil)
}

var labels = strings.NewReplacer("_", " ", "/chunk=0", ", each a chunk", "/chunk=", ", chunks of ")

var formats = map[string]string{
	perCall: "%.0f ns", rate: "%.0f MB/s", callAllocs: "%.1f", ofJSON: "%.2f",
	ofIndexByte: "%.2f", perDecoder: "%.0f",
}

// rows returns the names of the benchmarks of a kind, and their medians in some units.
func (s Speed) rows(kind string, units ...string) (rows [][]string) {
	for _, name := range s.names {
		label, ok := strings.CutPrefix(name, kind+"/")
		if !ok {
			continue
		}
		row := []string{labels.Replace(label)}
		for _, unit := range units {
			value, ok := s.Medians[name][unit]
			cell := ""
			switch {
			case ok && unit == rate && value >= 100:
				cell = fmt.Sprintf("%.2f GB/s", value/1000)
			case ok:
				cell = fmt.Sprintf(formats[unit], value)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// Percentile returns the value below which the given share of the values is, or 0 without values.
func Percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	at := share * float64(len(sorted)-1)
	i := int(at)
	next := sorted[min(i+1, len(sorted)-1)]
	return sorted[i] + (at-float64(i))*(next-sorted[i])
}
