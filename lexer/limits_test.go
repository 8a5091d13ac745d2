package lexer_test

import (
	"math"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

func TestLimitsOrDefault(t *testing.T) {
	if got := (lexer.Limits{}).OrDefault(); got != lexer.DefaultLimits {
		t.Errorf("no limits are %+v", got)
	}
	got := lexer.Limits{Bytes: 1, Depth: -1, Name: 3}.OrDefault()
	want := lexer.Limits{Bytes: 1, Depth: lexer.DefaultLimits.Depth, Arguments: lexer.DefaultLimits.Arguments, Name: 3}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	const most = 1 << 30
	got = lexer.Limits{Bytes: math.MaxInt, Depth: most + 1, Arguments: most, Name: most - 1}.OrDefault()
	want = lexer.Limits{Bytes: most, Depth: most, Arguments: most, Name: most - 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The exported defaults are for reading: to change them changes nothing for those
// who share the process.
func TestDefaultsCannotBeChanged(t *testing.T) {
	defer func(l lexer.Limits, d lexer.Delims) { lexer.DefaultLimits, lexer.DefaultDelims = l, d }(lexer.DefaultLimits, lexer.DefaultDelims)
	const text = "<call>t a=1</call>"
	want, limits := tokens(t, lexer.Config{}, text), lexer.Limits{}.OrDefault()
	lexer.DefaultLimits = lexer.Limits{Bytes: 1, Depth: -1}
	lexer.DefaultDelims = lexer.Delims{Open: "<<", Close: "x"}
	if got := (lexer.Limits{}).OrDefault(); got != limits {
		t.Errorf("no limits are %+v", got)
	}
	if got := (lexer.Delims{}).OrDefault(); got.Open != "<call>" || !got.IsDefault() {
		t.Errorf("no tags are %+v", got)
	}
	if got := tokens(t, lexer.Config{}, text); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// N passes and N+1 does not, at one offset under every split. The mark ¦ stands
// where the fault of limit N-1 is.
func TestLimits(t *testing.T) {
	bytes := func(n int) lexer.Limits { return lexer.Limits{Bytes: n} }
	depth := func(n int) lexer.Limits { return lexer.Limits{Depth: n} }
	name := func(n int) lexer.Limits { return lexer.Limits{Name: n} }
	for _, c := range []struct {
		name  string
		limit func(int) lexer.Limits
		n     int // what passes
		code  lexer.Code
		text  string
	}{
		{"bytes of a call without arguments", bytes, 14, lexer.CallTooLong, "<call>t</call¦>"},
		{"bytes of a call with a word", bytes, 18, lexer.CallTooLong, "<call>t a=1</call¦>"},
		{"bytes of a call with a string", bytes, 20, lexer.CallTooLong, `<call>t a="1"</call¦>`},
		{"bytes count whitespace after the opener", bytes, 16, lexer.CallTooLong, "<call>  t</call¦>"},
		{"bytes count whitespace before the close tag", bytes, 16, lexer.CallTooLong, "<call>t  </call¦>"},
		{"bytes of a JSON body", bytes, 22, lexer.CallTooLong, `<call>t {"a":1}</call¦>`},
		{"name of letters", name, 3, lexer.NameTooLong, "<call>ab¦c d=1</call>"},
		{"name before the close tag", name, 3, lexer.NameTooLong, "<call>ab¦c</call>"},
		{"name counts bytes, not runes", name, 2, lexer.NameTooLong, "<call>¤ a=1</call>"},
		{"depth of arrays", depth, 2, lexer.TooDeep, "<call>t a=[¦[1]]</call>"},
		{"depth of objects", depth, 2, lexer.TooDeep, "<call>t a={k:¦{l:1}}</call>"},
		{"depth of dots", depth, 2, lexer.TooDeep, "<call>t a.b¦.c=1</call>"},
		{"depth of dots and brackets", depth, 2, lexer.TooDeep, "<call>t a.b=¦[1]</call>"},
		{"depth of a JSON body does not count the body", depth, 2, lexer.TooDeep, `<call>t {"a":[¦[1]]}</call>`},
		{"depth of objects in arrays", depth, 3, lexer.TooDeep, "<call>t a=[1, [2, ¦{k:3}]]</call>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			marked := strings.Replace(c.text, "¤", "\xc3¦\xa9", 1)
			text, at, end := place(marked)
			everySplit(text, func(chunks ...string) {
				pieces := read(t, lexer.Config{Limits: c.limit(c.n)}, chunks...)
				for _, p := range pieces {
					if p.Kind == lexer.Fault {
						t.Errorf("limit %d, chunks %q: %s", c.n, chunks, show(pieces))
					}
				}
				checkFault(t, lexer.Config{Limits: c.limit(c.n - 1)}, chunks, c.code, at, end)
			})
		})
	}
}

// Where the limit on bytes falls, whatever stands there: the fault is at start+N,
// and the damage ends where it would have.
func TestBytesLimitAnywhere(t *testing.T) {
	const text = `x <call>tool a.b="é\u00e9\"" c=[x, 'y', {k: "z"}] d=w</call> y`
	start, end := strings.Index(text, "<call>"), strings.LastIndex(text, " y")
	for n := len("<call>") + 1; n < end-start; n++ {
		c := lexer.Config{Limits: lexer.Limits{Bytes: n}}
		ones := strings.Split(text, "")
		for _, chunks := range [][]string{{text}, ones, {text[:start+n], text[start+n:]}, {text[:start+n-1], text[start+n-1:]}} {
			checkFault(t, c, chunks, lexer.CallTooLong, start+n, end)
		}
	}
}

// An opener that fills the limit begins no call.
func TestBytesLimitInTheOpener(t *testing.T) {
	for _, c := range []struct {
		n    int
		text string
		want string
	}{
		{6, "<call>t</call>", "Text(<call>t</call>)"},
		{7, "<call> t</call>", "Text(<call> t</call>)"},
		{8, "<call> t</call>", "Open(<call> ) Fault(call-too-long@8) Damage(t) Close(</call>)"},
	} {
		got := tokens(t, lexer.Config{Limits: lexer.Limits{Bytes: c.n}}, c.text)
		if got != c.want {
			t.Errorf("limit %d, %q\ngot  %s\nwant %s", c.n, c.text, got, c.want)
		}
	}
}

// The input may end in the beginning of a tag in which the limit falls: the call is too
// long, not unterminated.
func TestBytesLimitInATagThatNeverCame(t *testing.T) {
	for _, body := range []string{"t", "t a=1", "t ", `t a="x"`, "t a=[1", "t a=[1]"} {
		text := "<call>" + body + "</cal"
		for n := len(text) - 4; n < len(text); n++ {
			c := lexer.Config{Limits: lexer.Limits{Bytes: n}}
			for _, chunks := range [][]string{{text}, strings.Split(text, "")} {
				checkFault(t, c, chunks, lexer.CallTooLong, n, len(text))
			}
		}
	}
}
