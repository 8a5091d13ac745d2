package bench

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Speed is what benchmarks of this package have measured. Its JSON is stable.
type Speed struct {
	CPU    string  `json:"cpu"`
	Reads  []Read  `json:"reads"`
	States []State `json:"states"`
}

// Read is how fast a text was read in chunks of one size. Values are medians.
type Read struct {
	Text   string  `json:"text"`
	Chunk  int     `json:"chunk"` // in bytes; 0 means each call in a chunk of its own
	Rounds int     `json:"rounds"`
	Call   float64 `json:"nsPerCall,omitempty"`
	Rate   float64 `json:"bytesPerSecond"`
	Allocs float64 `json:"allocsPerCall"`

	// JSON and IndexByte are the time divided by that of encoding/json for the same calls in their
	// native form, and by that of jumps to every "<". They are 0 if not measured.
	JSON      float64 `json:"encodingJSON,omitempty"`
	IndexByte float64 `json:"indexByte,omitempty"`
}

// State is how many bytes a decoder holds in a state.
type State struct {
	Name  string  `json:"state"`
	Bytes float64 `json:"bytes"`
}

// Names of the readers in benchmarks: BenchmarkRead/TEXT/chunk=N/READER.
const (
	decoderReader   = "decoder"
	jsonReader      = "json"
	indexByteReader = "indexbyte"
)

// The units of benchmarks. Times are of the processor, so a busy machine doesn't add to them.
const (
	perRound   = "cpu-ns/op"
	perCall    = "cpu-ns/call"
	rate       = "cpu-MB/s"
	callAllocs = "allocs/call"
	perDecoder = "B/decoder"
)

// procs is the number of processors at the end of a benchmark's name.
var procs = regexp.MustCompile(`-[0-9]+$`)

// readKey identifies a row of the table.
type readKey struct {
	text  string
	chunk int
}

// ReadSpeed reads the output of go test -bench. A benchmark that ran several times counts by its
// medians.
func ReadSpeed(r io.Reader) (Speed, error) {
	var s Speed
	var order []string
	values := map[string]map[string][]float64{} // by name and unit
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if cpu, ok := strings.CutPrefix(lines.Text(), "cpu: "); ok {
			s.CPU = cpu
		}
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := procs.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		if values[name] == nil {
			values[name] = map[string][]float64{}
			order = append(order, name)
		}
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return Speed{}, fmt.Errorf("%s: %q is not a number", fields[0], fields[i])
			}
			values[name][fields[i+1]] = append(values[name][fields[i+1]], v)
		}
	}
	if err := lines.Err(); err != nil {
		return Speed{}, err
	}
	s.fill(order, values)
	if len(s.Reads)+len(s.States) == 0 {
		return Speed{}, fmt.Errorf("no benchmark of callwire in the input; see callwire bench speed --help")
	}
	return s, nil
}

// fill computes the rows of the tables, in the order of the benchmarks.
func (s *Speed) fill(order []string, values map[string]map[string][]float64) {
	times := map[readKey]map[string]float64{}
	for _, name := range order {
		unit := values[name]
		parts := strings.Split(name, "/")
		if len(parts) == 2 && parts[0] == "Memory" {
			state := strings.ReplaceAll(parts[1], "_", " ")
			s.States = append(s.States, State{state, Median(unit[perDecoder])})
		}
		if len(parts) != 4 || parts[0] != "Read" {
			continue
		}
		chunk, err := strconv.Atoi(strings.TrimPrefix(parts[2], "chunk="))
		if err != nil {
			continue // a benchmark of something else
		}
		key := readKey{strings.ReplaceAll(parts[1], "_", " "), chunk}
		if times[key] == nil {
			times[key] = map[string]float64{}
		}
		times[key][parts[3]] = Median(unit[perRound])
		if parts[3] == decoderReader {
			s.Reads = append(s.Reads, Read{
				Text: key.text, Chunk: chunk, Rounds: len(unit[perRound]), Call: Median(unit[perCall]),
				Rate: 1e6 * Median(unit[rate]), Allocs: Median(unit[callAllocs]),
			})
		}
	}
	for i := range s.Reads {
		r := &s.Reads[i]
		t := times[readKey{r.Text, r.Chunk}]
		r.JSON = ratio(t[decoderReader], t[jsonReader])
		r.IndexByte = ratio(t[decoderReader], t[indexByteReader])
	}
}

// ratio returns a/b, or 0 if there is no b.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Median returns the median, or 0 without values.
func Median(values []float64) float64 { return Percentile(values, 0.5) }

// Percentile returns the value below which the given share of the values is, or 0 without values.
func Percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	at := share * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Page returns the tables.
func (s Speed) Page() *Page {
	var p Page
	if s.CPU != "" {
		rounds := 0
		for _, r := range s.Reads {
			rounds = max(rounds, r.Rounds)
		}
		p.Text("Processor time on %s; medians of %d rounds.", s.CPU, rounds)
	}
	if len(s.Reads) > 0 {
		t := Table{Head: []string{"text, chunks in bytes", "time of a call", "rate", "allocations", "encoding/json", "IndexByte"}}
		for _, r := range s.Reads {
			t.Row(r.name(), filled("%.0f ns", r.Call), rateOf(r.Rate), r.allocations(),
				filled("%.2f", r.JSON), filled("%.2f", r.IndexByte))
		}
		p.Table(t)
		p.Text("%s", speedLegend)
	}
	if len(s.States) > 0 {
		t := Table{Head: []string{"a stream.Decoder", "bytes"}}
		for _, x := range s.States {
			t.Row(x.Name, fmt.Sprintf("%.0f", x.Bytes))
		}
		p.Table(t)
	}
	return &p
}

const speedLegend = "The columns on the right are times of stream.Decoder divided by those of the other: 0.25 is " +
	"a quarter of the time. encoding/json reads the same calls as native JSON and returns a call " +
	"when it is complete; the decoder emits text and arguments as they arrive. IndexByte jumps to " +
	"every <, the least that looking for calls can take. A call of transcript has 200 bytes of text " +
	"before it, which both read; allocations are those of one call."

// name is the first cell of the row.
func (r Read) name() string {
	if r.Chunk == 0 {
		return r.Text + ", each a chunk"
	}
	return fmt.Sprintf("%s, chunks of %d", r.Text, r.Chunk)
}

// allocations is the cell for them, empty for text without calls.
func (r Read) allocations() string {
	if r.Call == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", r.Allocs)
}

// filled returns the formatted value, or "" for 0.
func filled(format string, v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
}

// rateOf returns bytes per second in a readable unit.
func rateOf(v float64) string {
	if v >= 1e8 {
		return fmt.Sprintf("%.2f GB/s", v/1e9)
	}
	return fmt.Sprintf("%.0f MB/s", v/1e6)
}

// SortedKeys returns the keys of a map of counts, the largest count first.
func SortedKeys(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
