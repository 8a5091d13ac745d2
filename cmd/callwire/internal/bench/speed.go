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
	"text/template"
)

// Speed is the medians of what benchmarks have measured, by name and unit.
type Speed struct {
	CPU     string                        `json:"cpu"`
	Rounds  int                           `json:"rounds"`
	Medians map[string]map[string]float64 `json:"medians"`

	names []string // in the order of the benchmarks
}

// line is a line of the output of a benchmark of this package. The name ends before the number of
// processors.
var line = regexp.MustCompile(`^Benchmark((?:Read|Memory)/\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// ReadSpeed reads the output of go test -bench.
func ReadSpeed(r io.Reader) (Speed, error) {
	s := Speed{Medians: map[string]map[string]float64{}}
	values := map[[2]string][]float64{} // by name and unit
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text := lines.Text()
		if strings.HasPrefix(strings.TrimPrefix(text, "--- "), "FAIL") {
			return Speed{}, fmt.Errorf("the benchmarks failed: %s", text)
		}
		if cpu, ok := strings.CutPrefix(text, "cpu: "); ok {
			s.CPU = cpu
		}
		parts := line.FindStringSubmatch(text)
		if parts == nil {
			continue
		}
		name, fields := parts[1], strings.Fields(parts[2])
		if s.Medians[name] == nil {
			s.names = append(s.names, name)
			s.Medians[name] = map[string]float64{}
		}
		for pair := range slices.Chunk(fields[:len(fields)/2*2], 2) {
			v, err := strconv.ParseFloat(pair[0], 64)
			if err != nil {
				return Speed{}, fmt.Errorf("%s: %q is not a number", name, pair[0])
			}
			key := [2]string{name, pair[1]}
			values[key] = append(values[key], v)
			s.Medians[name][pair[1]] = Percentile(values[key], 0.5)
			s.Rounds = max(s.Rounds, len(values[key]))
		}
	}
	if err := lines.Err(); err != nil {
		return Speed{}, err
	}
	if len(s.names) == 0 {
		return Speed{}, errors.New("the input has no benchmark of callwire; " +
			"see callwire bench speed --help")
	}
	return s, nil
}

//go:embed speed.tmpl
var speedPage string

// Page returns the tables, as Markdown or as text.
func (s Speed) Page(markdown bool) string {
	labels := strings.NewReplacer("Read/", "", "Memory/", "", "_", " ",
		"/chunk=0", ", each a chunk", "/chunk=", ", chunks of ")
	return Page(speedPage, s, template.FuncMap{"label": labels.Replace}, markdown)
}

// Names returns the benchmarks of a kind, in their order.
func (s Speed) Names(kind string) (names []string) {
	for _, name := range s.names {
		if strings.HasPrefix(name, kind) {
			names = append(names, name)
		}
	}
	return names
}

// Value formats the median of a benchmark in a unit; "" if it was not measured.
func (s Speed) Value(name, unit, format string) string {
	value, ok := s.Medians[name][unit]
	if !ok {
		return ""
	}
	return fmt.Sprintf(format, value)
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
