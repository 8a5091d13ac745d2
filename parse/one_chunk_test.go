package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

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
func bytewise(p *parse.Parser, text string) []parse.Segment {
	var segs []parse.Segment
	read := func() {
		for {
			switch p.Next() {
			case parse.NoPart:
				return
			case parse.TextPart:
				segs = append(segs, parse.Segment{Kind: parse.Prose, Text: []byte(string(p.Text()))})
			case parse.CallPart, parse.MalformedPart:
				segs = append(segs, p.Segment().Clone())
			}
		}
	}
	p.Reset()
	for i := range len(text) {
		p.Feed([]byte(text[i : i+1]))
		read()
	}
	p.Close()
	read()
	return segs
}

// odd are the bytes that end a stride, or nearly do, or stand for many that do not.
var odd = []string{`"`, "'", `\`, `\"`, `\\`, `\n`, `\u00e9`, " ", "\t", "\n", "\x00", "\x1f", "\x7f", "<", ">", ",", "]", "[", "}", "{", ":", ".", "=", "-", "/", "é", "😀", "\xff", "\xc3", "z", "|", "</call>", "<call>", "!", "#", "&", "(", "[", "^", "`", "@", "0"}

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
	if testing.Short() {
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
	whole := parse.Text(text, catalog)
	for i := range whole {
		if whole[i].Kind == parse.Prose {
			whole[i].Start, whole[i].End = 0, 0
		}
	}
	var joined []parse.Segment
	for _, s := range bytewise(p, text) {
		if n := len(joined); n > 0 && s.Kind == parse.Prose && joined[n-1].Kind == parse.Prose {
			joined[n-1].Text = append(joined[n-1].Text, s.Text...)
			continue
		}
		joined = append(joined, s)
	}
	if a, b := summary(whole), summary(joined); a != b {
		t.Fatalf("%q\nin one chunk %sbyte by byte %s", text, a, b)
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
