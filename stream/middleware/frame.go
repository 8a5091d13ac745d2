package middleware

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

// A frame is one server-sent event, or one line of a stream of lines. It is valid until
// the next one is read.
type frame struct {
	raw  []byte // the original bytes, and what they lack of an empty line at the end
	size int    // in the stream; 0: the stream has ended
	name string // of the event
	data []byte // lines of data, joined

	object object  // that data is
	from   *frames // nil if there are no others
}

// following returns the object in the next frame, for which it waits, or nil if there is none.
func (f *frame) following() object {
	in := f.from
	if in == nil {
		return nil
	}
	if !in.peeked {
		in.frame, in.ahead = in.ahead, in.frame
		in.read()
		in.object, _ = rawjson.AppendValid(in.object[:0], in.data)
		in.frame, in.ahead = in.ahead, in.frame
		in.peeked = true
	}
	return in.ahead.object
}

// pass appends the original bytes. If dst is empty, the result shares them with the frame.
func (f *frame) pass(dst []byte) []byte {
	if len(dst) == 0 {
		return slices.Clip(f.raw)
	}
	return append(dst, f.raw...)
}

// frames reads a stream frame by frame. Lines end with a line feed, after a carriage return or not.
type frames struct {
	in      *bufio.Reader
	lines   bool   // each line is a frame
	most    int    // bytes of a frame
	taken   int64  // bytes of the frames so far
	lineEnd string // of the last line
	keep    string // the line ends that frames get; "" for their own
	err     error
	frame
	ahead  frame // the next one, or memory for it
	peeked bool  // it was read
}

func newFrames(r io.Reader, lines bool, most int64) *frames {
	in := bufio.NewReaderSize(r, 1<<10) // events are short, and many streams wait for one
	return &frames{in: in, lines: lines, most: int(min(most, 1<<40)), lineEnd: "\n"}
}

// ends returns the line ends that frames have.
func (f *frames) ends() string { return cmp.Or(f.keep, f.lineEnd) }

// next goes on to the next frame, if there is one.
func (f *frames) next() bool {
	if f.peeked {
		f.frame, f.ahead, f.peeked = f.ahead, f.frame, false
	} else {
		f.read()
	}
	f.taken += int64(f.size)
	return f.size > 0
}

// read reads a frame. One that the stream ends in is complete; one that breaks off or cannot be
// read is dropped.
func (f *frames) read() {
	f.raw, f.size, f.data, f.name, f.from = f.raw[:0], 0, nil, "", f
	isComplete, err := false, error(nil)
	for !isComplete && err == nil {
		isComplete, err = f.readLine()
	}
	if err != nil && err != io.EOF {
		f.err, f.data = err, nil
		return
	}
	if !isComplete {
		if len(f.raw) == 0 {
			return
		}
		if !bytes.HasSuffix(f.raw, []byte("\n")) {
			f.raw = append(f.raw, f.lineEnd...)
		}
		if !f.lines {
			f.raw = append(f.raw, f.lineEnd...)
		}
	}
	f.size = len(f.raw)
	if f.keep != "" && f.keep != f.lineEnd {
		f.raw = bytes.ReplaceAll(f.raw, []byte(f.lineEnd), []byte(f.keep))
	}
	f.data = bytes.TrimSpace(f.data)
}

// errReturn is the error of a line that some clients read as several.
var errReturn = errors.New("a carriage return without a line feed")

// readLine reads a line, and reports whether the frame ends with it.
func (f *frames) readLine() (isLast bool, err error) {
	start := len(f.raw)
	err = bufio.ErrBufferFull
	for err == bufio.ErrBufferFull {
		var part []byte
		part, err = f.in.ReadSlice('\n')
		f.raw = append(f.raw, part...)
		if len(f.raw) > f.most {
			return false, bufio.ErrTooLong
		}
	}
	line := f.raw[start:]
	text, isWhole := bytes.CutSuffix(line, []byte("\n"))
	text, hasReturn := bytes.CutSuffix(text, []byte("\r"))
	switch {
	case !isWhole: // maybe within its end
		f.raw = f.raw[:start+len(text)]
	case hasReturn:
		f.lineEnd = "\r\n"
	default:
		f.lineEnd = "\n"
	}
	if start == 0 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	if f.lines {
		f.data = text
		return err == nil, err
	}
	if bytes.IndexByte(text, '\r') >= 0 {
		return false, errReturn
	}
	field, value, _ := bytes.Cut(text, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case string(field) == "event":
		f.name = string(value)
	case string(field) != "data":
	case f.data == nil:
		f.data = slices.Clip(value) // mostly the only one
	default:
		f.data = append(append(f.data, '\n'), value...)
	}
	return err == nil && len(text) == 0, err
}

// appendFrame appends an event with these line ends. Line breaks in JSON are whitespace.
func appendFrame(dst []byte, lineEnd, name string, o object) []byte {
	if name != "" {
		dst = append(append(append(dst, "event: "...), name...), lineEnd...)
	}
	n := len(dst)
	dst = o.Append(append(dst, "data: "...))
	for i, c := range dst[n:] {
		if c == '\n' || c == '\r' {
			dst[n+i] = ' '
		}
	}
	return append(append(dst, lineEnd...), lineEnd...)
}
