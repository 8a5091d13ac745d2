package speed

import (
	"fmt"
	"math"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
)

// Page puts all of the report into words.
func (r Report) Page() *page.Page {
	var p page.Page
	p.Heading("Speed")
	p.Text("%s", r.where())
	p.Table(r.table(func(Cell) bool { return true }))
	p.Text("%s", r.legend())
	if len(r.Growth) == 0 {
		return &p
	}
	p.Heading("How the time for one string grows with its length")
	p.Text("Exponents, from %s to %s: 1 is linear, 2 quadratic.", bytesOf(r.smallest()), bytesOf(r.largest()))
	p.Table(r.growthTable())
	return &p
}

// Brief puts the report into a few words, for a README.
func (r Report) Brief() *page.Page {
	var p page.Page
	p.Text("%s", r.where())
	p.Table(r.table(r.brief))
	p.Text("%s", r.legend())
	if len(r.Growth) == 0 {
		return &p
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, g := range r.Growth {
		if g.Reader == Wire {
			low, high = min(low, g.Exponent), max(high, g.Exponent)
		}
	}
	p.Text("From %s to %s the time for one string grows with its length to the power of %.2f to %.2f, at all sizes of chunks.",
		bytesOf(r.smallest()), bytesOf(r.largest()), low, high)
	return &p
}

// brief says whether a cell is among the few.
func (r Report) brief(c Cell) bool {
	switch {
	case c.Calls > 1:
		return true
	case c.size == 0:
		return c.Chunk == 16 || c.Chunk == 4096
	}
	return c.size == r.typical() && (c.Chunk == 16 || c.Chunk == 4096)
}

// typical is the size of strings that stands for all: 1 MB, where that has been
// measured.
func (r Report) typical() int { return min(r.largest(), 1<<20) }

func (r Report) largest() (n int) {
	for _, c := range r.Cells {
		n = max(n, c.size)
	}
	return n
}

func (r Report) smallest() int {
	n := r.largest()
	for _, c := range r.Cells {
		if c.size > 0 {
			n = min(n, c.size)
		}
	}
	return n
}

func (r Report) where() string {
	return fmt.Sprintf("%s; up to %d rounds. Processor time: the shortest, and of ratios the median, with the quartiles in brackets.", r.Machine, r.Rounds)
}

func (r Report) legend() string {
	s := "The columns on the right are times of the wire format by those of the other: 0.25 is a quarter of the time. " +
		"A call of transcript has 200 bytes of text before it, which both read. encoding/json hands a block out when it is complete, the wire format text and arguments as they arrive; rows with parser are for whole calls only. "
	if r.Machine.JSONv2 {
		return s + "encoding/json is the one made of version 2 here."
	}
	return s + "encoding/json/v2 is measured where GOEXPERIMENT=jsonv2 is set."
}

// table has a row for each cell that is wanted.
func (r Report) table(wanted func(Cell) bool) page.Table {
	t := page.Table{Head: []string{"text, chunks in bytes", "time", "", "encoding/json"}}
	others := []Reader{JSON}
	if r.Machine.JSONv2 {
		t.Head, others = append(t.Head, "json/v2"), append(others, JSONv2)
	}
	t.Head, others = append(t.Head, "IndexByte", "no-op"), append(others, IndexByte, Noop)
	for _, c := range r.Cells {
		if !wanted(c) {
			continue
		}
		for _, reader := range []Reader{Wire, Parser} {
			timing, ok := c.timing(reader)
			if !ok {
				continue
			}
			row := []string{c.label(reader), c.perCall(timing), c.throughput(timing)}
			for _, other := range others {
				row = append(row, c.ratio(reader, other))
			}
			t.Row(row...)
		}
	}
	return t
}

// label names a row.
func (c Cell) label(r Reader) string {
	at := fmt.Sprintf("chunks of %d", c.Chunk)
	if c.Chunk == whole {
		at = "each a chunk"
	}
	name := strings.ReplaceAll(c.Workload, "-", " ")
	if r == Parser {
		at += ", parser"
	}
	return name + ", " + at
}

// perCall returns the time for a call, where the cell is about calls.
func (c Cell) perCall(t Timing) string {
	if c.Calls < 2 {
		return ""
	}
	return fmt.Sprintf("%.0f ns/call", t.Least/float64(c.Calls))
}

// throughput returns how many bytes of the text are read in a second.
func (c Cell) throughput(t Timing) string {
	gb := float64(c.Bytes) / t.Least
	if gb < 0.1 {
		return fmt.Sprintf("%.0f MB/s", 1000*gb)
	}
	return fmt.Sprintf("%.2f GB/s", gb)
}

// ratio returns that of two readers, with its spread where that says something.
func (c Cell) ratio(one, other Reader) string {
	s, ok := c.against(one, other)
	switch {
	case !ok:
		return ""
	case s.Median >= 10:
		return fmt.Sprintf("%.0f", s.Median)
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Low, s.High)
}

// growthTable has a row for each kind of text and size of chunks.
func (r Report) growthTable() page.Table {
	t := page.Table{Head: []string{"string, chunks in bytes", string(Wire), "encoding/json"}}
	if r.Machine.JSONv2 {
		t.Head = append(t.Head, "json/v2")
	}
	rows := map[string]int{}
	for _, g := range r.Growth {
		name := fmt.Sprintf("%s, chunks of %d", g.Text, g.Chunk)
		if _, ok := rows[name]; !ok {
			rows[name] = len(t.Rows)
			t.Row(name)
		}
		row := &t.Rows[rows[name]]
		*row = append(*row, fmt.Sprintf("%.2f", g.Exponent))
	}
	return t
}
