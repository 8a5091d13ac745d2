package middleware

import (
	"bufio"
	"bytes"
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
	*bufio.Scanner
	lines   bool   // each line is a frame
	line    int    // where the incomplete line begins
	seen    int    // how much of it was searched
	taken   int64  // bytes of the frames so far
	lineEnd string // of the last complete line
	ended   bool   // the frame has its end
	frame
}

func newFrames(r io.Reader, lines bool, most int64) *frames {
	f := &frames{Scanner: bufio.NewScanner(r), lines: lines, lineEnd: "\n"}
	f.Buffer(make([]byte, 0, 1<<10), int(min(most, 1<<40))+1)
	f.Split(f.split)
	return f
}

// split implements [bufio.SplitFunc]. A frame in which the connection breaks is dropped;
// one that the stream ends in is complete.
func (f *frames) split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	for at := f.line; at < len(data); f.seen = 0 {
		n := lineBreak(data[at+f.seen:])
		if n < 0 {
			f.line, f.seen = at, len(data)-at
			break
		}
		end := at + f.seen + n
		next := end + 1
		if data[end] == '\r' {
			if next == len(data) && !atEOF {
				f.line, f.seen = at, end-at
				break // a line feed may follow
			}
			if next < len(data) && data[next] == '\n' {
				next++
			}
		}
		if end == at || f.lines {
			f.ended = true
			f.line, f.seen = 0, 0
			f.lineEnd = string(data[end:next])
			return next, data[:next], nil
		}
		at = next
	}
	if atEOF && len(data) > 0 && f.Err() == nil {
		f.ended = false
		return len(data), data, nil
	}
	return 0, nil, nil
}

func (f *frames) next() bool {
	if !f.Scan() {
		return false
	}
	raw := f.Bytes()
	f.taken += int64(len(raw))
	f.frame = frame{raw: raw}
	if f.lines {
		f.data = bytes.TrimSpace(raw)
	} else {
		f.cut(bytes.TrimPrefix(raw, []byte("\ufeff")))
	}
	if !f.ended {
		f.raw = append(raw[:len(raw):len(raw)], f.missingEnd(raw)...)
	}
	return true
}

// missingEnd returns what a frame that the stream ends in lacks at its end.
func (f *frames) missingEnd(raw []byte) string {
	end := f.lineEnd
	if last := raw[len(raw)-1]; last == '\n' || last == '\r' {
		end = ""
	}
	if !f.lines {
		end += f.lineEnd
	}
	return end
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

func (f *frame) cut(raw []byte) {
	count := 0
	for len(raw) > 0 {
		n := lineBreak(raw)
		if n < 0 {
			n = len(raw)
		}
		line := raw[:n]
		raw = raw[min(n+1, len(raw)):] // of CR LF, the LF is an empty line
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if count++; count > 1 {
				value = append(append(bytes.Clone(f.data), '\n'), value...)
			}
			f.data = value
		case "event":
			f.name = string(value)
		}
	}
	f.data = bytes.TrimSpace(f.data)
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
