package render

import "sort"

// lineIndex finds the lines of a text that is read in chunks.
type lineIndex struct {
	read   int   // bytes
	starts []int // offsets of the beginnings of the lines that are remembered
	gone   int   // how many lines are before those
}

func newLineIndex() *lineIndex { return &lineIndex{starts: []int{0}} }

// feed reads the next chunk.
func (x *lineIndex) feed(chunk []byte) {
	for i, b := range chunk {
		if b == '\n' {
			x.starts = append(x.starts, x.read+i+1)
		}
	}
	x.read += len(chunk)
}

// at returns the line and the column of an offset, both counted from 1. Columns
// count bytes, as offsets do.
func (x *lineIndex) at(offset int) (line, column int) {
	i := sort.SearchInts(x.starts, offset+1) - 1
	if i < 0 {
		return x.gone + 1, 1
	}
	return x.gone + i + 1, offset - x.starts[i] + 1
}

// forget drops the lines that end before offset.
func (x *lineIndex) forget(offset int) {
	i := sort.SearchInts(x.starts, offset+1) - 1
	if i > 0 {
		x.starts = append(x.starts[:0], x.starts[i:]...)
		x.gone += i
	}
}
