package engine_test

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/lexer"
)

// The fast path changes nothing: with and without it, whole and cut, the events are the same,
// and so are the deltas of each chunk.
func TestFastPathEquivalence(t *testing.T) {
	n := 100_000
	if s := os.Getenv("N"); s != "" {
		n, _ = strconv.Atoi(s)
	} else if testing.Short() {
		n = 10_000
	}
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	bad := 0
	for _, f := range []struct {
		format *format.Format
		corpus string
		pieces []string
	}{
		{nil, "*.json", append(plainPieces, pieces...)},
		{format.Hermes, "protocols/hermes.json", append(jsonPlainPieces, jsonPieces...)},
		{format.Qwen3Coder, "protocols/qwen3-coder.json", qwenPieces},
	} {
		var seeds []string
		for _, c := range load(t, cases+f.corpus) {
			if len(c.Text) < 600 {
				seeds = append(seeds, string(c.Text))
			}
		}
		r := rand.New(rand.NewSource(int64(n)))
		for i := 0; i < n/3 && bad < 8; i++ {
			in := mutate(r, seeds[r.Intn(len(seeds))], f.pieces)
			if r.Intn(2) == 0 {
				in = random(r, f.pieces)
				if f.format != nil {
					in = strings.NewReplacer("<call>t", f.pieces[0]+f.pieces[2], "<call>", f.pieces[0], "</call>", f.pieces[1]).Replace(in)
				}
			}
			o := engine.Options{
				Format: f.format, Strict: r.Intn(4) == 0, AllowUnclosed: r.Intn(3) == 0,
				AllowAfterMalformed: r.Intn(6) != 0, WholeCalls: r.Intn(6) == 0,
			}
			if r.Intn(5) == 0 {
				o.Limits = lexer.Limits{Bytes: r.Intn(60), Depth: r.Intn(4), Arguments: r.Intn(4), Name: r.Intn(3)}
			}
			slow := o
			slow.NoFastPath = true
			cut := r.Intn(len(in) + 1)
			for _, chunks := range [][]string{{in}, {in[:cut], in[cut:]}} {
				got, want := record(catalog, o, chunks), record(catalog, slow, chunks)
				if got != want {
					bad++
					t.Errorf("%q %+v:\nfast %s\nslow %s", chunks, o, got, want)
					break
				}
			}
		}
	}
}

// record returns all events of a message as text.
func record(catalog *sig.Catalog, o engine.Options, chunks []string) string {
	p := newParser(catalog, o)
	var b strings.Builder
	add := func(list []engine.Event) {
		for _, e := range list {
			fmt.Fprintf(&b, "\n%d %s %s %q %d-%d %v", e.Kind, e.ID, e.Name, e.Bytes, e.Start, e.End, e.AfterMalformed)
			if e.Problem != nil {
				fmt.Fprintf(&b, " %s %d %v", e.Problem.Code, e.Problem.At, e.Problem.Closed)
				for _, i := range e.Problem.Issues {
					fmt.Fprintf(&b, " !%s %s %d %p", i.Code, i.Path, i.At, i.Type)
				}
			}
		}
	}
	for _, c := range chunks {
		add(p.Feed([]byte(c)))
	}
	add(p.Close())
	return b.String()
}

// Pieces that the fast path reads, or nearly.
var plainPieces = strings.Split(`<call>|</call>|<call>n |<call>t a=1 b="x y" |<call>t b=x |a=1 |b="x" |b='y' |b=word |c=[1, 2] |c=["x"] |c=[1,"2",true]|d.x=true |d.y=p |d.x=false d.y=q |d.y.z=s d.y.w=1.5 |d.k=t |g.x=1 |g.y=[] |b=a<b |b="é" |b="\x"|b="a\"b" |b="a\nb" |a=12</call>|<call>t {"a": 1, "b": "x", "c": [1, 2.5, "3"], "d": {"x": true, "y": "p"}}</call>|"a": 1, |"b": "x",|"x":true,|"y": "p"}|{"x":true,"y":"p"} |{"z":"s"} |h={"a":[1,null,"x"],"b":{}}|l=[["a","b"],["c"]] `, "|")

var jsonPlainPieces = strings.Split(`<tool_call>|</tool_call>|<tool_call>{"name": "t", "arguments": {|<tool_call>{"name": "n", "arguments": {|{"name": "t", "arguments": {"a": 1, "b": "x y", "c": [1, 2, 3], "d": {"x": true, "y": "p"}}}|"a": 1, |"b": "x", |"b": "a\nb", |"b": "a`+"\n"+`b", |"b": "\'", |"c": [1,2], |"d": {"x": true, |"y": "p"}, |"g": "red"|}}</tool_call>|"h": [null, 1.5, "x"], |"d": {"y": {"z": "s", "w": 1}, "k": "t"}`, "|")
