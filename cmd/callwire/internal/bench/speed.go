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

// Names and units in the benchmarks of this package, BenchmarkRead/TEXT/chunk=N/READER and
// BenchmarkMemory/STATE. Times are of the processor, so a busy machine doesn't add to them.
const (
	decoderReader   = "decoder"
	jsonReader      = "json"
	indexByteReader = "indexbyte"

	perRound   = "cpu-ns/op"
	perCall    = "cpu-ns/call"
	rate       = "cpu-MB/s"
	callAllocs = "allocs/call"
	perDecoder = "B/decoder"
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
	if len(s.names) == 0 {
		return Speed{}, errors.New("no benchmark in the input; see callwire bench speed --help")
	}
	return s, lines.Err()
}

//go:embed speed.tmpl
var speedPage string

// Page returns the tables.
func (s Speed) Page() Page {
	var reads, states [][]string
	for _, name := range s.names {
		kind, rest, _ := strings.Cut(strings.ReplaceAll(name, "_", " "), "/")
		text, isDecoder := strings.CutSuffix(rest, "/"+decoderReader)
		if kind == "Memory" {
			bytes := fmt.Sprintf("%.0f", s.Medians[name][perDecoder])
			states = append(states, []string{rest, bytes})
		} else if kind == "Read" && isDecoder {
			text, size, _ := strings.Cut(text, "/chunk=")
			if size == "0" {
				text += ", each a chunk"
			} else {
				text += ", chunks of " + size
			}
			reads = append(reads, append([]string{text}, s.cells(name)...))
		}
	}
	return NewPage(speedPage, map[string]any{
		"CPU": s.CPU, "Rounds": s.Rounds, "Reads": reads, "States": states,
	}, nil)
}

// cells returns the cells of the row of a decoder, after the first.
func (s Speed) cells(name string) []string {
	own := s.Medians[name]
	against := func(reader string) string {
		other := s.Medians[strings.TrimSuffix(name, decoderReader)+reader][perRound]
		if other == 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", own[perRound]/other)
	}
	call, allocs := "", ""
	if own[perCall] > 0 {
		call, allocs = fmt.Sprintf("%.0f ns", own[perCall]), fmt.Sprintf("%.1f", own[callAllocs])
	}
	speed := fmt.Sprintf("%.0f MB/s", own[rate])
	if own[rate] >= 100 {
		speed = fmt.Sprintf("%.2f GB/s", own[rate]/1000)
	}
	return []string{call, speed, allocs, against(jsonReader), against(indexByteReader)}
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
