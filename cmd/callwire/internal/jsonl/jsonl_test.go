package jsonl

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	in := "a\n\n b\t\r\n" + long + "\n" + long + "y\n" + "c" + "\nlast"
	want := []string{"a", "", "b", long, ErrLong.Error(), "c", "last"}
	for _, source := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.DataErrReader(strings.NewReader(in))} {
		r := NewLines(source)
		r.Max = len(long) + 1
		for _, w := range want {
			line, err := r.Next()
			if err != nil {
				line = []byte(err.Error())
			}
			if string(line) != w {
				t.Fatalf("%.40q, want %.40q", line, w)
			}
		}
		for range 2 {
			if line, err := r.Next(); err != io.EOF {
				t.Errorf("%q, %v at the end", line, err)
			}
		}
	}
	r := NewLines(strings.NewReader(long))
	r.Max = 10
	if _, err := r.Next(); err != ErrLong {
		t.Errorf("a long last line: %v", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after a long last line: %v", err)
	}
}

// A line that is too long is an error even where a value over several lines breaks off, and so is
// the end. The lines before it are values of their own.
func TestValuesLongLine(t *testing.T) {
	long := strings.Repeat("x", 100)
	r := NewValues(strings.NewReader("{\n\"a\": [\n" + long + "\n{\"b\":\n1}\n[\n"))
	r.lines.Max = 50
	for i, want := range []string{"{", `"a": [`, ErrLong.Error(), "{\"b\":\n1}", "[", "EOF", "EOF"} {
		value, line, err := r.Next()
		if err != nil {
			value = []byte(err.Error())
		}
		wantLine := []int{1, 2, 3, 4, 6, 7, 8}[i]
		if string(value) != want || line != wantLine {
			t.Errorf("line %d: %q, want line %d: %q", line, value, wantLine, want)
		}
	}
}

// A repeated member is refused, even if its case differs.
func TestCheckMembers(t *testing.T) {
	for line, twice := range map[string]bool{
		`{"a":1,"b":2}`: false, `{"a":{"b":1},"b":[{"b":2}]}`: false, `{}`: false, `[1]`: false, `{"a"`: false,
		`{"a":1,"a":2}`: true, `{"a":1,"A":2}`: true, `{"a":1,"b":{},"\u0061":2}`: true,
	} {
		if err := CheckMembers([]byte(line)); (err != nil) != twice {
			t.Errorf("%s: %v", line, err)
		}
	}
}
