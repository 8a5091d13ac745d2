package jsonl

import "testing"

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
