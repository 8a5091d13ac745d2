package middleware

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
)

// A frame is one server-sent event, or one line of a stream of lines. It is valid until
// the next one is read.
type frame struct {
	raw  []byte // the original bytes, and what they lack of an empty line at the end
	name string // of the event
	data []byte // lines of data, joined
}

// pass appends the original bytes. If dst is empty, the result shares them with the frame.
func (f *frame) pass(dst []byte) []byte {
	if len(dst) == 0 {
		return slices.Clip(f.raw)
	}
	return append(dst, f.raw...)
}

// frames reads a stream frame by frame.
type frames struct {
	scanner *bufio.Scanner // of lines
	seen    int            // how much of an incomplete line was searched
	lines   bool           // each line is a frame
	most    int            // bytes of a frame
	taken   int64          // bytes of the frames so far
	lineEnd string         // of the last line
	err     error
	frame
}

func newFrames(r io.Reader, lines bool, most int64) *frames {
	f := &frames{scanner: bufio.NewScanner(r), lines: lines, lineEnd: "\n"}
	f.most = int(min(most, 1<<40))
	f.scanner.Buffer(make([]byte, 0, 1<<10), f.most+1)
	f.scanner.Split(f.splitLine)
	return f
}

// splitLine implements [bufio.SplitFunc] for lines with their ends.
func (f *frames) splitLine(data []byte, atEOF bool) (advance int, token []byte, err error) {
	n := lineBreak(data[f.seen:])
	end := f.seen + n + 1
	isCR := n >= 0 && data[end-1] == '\r'
	switch {
	case n < 0 && atEOF && len(data) > 0:
		end = len(data)
	case n < 0:
		f.seen = len(data)
		return 0, nil, nil
	case isCR && end == len(data) && !atEOF: // a line feed may follow
		f.seen = end - 1
		return 0, nil, nil
	case isCR && end < len(data) && data[end] == '\n':
		end++
	}
	f.seen = 0
	return end, data[:end], nil
}

// next reads a frame. One that the stream ends in is complete; one in which the connection
// breaks is dropped.
func (f *frames) next() bool {
	f.raw, f.data, f.name = f.raw[:0], f.data[:0], ""
	count, isComplete := 0, false
	for !isComplete && len(f.raw) <= f.most && f.scanner.Scan() {
		line := f.scanner.Bytes()
		text := bytes.TrimRight(line, "\r\n")
		isComplete = len(text) < len(line) && (f.lines || len(text) == 0)
		f.lineEnd = cmp.Or(string(line[len(text):]), f.lineEnd)
		if len(f.raw) == 0 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		f.raw = append(f.raw, line...)
		if f.lines {
			f.data = append(f.data, text...)
			continue
		}
		field, value, _ := bytes.Cut(text, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if count++; count > 1 {
				f.data = append(f.data, '\n')
			}
			f.data = append(f.data, value...)
		case "event":
			f.name = string(value)
		}
	}
	switch {
	case len(f.raw) > f.most:
		f.err = bufio.ErrTooLong
	case !isComplete: // an error that came with the rest of a frame waits for the next one
		f.err = f.scanner.Err()
	}
	if f.err != nil || len(f.raw) == 0 {
		return false
	}
	f.taken += int64(len(f.raw))
	if last := f.raw[len(f.raw)-1]; last != '\n' && last != '\r' {
		f.raw = append(f.raw, f.lineEnd...)
	}
	if !isComplete && !f.lines {
		f.raw = append(f.raw, f.lineEnd...)
	}
	f.data = bytes.TrimSpace(f.data)
	return true
}

// lineBreak returns the offset of the first line feed or carriage return, or -1.
func lineBreak(data []byte) int {
	n := bytes.IndexByte(data, '\n')
	rest := data
	if n >= 0 {
		rest = data[:n]
	}
	r := bytes.IndexByte(rest, '\r')
	if r >= 0 {
		return r
	}
	return n
}

// appendFrame appends an event with these line ends. Line breaks in JSON are whitespace.
func appendFrame(dst []byte, lineEnd, name string, data []byte) []byte {
	dst = slices.Grow(dst, len(name)+len(data)+len("event: data: ")+3*len(lineEnd))
	if name != "" {
		dst = append(append(append(dst, "event: "...), name...), lineEnd...)
	}
	n := len(dst)
	dst = append(append(dst, "data: "...), data...)
	for i, c := range dst[n:] {
		if c == '\n' || c == '\r' {
			dst[n+i] = ' '
		}
	}
	return append(append(dst, lineEnd...), lineEnd...)
}
