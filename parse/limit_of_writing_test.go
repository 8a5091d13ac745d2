package parse_test

import (
	"errors"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// TestLimitOfWriting: a call of N bytes is written under a limit of N, and refused
// under N-1, whatever stands before it in the buffer; what is refused leaves the
// buffer as it was.
func TestLimitOfWriting(t *testing.T) {
	for _, before := range []string{"", "x", "much more text than the call has bytes, and than the limit has"} {
		for _, input := range []string{`{"a":1}`, `{"a b":1}`, `{}`} {
			text, err := parse.Format(nil, "t", []byte(input))
			if err != nil {
				t.Fatal(err)
			}
			o := parse.FormatOptions{Limits: lexer.Limits{Bytes: len(text)}}
			if got, err := o.Append([]byte(before), nil, "t", []byte(input)); err != nil || string(got) != before+text {
				t.Errorf("%s after %q: %q, %v", input, before, got, err)
			}
			o.Limits.Bytes--
			got, err := o.Append([]byte(before), nil, "t", []byte(input))
			var e *lexer.Error
			if !errors.As(err, &e) || e.Code != lexer.CallTooLong || string(got) != before {
				t.Errorf("%s after %q, one byte less: %q, %v", input, before, got, err)
			}
		}
	}
}

// Tags that are not legal are refused by the writer, and read by nobody.
func TestIllegalTags(t *testing.T) {
	bad := lexer.Delims{Open: "a", Close: "b"}
	if got, err := (parse.FormatOptions{Delims: bad}).Append([]byte("x"), nil, "t", []byte(`{}`)); err == nil || string(got) != "x" {
		t.Errorf("written: %q", got)
	}
	if _, err := parse.NewParser(nil, parse.Options{Delims: bad}); err == nil {
		t.Error("a parser")
	}
	segs := parse.Options{Delims: bad}.Text("a t b", nil)
	if len(segs) != 1 || segs[0].Kind != parse.Prose || string(segs[0].Text) != "a t b" || segs[0].Start != 0 || segs[0].End != 5 {
		t.Errorf("read: %+v", segs)
	}
	if segs := (parse.Options{Delims: bad}).Text("", nil); len(segs) != 0 {
		t.Errorf("read of nothing: %+v", segs)
	}
}
