package render

import (
	"bufio"
	"io"
)

// MaxChunk is how many bytes are read at once.
const MaxChunk = 64 << 10

// sized is a reader that gives its bytes n at a time, fewer only at the end.
// It is read with more room than that.
type sized struct {
	in *bufio.Reader
	n  int
}

// Chunks returns a reader of in whose pieces have n bytes.
func Chunks(in io.Reader, n int) io.Reader {
	return sized{bufio.NewReaderSize(in, MaxChunk), n}
}

func (s sized) Read(to []byte) (int, error) {
	n, err := io.ReadFull(s.in, to[:s.n])
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
