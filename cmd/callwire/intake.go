package main

import (
	"bufio"
	"fmt"
	"io"
)

// intake takes a text in chunks and prints what is in it.
type intake interface {
	feed(chunk []byte) // the next chunk, which changes after that
	close() tally      // the text has ended
}

// tally counts what was read.
type tally struct{ calls, malformed, issues int }

// largestChunk is how many bytes are read at once.
const largestChunk = 64 << 10

// read gives in to an intake, to its end. What is known after each piece that
// arrives is written before the next one is waited for.
func read(in io.Reader, to intake, out *bufio.Writer) (tally, error) {
	chunk := make([]byte, largestChunk)
	for {
		n, err := in.Read(chunk)
		to.feed(chunk[:n])
		if err == io.EOF {
			break
		}
		if flushErr := out.Flush(); flushErr != nil {
			return tally{}, fmt.Errorf("cannot write: %w", flushErr)
		}
		if err != nil {
			return tally{}, fmt.Errorf("cannot read on: %w", err)
		}
	}
	seen := to.close()
	if err := out.Flush(); err != nil {
		return seen, fmt.Errorf("cannot write: %w", err)
	}
	return seen, nil
}

// sized is a reader that gives its bytes n at a time, fewer only at the end.
// It is read with more room than that.
type sized struct {
	in *bufio.Reader
	n  int
}

// inChunks returns a reader of in whose pieces have n bytes.
func inChunks(in io.Reader, n int) io.Reader {
	return sized{bufio.NewReaderSize(in, largestChunk), n}
}

func (s sized) Read(to []byte) (int, error) {
	n, err := io.ReadFull(s.in, to[:s.n])
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
