package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
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
			values[name] = map[string][]float64{}
			s.names = append(s.names, name)
		}
		for i := 0; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return Speed{}, fmt.Errorf("%s: %q is not a number", name, fields[i])
			}
			all := append(values[name][fields[i+1]], v)
			values[name][fields[i+1]] = all
			s.Rounds = max(s.Rounds, len(all))
		}
	}
	if len(s.names) == 0 {
		return Speed{}, errors.New("no benchmark in the input; see callwire bench speed --help")
	}
	for name, units := range values {
		s.Medians[name] = map[string]float64{}
		for unit, all := range units {
			s.Medians[name][unit] = Percentile(all, 0.5)
		}
	}
	return s, lines.Err()
}

// Page returns the tables.
func (s Speed) Page() *Page {
	reads := Table{Head: []string{
		"text, chunks in bytes", "time of a call", "rate", "allocations",
		"encoding/json", "IndexByte",
	}}
	states := Table{Head: []string{"a stream.Decoder", "bytes"}}
	for _, name := range s.names {
		kind, rest, _ := strings.Cut(strings.ReplaceAll(name, "_", " "), "/")
		text, isDecoder := strings.CutSuffix(rest, "/"+decoderReader)
		if kind == "Memory" {
			states.Row(rest, fmt.Sprintf("%.0f", s.Medians[name][perDecoder]))
		} else if kind == "Read" && isDecoder {
			reads.Row(append([]string{chunkName(text)}, s.cells(name)...)...)
		}
	}
	var p Page
	p.Text("Processor time on %s; medians of %d rounds.", s.CPU, s.Rounds)
	p.Table(reads)
	p.Text("%s", speedLegend)
	p.Table(states)
	return &p
}

const speedLegend = "The columns on the right are times of stream.Decoder divided by those of " +
	"the other: 0.25 is a quarter of the time. encoding/json reads the same calls as native JSON " +
	"and returns a call when it is complete; the decoder emits text and arguments as they " +
	"arrive. IndexByte jumps to every <, the least that looking for calls can take. A call of " +
	"transcript has 200 bytes of text before it, which both read; allocations are those of one " +
	"call."

// chunkName is the first cell of a row.
func chunkName(text string) string {
	text, size, _ := strings.Cut(text, "/chunk=")
	if size == "0" {
		return text + ", each a chunk"
	}
	return text + ", chunks of " + size
}

// cells returns the other cells of the row of a decoder.
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
