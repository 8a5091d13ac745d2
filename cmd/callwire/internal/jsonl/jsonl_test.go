package jsonl

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestValues: a value takes one line or several. Lines that are no value together are values of
// their own, as are those before a line that is too long, which is skipped.
func TestValues(t *testing.T) {
	long := strings.Repeat("x", 100)
	for in, want := range map[string]string{
		"\ufeff1\n\n {\n\"a\":[\n\n2]} \r\n3":      `1 "1" 3 "{\n\"a\":[\n\n2]}" 7 "3" 8 EOF`,
		"{\n\"a\": [\n" + long + "\n{\"b\":\n1}\n": `1 "{" 2 "\"a\": [" 3 the line is longer than 64 MiB 4 "{\"b\":\n1}" 6 EOF`,
		long + "\n\n" + long:                       `1 the line is longer than 64 MiB 3 the line is longer than 64 MiB 4 EOF`,
		"[1]{}\n{\"a\":\n\n[2\n{}\n[":              `1 "[1]{}" 2 "{\"a\":" 4 "[2" 5 "{}" 6 "[" 7 EOF`,
	} {
		for _, source := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			r := NewValues(source)
			r.lines.max = 50
			var got []string
			for {
				value, line, err := r.Next()
				if err != nil {
					got = append(got, fmt.Sprint(line, " ", err))
				} else {
					got = append(got, fmt.Sprintf("%d %q", line, value))
				}
				if err == io.EOF {
					break
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q: %s\nwant %s", in, strings.Join(got, " "), want)
			}
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
