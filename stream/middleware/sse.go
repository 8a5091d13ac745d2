package middleware

import "bytes"

// A stream of server-sent events is a sequence of blocks of lines, each ended by
// an empty line. Lines end with LF, CR LF or CR. The scanner finds the blocks in
// whatever chunks they come. A block keeps its bytes, so it passes exactly. A stream
// that stops before an empty line gets one, in case we add something.

// block is one event, or a run of comments. Its fields share memory with the scanner
// and are valid until more is fed.
type block struct {
	raw  []byte // all of it, the empty line included
	name string // of the event; "" without one
	data []byte // its data, lines joined by LF; nil without a data line
	end  int    // offset in raw after its data, where that is one line; else 0
	rest []byte // the lines that are neither its name nor its data, with their ends
}

// scanner cuts blocks out of a stream.
type scanner struct {
	buf   []byte // what was read; buf[from:] has not been returned
	from  int
	line  int    // offset in buf of the line that is not complete
	at    int    // offset in buf of the first byte not looked at
	ended bool   // the stream is complete
	added int    // bytes added to end the last block, which the stream did not end
	lines bool   // each line is a block of its own, and all of it data
	begun bool   // a block was returned
	taken int64  // bytes of all blocks that were returned
	data  []byte // memory for data of several lines
	rest  []byte
}

// free returns room for at least n bytes to read into; fill says how many were.
func (s *scanner) free(n int) []byte {
	if s.from > 0 && (s.from == len(s.buf) || cap(s.buf)-len(s.buf) < n) {
		s.buf = s.buf[:copy(s.buf, s.buf[s.from:])]
		s.line -= s.from
		s.at -= s.from
		s.from = 0
	}
	if cap(s.buf)-len(s.buf) < n {
		grown := make([]byte, len(s.buf), max(2*cap(s.buf), len(s.buf)+n))
		copy(grown, s.buf)
		s.buf = grown
	}
	return s.buf[len(s.buf):cap(s.buf)]
}

func (s *scanner) fill(n int) { s.buf = s.buf[:len(s.buf)+n] }

// end says that the stream is complete: what is left becomes a block.
func (s *scanner) end() { s.ended = true }

// held returns how many bytes wait for the rest of their block.
func (s *scanner) held() int { return len(s.ahead()) }

// ahead returns what was read and not returned yet.
func (s *scanner) ahead() []byte { return s.buf[s.from:] }

// skip takes n bytes, one block, from what is ahead.
func (s *scanner) skip(n int) {
	s.from += n
	s.taken += int64(n)
	s.line, s.at = s.from, s.from
}

// next returns the next complete block.
func (s *scanner) next(b *block) bool {
	for s.at < len(s.buf) {
		i := lineEnd(s.buf[s.at:])
		if i < 0 {
			s.at = len(s.buf)
			break
		}
		i += s.at
		end := i + 1
		if s.buf[i] == '\r' {
			if end == len(s.buf) && !s.ended {
				s.at = i // an LF may follow
				return false
			}
			if end < len(s.buf) && s.buf[end] == '\n' {
				end++
			}
		}
		empty := i == s.line
		s.line, s.at = end, end
		if empty || s.lines {
			s.cut(b, end)
			return true
		}
	}
	if s.ended && s.from < len(s.buf) {
		s.terminate()
		s.line, s.at = len(s.buf), len(s.buf)
		s.cut(b, len(s.buf))
		return true
	}
	return false
}

// terminate ends the last block if the stream did not, so anything sent after it is a
// block of its own.
func (s *scanner) terminate() {
	came := len(s.buf)
	if s.buf[came-1] != '\n' {
		s.buf = append(s.buf, '\n')
	}
	if !s.lines {
		s.buf = append(s.buf, '\n')
	}
	s.added = len(s.buf) - came
}

// cut makes a block of what lies before end.
func (s *scanner) cut(b *block, end int) {
	raw, start := s.buf[s.from:end], s.from
	s.from = end
	s.taken += int64(len(raw))
	*b = block{raw: raw}
	s.data, s.rest = s.data[:0], s.rest[:0]
	if !s.begun { // a byte order mark may come first
		s.begun = true
		raw = bytes.TrimPrefix(raw, byteOrder)
	}
	if s.lines {
		b.data, b.end = bytes.TrimSpace(raw[:len(raw):len(raw)]), len(b.raw)
		return
	}
	lines := 0
	for len(raw) > 0 {
		line, whole := cutLine(raw)
		raw = raw[len(whole):]
		field, value, _ := bytes.Cut(line, colon)
		value = bytes.TrimPrefix(value, blank)
		switch string(field) {
		case "data":
			switch lines++; lines {
			case 1:
				b.data = value[:len(value):len(value)]
				b.end = s.from - len(raw) - (len(whole) - len(line)) - start
			case 2:
				s.data, b.end = append(s.data, b.data...), 0
				fallthrough
			default:
				s.data = append(append(s.data, '\n'), value...)
				b.data = s.data
			}
		case "event":
			b.name = eventName(value)
		default:
			if len(line) > 0 {
				s.rest = append(s.rest, whole...)
			}
		}
	}
	b.rest = s.rest
}

var (
	byteOrder = []byte("\ufeff") // the mark of it
	colon     = []byte(":")
	blank     = []byte(" ")
)

// blockOf returns one block, which is complete, and not the first.
func blockOf(raw []byte, lines bool) (b block) {
	s := scanner{buf: raw, lines: lines, begun: true}
	s.next(&b)
	return b
}

// lineEnd returns the offset of the first byte that ends a line, -1 if there is
// none. It looks for both in windows, which is four times as fast as bytes.IndexAny,
// and linear even if one of them is far away.
func lineEnd(text []byte) int {
	const window = 512
	for from := 0; from < len(text); from += window {
		w := text[from:min(from+window, len(text))]
		i := bytes.IndexByte(w, '\n')
		if i >= 0 {
			w = w[:i]
		}
		if j := bytes.IndexByte(w, '\r'); j >= 0 {
			i = j
		}
		if i >= 0 {
			return from + i
		}
	}
	return -1
}

// cutLine returns the first line, without and with its end.
func cutLine(text []byte) (line, whole []byte) {
	i := lineEnd(text)
	switch {
	case i < 0:
		return text, text
	case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return text[:i], text[:i+2]
	}
	return text[:i], text[:i+1]
}

// eventName returns the name of an event, without allocating for those known.
func eventName(value []byte) string {
	switch string(value) {
	case "message_start":
		return "message_start"
	case "content_block_start":
		return "content_block_start"
	case "content_block_delta":
		return "content_block_delta"
	case "content_block_stop":
		return "content_block_stop"
	case "message_delta":
		return "message_delta"
	case "message_stop":
		return "message_stop"
	case "ping":
		return "ping"
	}
	return string(value)
}

// appendEvent appends an event with that name, if it has one, and data, which is
// JSON.
func appendEvent(dst []byte, name string, data []byte) []byte {
	if name != "" {
		dst = append(append(append(dst, "event: "...), name...), '\n')
	}
	for {
		line, whole := cutLine(data)
		dst = append(append(append(dst, "data: "...), line...), '\n')
		if len(whole) == len(data) {
			return append(dst, '\n')
		}
		data = data[len(whole):]
	}
}
