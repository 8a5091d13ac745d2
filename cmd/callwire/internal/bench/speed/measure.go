package speed

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/callwire/callwire/fuzz/clock"
)

// Options say how to measure.
type Options struct {
	// Quick takes short strings and few short rounds: seconds instead of a
	// minute or two, for a first look and for tests.
	Quick bool

	// Run, if set, is a pattern as path.Match has it: only the workloads with a
	// name that matches are measured.
	Run string

	// Rounds is how often each reader reads each cell; 0 means 15, or 5 if
	// quick.
	Rounds int

	// Progress, if set, is called after each round of each cell.
	Progress func(done, total int)
}

// turn is how long a reader reads in one round, at least.
const (
	turn      = time.Millisecond
	quickTurn = 100 * time.Microsecond
)

// A cell gets no further round when it has taken long, unless it has had few.
const (
	patience = 1500 * time.Millisecond
	fewest   = 5
)

// Measure measures. It takes a minute or two, or seconds if quick. The error is
// that of a reader that does not find the calls it should.
func Measure(o Options) (Report, error) {
	r := Report{Machine: thisMachine(), Rounds: o.Rounds}
	least := turn
	if o.Quick {
		least = quickTurn
	}
	if r.Rounds <= 0 {
		r.Rounds = 15
		if o.Quick {
			r.Rounds = 5
		}
	}
	all, err := chosen(o)
	if err != nil {
		return Report{}, err
	}
	step := func() {}
	if o.Progress != nil {
		done, total := 0, 0
		for _, w := range all {
			total += len(w.chunks) * r.Rounds
		}
		step = func() { done++; o.Progress(done, total) }
	}
	for _, w := range all {
		for _, size := range w.chunks {
			c, err := measureCell(w, size, r.Rounds, least, step)
			if err != nil {
				return Report{}, err
			}
			r.Cells = append(r.Cells, c)
		}
	}
	r.Growth = growth(r.Cells)
	return r, nil
}

// chosen returns the workloads that the options ask for.
func chosen(o Options) ([]workload, error) {
	if _, err := path.Match(o.Run, ""); err != nil {
		return nil, fmt.Errorf("%q is no pattern: %w", o.Run, err)
	}
	var names []string
	some, err := workloads(o.Quick, func(name string) bool {
		names = append(names, name)
		ok, _ := path.Match(o.Run, name)
		return ok || o.Run == ""
	})
	if err == nil && some == nil {
		err = fmt.Errorf("no text matches %q; there are %s", o.Run, strings.Join(names, ", "))
	}
	return some, err
}

// measureCell lets the readers of a cell take turns.
func measureCell(w workload, size, rounds int, least time.Duration, step func()) (Cell, error) {
	c := Cell{Workload: w.name, Bytes: w.bytes(), Calls: w.calls, Chunk: size, kind: w.kind, size: w.size}
	names, read := w.readers(size)
	if err := checkReaders(w, names, read); err != nil {
		return Cell{}, fmt.Errorf("%s in chunks of %d: %w", w.name, size, err)
	}
	for _, name := range names {
		c.Readings = append(c.Readings, Timing{
			Reader: name, Samples: make([]float64, 0, rounds),
			runs: runsFor(read[name], least), Allocations: allocations(read[name]),
		})
	}
	begun := clock.Now()
	for round := range rounds {
		if round < fewest || clock.Now()-begun < patience {
			for i := range c.Readings {
				t := &c.Readings[(i+round)%len(c.Readings)] // nobody is always first
				t.Samples = append(t.Samples, sample(read[t.Reader], t.runs))
			}
		}
		step()
	}
	for i := range c.Readings {
		t := &c.Readings[i]
		t.Nanoseconds, t.Least = spread(t.Samples), slices.Min(t.Samples)
		t.Ratio, _ = c.against(Wire, t.Reader)
	}
	return c, nil
}

// checkReaders says which reader of calls does not find them all, with all of
// their arguments.
func checkReaders(w workload, names []Reader, read map[Reader]reading) error {
	_, argumentBytes := read[Wire]()
	for _, name := range names {
		if name == IndexByte || name == Noop {
			continue
		}
		calls, n := read[name]()
		if calls != w.calls || n != argumentBytes {
			return fmt.Errorf("%s finds %d calls with arguments of %d bytes, not %d with %d", name, calls, n, w.calls, argumentBytes)
		}
	}
	return nil
}

// runsFor returns how many times to read in one sample, so that it takes long
// enough to be timed.
func runsFor(read reading, least time.Duration) int {
	for runs := 1; ; runs *= 2 {
		begun := clock.Now()
		for range runs {
			read()
		}
		if took := clock.Now() - begun; took >= least/2 {
			return int(float64(runs)*float64(least)/float64(took)) + 1
		}
	}
}

// sample returns how many nanoseconds one run takes. The garbage of others is
// collected before. That of the reader is in its own time only if the sample is
// long enough to collect some, which favors those that make much.
func sample(read reading, runs int) float64 {
	runtime.GC()
	begun := clock.Now()
	for range runs {
		read()
	}
	return float64(clock.Now()-begun) / float64(runs)
}

// allocations returns how many allocations on the heap one run makes.
func allocations(read reading) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const runs = 3
	for range runs {
		read()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / runs)
}

// growth returns the exponents of all long strings. A size is worth its shortest
// time, which the rest of the machine has disturbed least.
func growth(cells []Cell) []Growth {
	var all []Growth
	for _, k := range []kind{plain, prose, code} {
		for _, chunk := range chunkSizes {
			sizes, times := map[Reader][]float64{}, map[Reader][]float64{}
			for _, c := range cells {
				if c.kind != k || c.Chunk != chunk {
					continue
				}
				for _, t := range c.Readings {
					sizes[t.Reader] = append(sizes[t.Reader], float64(c.size))
					times[t.Reader] = append(times[t.Reader], t.Least)
				}
			}
			for _, reader := range []Reader{Wire, JSON, JSONv2} {
				if len(sizes[reader]) > 1 {
					all = append(all, Growth{string(k), chunk, reader, exponent(sizes[reader], times[reader])})
				}
			}
		}
	}
	return all
}
