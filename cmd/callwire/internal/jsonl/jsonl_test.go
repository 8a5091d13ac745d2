package jsonl

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestValues: a value takes one line or several. Lines that are no value together are
// values of their own.
func TestValues(t *testing.T) {
	for in, want := range map[string]string{
		"\ufeff1\n\n {\n\"a\":[\n\n2]} \r\n3": `1 "1" 3 "{\n\"a\":[\n\n2]}" 7 "3" 7 EOF`,
		"[1]{}\nx y\n{\"a\":\n\n[2\n{}\n[":    `1 "[1]" 1 "{}" 2 "x y" 3 "{\"a\":" 5 "[2" 6 "{}" 7 "[" 7 EOF`,
		"{\n{\n":                              `1 "{" 2 "{" 2 EOF`,
		"{\"a\" \n 2}\n3":                     `1 "{\"a\"" 2 "2" 2 "}" 3 "3" 3 EOF`,
	} {
		for _, source := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			r := NewValues(source)
			var got []string
			for {
				value, line, err := r.Next()
				if err != nil {
					got = append(got, fmt.Sprint(line-1, " ", err))
					break
				}
				got = append(got, fmt.Sprintf("%d %q", line, value))
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
