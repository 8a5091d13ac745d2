package parse_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// parts reads what is left to read, one word for each part.
func parts(p parse.Reader) string {
	var words []string
	for part := p.Next(); part != parse.NoPart; part = p.Next() {
		s := p.Segment()
		switch part {
		case parse.TextPart:
			words = append(words, fmt.Sprintf("text(%s)", p.Delta()))
		case parse.StartPart:
			words = append(words, fmt.Sprintf("start(%s@%d)", s.Name, s.Start))
		case parse.InputPart:
			words = append(words, fmt.Sprintf("input(%s)", p.Delta()))
		case parse.CallPart:
			words = append(words, fmt.Sprintf("call(%s rest %s)[%d:%d]", s.Input, p.Delta(), s.Start, s.End))
		case parse.MalformedPart:
			words = append(words, fmt.Sprintf("malformed(%s@%d)[%d:%d]", s.Err.Code, s.Err.Offset, s.Start, s.End))
		}
	}
	return strings.Join(words, " ")
}

func newParser(t *testing.T, o parse.Options) *parse.Parser {
	t.Helper()
	p, err := parse.NewParser(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Chunk by chunk, what has become final comes out, and nothing else.
func TestParts(t *testing.T) {
	p := newParser(t, parse.Options{})
	for _, c := range []struct{ chunk, want string }{
		{"text <ca", "text(text )"},
		{"ll>", ""},
		{"to", ""},
		{"ol ", "start(tool@5)"},
		{"a=wo", `input({"a":)`},
		{"rd b=\"lo", `input("word","b":"lo)`},
		{"ng\\", `input(ng)`},
		{"n\" c.d=1", `input(\n","c":{"d":)`},
		{"</cal", ""},
		{"l>more", `call({"a":"word","b":"long\n","c":{"d":1}} rest 1}})[5:46] text(more)`},
		{"<call>t a=x y</call>", `start(t@50) input({"a":"x") malformed(expected-equals@63)[50:70]`},
		{"<call>u</call>", `start(u@70) call({} rest {})[70:84]`},
	} {
		p.Feed([]byte(c.chunk))
		if got := parts(p); got != c.want {
			t.Errorf("%q: got %s, want %s", c.chunk, got, c.want)
		}
	}
	p.Close()
	if got := parts(p); got != "" || p.Skip(0, nil) {
		t.Errorf("at the end: %s", got)
	}
}

// WholeCalls leaves out the parts of calls that are not complete.
func TestWholeCalls(t *testing.T) {
	p := newParser(t, parse.Options{WholeCalls: true})
	p.Feed([]byte("x<call>t a=\"lo"))
	first := parts(p)
	p.Feed([]byte("ng\"</call><call>t("))
	p.Close()
	if got, want := first+" "+parts(p), `text(x) call({"a":"long"} rest {"a":"long"})[1:24] malformed(bad-name@31)[24:32]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Reset begins anew, whatever was left unread.
func TestReset(t *testing.T) {
	p := newParser(t, parse.Options{})
	const text = `x<call>t a=[1, {k: "v"}] b.c=1 d=2 b.e=3</call>y<call>t(</call>`
	p.Feed([]byte(text))
	p.Close()
	want := parts(p)
	for i := range len(text) + 1 {
		for _, unread := range []bool{false, true} {
			p.Reset()
			p.Feed([]byte(text[:i]))
			if !unread {
				parts(p)
			}
			p.Reset()
			if !p.Skip(0, nil) || p.Steps() != 0 {
				t.Errorf("after Reset: idle %v, %d steps", p.Skip(0, nil), p.Steps())
			}
			p.Feed([]byte(text))
			p.Close()
			if got := parts(p); got != want {
				t.Fatalf("after %q: got %s, want %s", text[:i], got, want)
			}
		}
	}
}

// A parser in the memory of another reads like a new one, wherever that one stopped and
// under whatever options.
func TestRelease(t *testing.T) {
	const text = "x<call>t a=[1, {k: \"v\"}] b.c=1 d=2 b.e=3</call>y<call>t(</call><t a=1<!t <think>a</think> <call>t a=1"
	catalog := schemaCatalog(t, `{"properties":{"a":{"type":"integer"}}}`)
	options := []parse.Options{
		{}, {Strict: true}, {AcceptAtEnd: true, StopAfterMalformed: true}, {Salvage: true, Code: true, Reasoning: true},
		{Limits: lexer.Limits{Bytes: 20}}, {Delims: lexer.Delims{Open: "<t", Close: "<!t"}},
	}
	read := func(r parse.Reader, n int) string {
		r.Feed([]byte(text[:n]))
		if n < len(text) {
			return ""
		}
		r.Close()
		return parts(r)
	}
	for i, o := range options {
		want := read(newParser(t, o), len(text))
		for _, before := range options {
			for n := range len(text) + 1 {
				p, err := parse.NewReader(catalog, before)
				if err != nil {
					t.Fatal(err)
				}
				read(p, n)
				parts(p)
				if !parse.Release(p) {
					t.Fatal("not released")
				}
				if got := read(newParser(t, o), len(text)); got != want {
					t.Fatalf("options %d after %+v and %q:\ngot  %s\nwant %s", i, before, text[:n], got, want)
				}
			}
		}
	}
}

// Close takes a complete call where that is allowed, Abort never.
func TestCloseAndAbort(t *testing.T) {
	for _, c := range []struct {
		accept, abort bool
		want          string
	}{
		{false, false, "malformed(unterminated-call@11)[0:11]"},
		{true, false, `call({"a":1} rest 1})[0:11]`},
		{true, true, "malformed(unterminated-call@11)[0:11]"},
	} {
		p := newParser(t, parse.Options{AcceptAtEnd: c.accept})
		p.Feed([]byte("<call>t a=1"))
		parts(p)
		if c.abort {
			p.Abort()
		} else {
			p.Close()
		}
		if got := parts(p); got != c.want {
			t.Errorf("accept %v, abort %v: got %s, want %s", c.accept, c.abort, got, c.want)
		}
	}
}

// Skip moves all offsets.
func TestSkip(t *testing.T) {
	p := newParser(t, parse.Options{})
	p.Skip(100, nil)
	p.Feed([]byte("x<call>t</call><call>t(</call>"))
	if got, want := parts(p), "text(x) start(t@101) call({} rest {})[101:115] malformed(bad-name@122)[115:130]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Tags that are not legal are an error.
func TestIllegalTagsAreAnError(t *testing.T) {
	if _, err := parse.NewParser(nil, parse.Options{Delims: lexer.Delims{Open: "x"}}); err == nil {
		t.Error("tags that are not legal are taken")
	}
}

// A parser that is used again allocates nothing, with all parts, whatever the
// chunks.
func TestNoAllocations(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"properties":{"d":{"type":"string"},"e":{"type":"string"}}},"l":{"type":"array","items":{"type":"string"}},"q":{"enum":["x","y z"]},"o":{"type":"object"}}}`)
	in := []byte(`Let me see. <call>t a="x y" b=1 c.d="z\n" l=["u", v w] q="y z"</call>` +
		`<call>t {"a":"x","l":[],"o":{"k":[1,{"m":null}]}}</call>` +
		`<call>t c.d=1 a=x c.e=2 o={k: v}</call> and ` +
		`<call>t a="` + strings.Repeat("a long string é ", 300) + `"</call>`)
	for _, size := range []int{1, 5, 100, 4096, len(in)} {
		p, err := parse.NewParser(catalog, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		read := func() {
			p.Reset()
			calls = 0
			for i := 0; i < len(in); i += size {
				p.Feed(in[i:min(len(in), i+size)])
				for part := p.Next(); part != parse.NoPart; part = p.Next() {
					if part == parse.CallPart {
						calls++
					}
				}
			}
		}
		read()
		read()
		if got := testing.AllocsPerRun(5, read); got != 0 || calls != 4 {
			t.Errorf("chunks of %d: %v allocations for %d calls", size, got, calls)
		}
	}
}

// Issues are kept in memory that is used again, however many messages there are.
func TestIssuesAllocateNothing(t *testing.T) {
	p, err := parse.NewParser(schemaCatalog(t, `{"properties":{"a":{},"b":{}},"required":["a","b"]}`), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("<call>t</call>", 40))
	issues := 0
	read := func() {
		p.Reset()
		for chunk := range slices.Chunk(text, 100) {
			p.Feed(chunk)
			for part := p.Next(); part != parse.NoPart; part = p.Next() {
				if part == parse.CallPart {
					issues += len(p.Segment().Issues)
				}
			}
		}
	}
	read()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 500 {
		read()
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<16 || issues != 501*80 {
		t.Errorf("%d bytes for %d issues", got, issues)
	}
}

func ExampleParser() {
	p, err := parse.NewParser(nil, parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	read := func() {
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			switch part {
			case parse.TextPart:
				fmt.Printf("text %q\n", p.Delta())
			case parse.InputPart:
				fmt.Printf("input so far %q\n", p.Delta())
			case parse.CallPart:
				fmt.Println("call", p.Segment().Name, string(p.Segment().Input))
			case parse.MalformedPart:
				fmt.Println("malformed", p.Segment().Err.Code)
			}
		}
	}
	for _, chunk := range []string{"Hi <call>say te", `xt="good `, `day"</call>`} {
		p.Feed([]byte(chunk))
		read()
	}
	p.Close()
	read()
	// Output:
	// text "Hi "
	// input so far "{\"text\":\"good "
	// call say {"text":"good day"}
}

// TestResetInTheMiddle: a Parser that was left between two parts of a call forgets
// it.
func TestResetInTheMiddle(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"a":{"type":"string"}},"required":["a","b"]}`)
	p, err := parse.NewParser(catalog, parse.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	p.Feed([]byte("prose <call>t a=xyz</call>"))
	for p.Next() != parse.InputPart {
	}
	p.Reset()
	p.Feed([]byte("hello"))
	if part := p.Next(); part != parse.TextPart || string(p.Delta()) != "hello" {
		t.Errorf("part %d, text %q", part, p.Delta())
	}
	if part := p.Next(); part != parse.NoPart {
		t.Errorf("part %d after the text", part)
	}
}

// TestStrictAfterGroups: strict, what a group lacks makes a call malformed also where
// its arguments were put into order at the end.
func TestStrictAfterGroups(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"o":{"type":"object","properties":{"a":{},"b":{},"q":{}},"required":["q"]},"l":{"type":"string"}}}`)
	const text = "some prose <call>t o.a=1 l=x o.b=2</call>"
	opts := parse.Options{Strict: true}
	for size := 1; size <= len(text); size++ {
		p, err := parse.NewParser(catalog, opts)
		if err != nil {
			t.Fatal(err)
		}
		segs := inChunks(p, text, size)
		if len(segs) != 2 || segs[1].Kind != parse.Malformed || segs[1].Err.Code != lexer.MissingArgument || segs[1].Err.Path != "o.q" {
			t.Fatalf("in chunks of %d: %+v", size, segs)
		}
	}
}

// TestUnfinished: a call begins with the first byte after its opener, and ends with that of
// its close tag, or of its damage.
func TestUnfinished(t *testing.T) {
	p, err := parse.NewParser(nil, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const text = "a <ca<call>t a=1</call> b<call>t [</call> c"
	for i := range len(text) {
		p.Feed([]byte(text[i : i+1]))
		for p.Next() != parse.NoPart {
		}
		n := i + 1
		want := n > len("a <ca<call>") && n < len("a <ca<call>t a=1</call>") || n > len("a <ca<call>t a=1</call> b<call>") && n < len(text)-2
		if got := p.Segment().Kind == parse.Unfinished; got != want {
			t.Errorf("after %q: %v", text[:n], got)
		}
	}
}
