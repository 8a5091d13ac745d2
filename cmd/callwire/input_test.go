package main

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	in := "a\n\n b\t\r\n" + long + "\n" + long + "y\n" + "c" + "\nlast"
	want := []string{"a", "", "b", long, errLongLine.Error(), "c", "last"}
	for _, source := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.DataErrReader(strings.NewReader(in))} {
		r := newLineReader(source)
		r.most = len(long) + 1
		for _, w := range want {
			line, err := r.next()
			if err != nil {
				line = []byte(err.Error())
			}
			if string(line) != w {
				t.Fatalf("%.40q, want %.40q", line, w)
			}
		}
		for range 2 {
			if line, err := r.next(); err != io.EOF {
				t.Errorf("%q, %v at the end", line, err)
			}
		}
	}
	r := newLineReader(strings.NewReader(long))
	r.most = 10
	if _, err := r.next(); err != errLongLine {
		t.Errorf("a long last line: %v", err)
	}
	if _, err := r.next(); err != io.EOF {
		t.Errorf("after a long last line: %v", err)
	}
}
