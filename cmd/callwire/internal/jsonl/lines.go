// Package jsonl reads JSON values from a stream, each in a line or over several, and
// writes them in lines.
package jsonl

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxLine bounds a line, in bytes.
const maxLine = 64 << 20

// ErrLong is the error for a line that was skipped because of its length.
var ErrLong = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)

// Lines reads lines.
type Lines struct {
	Max int // bytes in a line; longer ones are skipped

	in      *bufio.Reader
	buf     []byte
	started bool // a line was read, so a byte order mark can no longer come
}

// NewLines returns a reader of the lines of in, of up to 64 MiB each.
func NewLines(in io.Reader) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, 64<<10), Max: maxLine}
}

// Next returns the next line without the whitespace around it. The line is valid until the next
// call. After ErrLong, Next goes on with the next line.
func (r *Lines) Next() ([]byte, error) {
	r.buf = r.buf[:0]
	long := false
	for {
		piece, err := r.in.ReadSlice('\n')
		long = long || len(r.buf)+len(piece) > r.Max
		if !long {
			r.buf = append(r.buf, piece...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || len(r.buf) == 0 && !long):
			return nil, err
		case long:
			return nil, ErrLong
		}
		line := r.buf
		if !r.started {
			line, r.started = WithoutMark(line), true
		}
		return bytes.TrimSpace(line), nil
	}
}

// WithoutMark returns JSON text without the byte order mark that some editors put
// in front of it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }
