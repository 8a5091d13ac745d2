package parse_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

var long = flag.Bool("long", false, "read calls at all lengths and in all orders, as the gate does")

// What comes in one chunk is read in strides of several bytes, and what comes byte
// by byte is not. Both must come to the same.

// summary tells all that is known of segments.
func summary(segs []parse.Segment) string {
	var b strings.Builder
	for _, s := range segs {
		fmt.Fprintf(&b, "%s[%d:%d]%s %s", s.Kind, s.Start, s.End, s.Name, s.Input)
		if s.Kind == parse.Malformed {
			fmt.Fprintf(&b, "%s@%d %q", s.Err.Code, s.Err.Offset, s.Text)
		}
		for _, i := range s.Issues {
			fmt.Fprintf(&b, " %s %s@%d", i.Code, i.Path, i.At)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// bytewise reads text byte by byte.
func bytewise(p *parse.Parser, text string) []parse.Segment { return inChunks(p, text, 1) }

// inChunks reads text in chunks of the given size.
func inChunks(p *parse.Parser, text string, size int) []parse.Segment {
	var segs []parse.Segment
	read := func() {
		for {
			switch p.Next() {
			case parse.NoPart:
				return
			case parse.TextPart:
				segs = append(segs, parse.Segment{Kind: parse.Prose, Text: []byte(string(p.Delta()))})
			case parse.CallPart, parse.MalformedPart:
				segs = append(segs, p.Segment().Clone())
			}
		}
	}
	p.Reset()
	for i := 0; i < len(text); i += size {
		p.Feed([]byte(text[i:min(len(text), i+size)]))
		read()
	}
	p.Close()
	read()
	return join(segs)
}

// join makes adjacent text one segment.
func join(segs []parse.Segment) (joined []parse.Segment) {
	for _, s := range segs {
		if n := len(joined); n > 0 && s.Kind == parse.Prose && joined[n-1].Kind == parse.Prose {
			joined[n-1].Text = append(joined[n-1].Text, s.Text...)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// odd are the bytes that end a stride, or nearly do, or stand for many that do not.
var odd = []string{`"`, "'", `\`, `\"`, `\\`, `\n`, `\u00e9`, " ", "\t", "\n", "\x00", "\x1f", "\x7f", "<", ">", ",", "]", "[", "}", "{", ":", ".", "=", "-", "/", "é", "😀", "\xff", "\xff\n", "\xc3", "z", "|", "</call>", "<call>", "!", "#", "&", "(", "[", "^", "`", "@", "0"}

// TestOneChunkIsExact puts each odd byte at each place of words of many lengths,
// in every form of a value, under several types.
func TestOneChunkIsExact(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"s","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}},
		{"name":"l","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"integer"}}}},
		{"name":"n","inputSchema":{"type":"object","properties":{"a":{"type":["number","boolean"]},"b":{"enum":["x",1]}}}},
		{"name":"u"}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const letters = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
	lengths := []int{0, 1, 2, 6, 7, 8, 9, 15, 16, 17, 25}
	if !*long {
		lengths = []int{0, 1, 7, 8, 16}
	}
	for _, n := range lengths {
		for at := range n + 1 {
			if at > 3 && at < n-9 {
				continue
			}
			for _, o := range odd {
				word := letters[:at] + o + letters[at:n]
				for i, form := range []string{`%s`, `"%s"`, `'%s'`, `["%s"]`, `[%s, "%[1]s"]`, `[x,'%s' ]`} {
					tool := []string{"s", "u", "n", "l", "l", "u"}[i]
					check(t, p, catalog, fmt.Sprintf("<call>%s a="+form+" b=1</call>", tool, word))
				}
			}
		}
	}
}

func check(t *testing.T, p *parse.Parser, catalog *sig.Catalog, text string) {
	t.Helper()
	if a, b := summary(prosed(parse.Text(text, catalog))), summary(bytewise(p, text)); a != b {
		t.Fatalf("%q\nin one chunk %sbyte by byte %s", text, a, b)
	}
}

// prosed returns segs without the places of prose, of which pieces know nothing.
func prosed(segs []parse.Segment) []parse.Segment {
	for i := range segs {
		if segs[i].Kind == parse.Prose {
			segs[i].Start, segs[i].End = 0, 0
		}
	}
	return segs
}

// TestLongStrings puts each odd piece at each place of strings that are read in
// strides of up to 32 bytes, in one chunk and in chunks that end anywhere.
func TestLongStrings(t *testing.T) {
	p, err := parse.NewParser(nil, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	letters := strings.Repeat("abcdefghijklmnopqrstuvwxyz", 7)
	pieces := append([]string{`\/`, `\'`, `\d`, `\u00e`, `\ud83d\ude00`, `\ud83d`, `\é`, `\"\d`, "\xf0\x9f", "é\n"}, odd...)
	step := 5
	if *long {
		step = 1
	}
	for _, n := range []int{70, 140, 600} {
		letters := strings.Repeat(letters, 4)
		for at := 0; at <= n; at += step * (1 + n/100) {
			for i, o := range pieces {
				q := []string{`"`, `'`}[(at+i)%2]
				text := "<call>t a=" + q + letters[:at] + o + letters[at:n] + q + " b=1</call>"
				check(t, p, nil, text)
				open := text[:len(text)-len(q+" b=1</call>")]
				want, out := summary(bytewise(p, text)), given(p, open, 1)
				for _, size := range []int{23, 33, 64, 100, 250} {
					if got := summary(inChunks(p, text, size)); got != want {
						t.Fatalf("%q\nin chunks of %d %sbyte by byte %s", text, size, got, want)
					}
					if got := given(p, open, size); got != out {
						t.Fatalf("%q\nin chunks of %d gives out %s\nbyte by byte %s", open, size, got, out)
					}
				}
			}
		}
	}
}

// TestEveryEscape puts every printable byte after a backslash.
func TestEveryEscape(t *testing.T) {
	p, err := parse.NewParser(nil, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for c := byte(' '); c < 0x7f; c++ {
		for _, q := range []string{`"`, "'"} {
			if string(c) == q {
				continue
			}
			text := "<call>t a=" + q + "x\\" + string(c) + "y" + q + "</call>"
			check(t, p, nil, text)
			if got := parse.Text(text, nil)[0].Input; !json.Valid(got) {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}

// TestTuples has every item of a tuple in every form.
func TestTuples(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{
		"a":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}},"b":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	forms := []string{"5", `"5"`, "'5'", "x", "true", "null"}
	for _, x := range forms {
		for _, y := range forms {
			for _, z := range forms {
				check(t, p, catalog, "<call>t a=["+x+","+y+", "+z+"] b=1</call>")
			}
		}
	}
}

// TestGroupsInEveryOrder has paths into groups that begin, end, go deeper and
// come again, with and without what they would need.
func TestGroupsInEveryOrder(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","required":["o"],"properties":{
		"o":{"type":"object","required":["z"],"properties":{
			"p":{"type":"object","properties":{"q":{"type":"boolean"},"r":{"type":"string"},"s":{"type":"object","properties":{"u":{"type":"integer"}}},"l":{"type":"array"}}},
			"y":{"type":"string"},
			"g":{"type":"object","required":["h"],"properties":{"h":{"type":"integer"}}},
			"z":{"type":"string"}}},
		"w":{"type":"object"}, "x":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"o.p.q=true", "o.p.r=v", "o.p.s.u=1", "o.y=v", "o.g.h=1", "o.g.h=v", "o.g.i=1", "o.z=v", "o.p=1", "w.a=1", "w.a.b=1", "x=v", "x.y=v", "o.g", "o.p.s.", "n=1"}
	var sequences func(text string, left int)
	sequences = func(text string, left int) {
		check(t, p, catalog, text+"</call>")
		if one, each := given(p, text+" ", len(text)+1), given(p, text+" ", 1); one != each {
			t.Fatalf("%q\nin one chunk gives out %s\nbyte by byte %s", text, one, each)
		}
		if left == 0 {
			return
		}
		for _, a := range arguments {
			sequences(text+" "+a, left-1)
		}
	}
	longest := 3
	if *long {
		longest = 4
	}
	sequences("<call>t", longest)
	for depth := 1; depth <= 3; depth++ { // a path is too deep at the same dot, however it comes
		opts := parse.Options{Limits: lexer.Limits{Depth: depth}}
		shallow, err := parse.NewParser(catalog, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range append(arguments, "o.p=[1]", "o.p.r=[v]", `o.p.l=["v", 1]`) {
			text := "<call>t " + a + " x=v</call>"
			if one, each := summary(opts.Text(text, catalog)), summary(bytewise(shallow, text)); one != each {
				t.Errorf("depth %d, %q\nin one chunk %sbyte by byte %s", depth, text, one, each)
			}
		}
	}
}

// TestCutAfterAnotherCall cuts a call at each byte, after another one of the same
// chunk: the input of that is dropped then, and all places in the output move.
func TestCutAfterAnotherCall(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{
		"a":{"type":"string"},"o":{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"object","properties":{"r":{"type":"string"}}}}},"b":{"enum":["x",{"y":1}]}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, input string }{
		{"a=x o.p=y zz.y=1", `{"a":"x","o":{"p":"y"},"zz":{"y":1}}`},
		{"a=x o.q.r=y zz.y=1", `{"a":"x","o":{"q":{"r":"y"}},"zz":{"y":1}}`},
		{"o.p=x a=y o.q.r=z b=x", `{"o":{"p":"x","q":{"r":"z"}},"a":"y","b":"x"}`},
		{`a=x b={y:1} o.p="\d"`, `{"a":"x","b":{"y":1},"o":{"p":"\\d"}}`},
		{`o.p=x o.q={r:v,s:[{u:1,w:2}],x:1} b=x`, `{"o":{"p":"x","q":{"r":"v","s":[{"u":1,"w":2}],"x":1}},"b":"x"}`},
		{`a={k:1,l:{m:2}} o.p={k:1}`, `{"a":"{k:1,l:{m:2}}","o":{"p":"{k:1}"}}`},
		{`c={k:1,l:"longer than the input of the call before",k:3}`, ""},
		{`o.p=x o.p=y`, ""},
	} {
		first := "<call>t o.p=first b=x</call>"
		text := first + "<call>t " + c.body + "</call>"
		want := summary(parse.Text(text, catalog))
		for at := len(first); at < len(text); at++ {
			segs := inTwo(p, text, at)
			if got := summary(segs); got != want {
				t.Fatalf("%q\nin one chunk %s%q apart %s", text, want, text[at:], got)
			}
			if got := string(segs[len(segs)-1].Input); got != c.input {
				t.Fatalf("%q: got %s, want %s", text, got, c.input)
			}
		}
	}
}

// TestPropertiesBeyond64 repeats each of the properties around the 64th, of which
// no set of bits tells whether they were met, in front of another fault.
func TestPropertiesBeyond64(t *testing.T) {
	const n = 68
	var fields []string
	for i := range n {
		fields = append(fields, fmt.Sprintf(`"p%d":{"type":"integer"}`, i))
	}
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{` + strings.Join(fields, ",") + `}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for first := n - 8; first < n; first++ {
		for from := n - 8; from < n; from++ {
			text, want := fmt.Sprintf("<call>t p%d=1", first), lexer.ExpectedEquals
			for i := from; i < n; i++ {
				text += fmt.Sprintf(" p%d=%d", i, i)
				if i == first {
					want = lexer.DuplicateKey
				}
			}
			text += " p</call>"
			if s := parse.Text(text, catalog)[0]; s.Kind != parse.Malformed || s.Err.Code != want {
				t.Errorf("%s: %v, want %s", text, s.Err, want)
			}
		}
	}
}

// inTwo reads text in two chunks.
func inTwo(p *parse.Parser, text string, at int) (segs []parse.Segment) {
	p.Reset()
	for _, chunk := range []string{text[:at], text[at:]} {
		p.Feed([]byte(chunk))
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			if part == parse.CallPart || part == parse.MalformedPart {
				segs = append(segs, p.Segment().Clone())
			}
		}
	}
	return segs
}

// given returns what is given out of the input of a call that goes on after text.
func given(p *parse.Parser, text string, size int) string {
	var b strings.Builder
	p.Reset()
	for i := 0; i < len(text); i += size {
		p.Feed([]byte(text[i:min(len(text), i+size)]))
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			if part == parse.InputPart {
				b.Write(p.Delta())
			}
		}
	}
	return b.String()
}

// What holds back the input of a call that left a group holds it back no longer in
// the next call.
func TestGivenBehindGroups(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{"o":{"type":"object","properties":{"y":{"type":"string"}}},"x":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := `<call>t o.y=v x=v</call><call>t x="a string that goes on`
	for _, size := range []int{1, 8, len(text)} {
		if got := given(p, text, size); !strings.HasSuffix(got, `{"x":"a string that goes on`) {
			t.Errorf("in chunks of %d: %s", size, got)
		}
	}
}

// TestOneChunkOfPaths does the same for names, keys, paths and what is between
// them.
func TestOneChunkOfPaths(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","required":["a","o"],"properties":{
		"a":{"type":"integer"}, "abcdefgh":{"type":"integer"}, "abcdefghi":{"type":"integer"},
		"o":{"type":"object","required":["y"],"properties":{"x":{"type":"integer"},"y":{"type":"string"},"p":{"type":"object","properties":{"q":{"type":"boolean"}}}}},
		"d.e":{"type":"string"}, "abcdefghijklmnopqrst":{"type":"string"}}}}, {"name":"t2"}, {"name":"a_longer_name_of_a_tool"}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"t", "t2", "a_longer_name_of_a_tool", "a_longer_name_of_a_too", "T"}
	gaps := []string{" ", "  ", "\n", " \t", ""}
	arguments := []string{"a=1", "a=x", "abcdefgh=2", "abcdefghi=3", "abcdefghijklmnopqrst=w", "abcdefghijklmnopqrs=w", "o.x=1", "o.y=1", "o.p.q=true", "o.p.q=1", "o.z=1", "o={y:1}", "d.e=1", "d.f=1", "zz=1", "zz.y=1", "a", "o.=1", "é=1", "o.x="}
	for _, name := range names {
		for _, gap := range gaps {
			for i, one := range arguments {
				check(t, p, catalog, "<call>"+name+gap+one+gap+"</call>")
				for _, two := range arguments {
					check(t, p, catalog, "x<call>"+name+gap+one+gap+two+"</call>")
					if gap == " " && name == "t" {
						check(t, p, catalog, "<call>t "+one+" "+two+" "+arguments[(i*7+len(two))%len(arguments)]+"</call>")
					}
				}
			}
		}
	}
}

// TestTagsOfEveryLength puts what begins like the opener, and goes on otherwise,
// after a call, for tags shorter and longer than the eight bytes that are looked
// at at once.
func TestTagsOfEveryLength(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	for n := range 20 {
		delims := lexer.Delims{Open: "<" + letters[:n] + ">", Close: "</" + letters[:n] + ">"}
		p, err := parse.NewParser(nil, parse.Options{Delims: delims})
		if err != nil {
			t.Fatal(err)
		}
		o := parse.Options{Delims: delims}
		for k := range len(delims.Open) + 1 {
			for _, rest := range []string{"", "A", "AA", "AAabc a=1", "AAAAAAAAabc a=1" + delims.Close, "!" + delims.Open + "u a=1" + delims.Close} {
				text := delims.Open + "t" + delims.Close + " " + delims.Open[:k] + rest
				if a, b := summary(prosed(o.Text(text, nil))), summary(bytewise(p, text)); a != b {
					t.Fatalf("%q\nin one chunk %sbyte by byte %s", text, a, b)
				}
			}
		}
	}
}
