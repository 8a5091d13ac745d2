package render

import "bytes"

// source is the end of a text that is read in chunks.
type source struct {
	text  []byte // what is kept
	start int    // its offset

	line, lineStart int // the number and the offset of the line in which it starts
}

// add adds the next chunk.
func (s *source) add(chunk []byte) { s.text = append(s.text, chunk...) }

// from returns the text from an offset on.
func (s *source) from(offset int) []byte { return s.text[offset-s.start:] }

// forget drops the text before an offset.
func (s *source) forget(offset int) {
	line, column := s.place(offset)
	s.text, s.start = s.from(offset), offset
	s.line, s.lineStart = line-1, offset-column+1
}

// place returns the line and the column of an offset, counted from 1. Columns count bytes.
func (s *source) place(offset int) (line, column int) {
	before := s.text[:max(0, offset-s.start)]
	line, lineStart := s.line, s.lineStart
	if n := bytes.Count(before, []byte{'\n'}); n > 0 {
		line, lineStart = line+n, s.start+bytes.LastIndexByte(before, '\n')+1
	}
	return line + 1, max(offset-lineStart, 0) + 1
}
