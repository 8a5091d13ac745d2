package speed

// Report is what has been measured. Its JSON is stable: members keep their
// names, and new ones may join them.
type Report struct {
	Machine Machine  `json:"machine"`
	Rounds  int      `json:"rounds"`
	Cells   []Cell   `json:"cells"`
	Growth  []Growth `json:"growth"`
}

// Cell is a workload in chunks of one size.
type Cell struct {
	Workload string   `json:"workload"`
	Bytes    int      `json:"bytes"` // of the wire text
	Calls    int      `json:"calls"`
	Chunk    int      `json:"chunk"` // bytes; 0 where each call is one chunk
	Readings []Timing `json:"readings"`

	kind kind
	size int
}

// Timing is how long one reader takes for a cell.
type Timing struct {
	Reader      Reader    `json:"reader"`
	Nanoseconds Spread    `json:"nanoseconds"` // for all of the workload
	Least       float64   `json:"least"`       // the shortest of the samples
	Allocations float64   `json:"allocations"` // on the heap, for all of the workload
	Ratio       Spread    `json:"ratio"`       // time of the wire format by that of this reader
	Samples     []float64 `json:"samples"`     // nanoseconds, one for each round
	runs        int       // in each sample
}

// Growth is how the time for one long string grows with its length.
type Growth struct {
	Text     string  `json:"text"` // plain, prose or code
	Chunk    int     `json:"chunk"`
	Reader   Reader  `json:"reader"`
	Exponent float64 `json:"exponent"` // 1 is linear
}

// timing returns the timing of a reader; false where it was not measured.
func (c Cell) timing(r Reader) (Timing, bool) {
	for _, t := range c.Readings {
		if t.Reader == r {
			return t, true
		}
	}
	return Timing{}, false
}

// against returns the time of one reader by that of another in each round.
func (c Cell) against(one, other Reader) (ratio Spread, ok bool) {
	a, okA := c.timing(one)
	b, okB := c.timing(other)
	if !okA || !okB {
		return Spread{}, false
	}
	ratios := make([]float64, len(a.Samples))
	for i := range ratios {
		ratios[i] = a.Samples[i] / b.Samples[i]
	}
	return spread(ratios), true
}

// cell returns the cell of a workload and a size of chunks.
func (r Report) cell(workload string, chunk int) (Cell, bool) {
	for _, c := range r.Cells {
		if c.Workload == workload && c.Chunk == chunk {
			return c, true
		}
	}
	return Cell{}, false
}
