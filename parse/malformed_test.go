package parse_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// OnMalformed hears of each call that is dropped, and why; not of one that is mended.
func TestOnMalformed(t *testing.T) {
	var heard []parse.Segment
	o := parse.Options{
		Mend:        func(s parse.Segment) (string, bool) { return "<call>u</call>", s.Name == "u" },
		OnMalformed: func(s parse.Segment) { heard = append(heard, s) },
	}
	o.Text("<call>t(x)</call> <call>u a</call> <call>v a</call>", nil)
	if len(heard) != 2 || heard[0].Err.Code != lexer.BadName || heard[1].Err.Code != lexer.ExpectedEquals || string(heard[1].Text) != "<call>v a</call>" {
		t.Errorf("%+v", heard)
	}
}
