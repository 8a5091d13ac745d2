package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
)

// manyMembers has a property of each sort, and more than a word has bits.
var manyMembers = func() string {
	var more strings.Builder
	for i := range 70 {
		fmt.Fprintf(&more, `,"p%d":{"type":"integer"}`, i)
	}
	return `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"integer"},"f":{"type":["number","null"]},"b":{"type":"boolean"},"e":{"enum":["x","a b",1]},
		"l":{"type":"array","items":{"type":"string"}},"li":{"type":"array","items":{"type":"integer"}},"le":{"enum":[["x"],"y"]},"ll":{"type":"array","items":{"type":"array"}},
		"sn":{"type":["string","integer"]},"any":{},"o":{"type":"object","properties":{"s":{"type":"string"},"l":{"type":"array"}}},"é":{"type":"string"},"q\"":{"type":"string"}` + more.String() + `}}`
}()

var (
	someKeys   = rapid.SampledFrom([]string{"s", "n", "f", "b", "e", "l", "l", "l", "li", "li", "le", "ll", "sn", "any", "o", "é", `q"`, "p1", "p49", "p69", "zz", ""})
	someLimits = rapid.Custom(func(t *rapid.T) lexer.Limits {
		return lexer.Limits{Arguments: rapid.IntRange(1, 6).Draw(t, "arguments"), Depth: rapid.IntRange(1, 4).Draw(t, "depth")}
	})
)

// tokensOf returns the tokens of text, to where it is no JSON any more.
func tokensOf(text string) (tokens []func(a *parse.Assembler)) {
	s := &lexeme.Scanner{Text: []byte(text), Depth: 64, Unpaired: true}
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		tokens = append(tokens, func(a *parse.Assembler) {
			switch t.Kind {
			case 'k':
				a.Key(s.AppendUnquoted(nil, t), 20)
			case 's':
				a.String(s.AppendUnquoted(nil, t), 20)
			case 'l':
				a.Literal(s.Text[t.Start:t.End], 20)
			case '{', '[':
				a.Open(t.Kind == '{', 20)
			default:
				a.Close(20)
			}
		})
	}
	return tokens
}

func writeAll(a *parse.Assembler, tokens []func(a *parse.Assembler)) {
	for _, write := range tokens {
		if !a.Broken() {
			write(a)
		}
	}
}

// outcome is all that is known of a call.
func outcome(t *testing.T, o parse.Options, exact bool, write func(*parse.Assembler)) string {
	_, s := assemble(t, o, manyMembers, exact, write)
	return summary([]parse.Segment{s})
}

// What Members reads in one go is what it is, read token by token.
func TestMembersInOneGo(t *testing.T) {
	values := rapid.SampledFrom([]string{`"x"`, `""`, `"a b"`, `"é"`, `"Y"`, "\"\xff\"", `"a\n"`, `"a\"b"`, `"a`, "\"a\tb\"", `1`, `-1.5e3`, `1.0`, `01`, `true`, `false`, `null`, `nul`,
		`{}`, `[]`, `[1]`, `[ "x" , "y" ]`, `["x"]`, `["a\n"]`, `[1,2,3]`, `["x",1]`, `["x",["y"]]`, `["x"`, `["x",]`, `[[1]]`})
	spaces := rapid.SampledFrom([]string{"", "", "", " ", "\n\t "})
	rapid.Check(t, func(rt *rapid.T) {
		before := rapid.SampledFrom([]string{`{`, `{"n":1`, `{"s":"x","b":true`, `{"o":{`, `{"n":1,"o":{"l":[]`, `[`, ``}).Draw(rt, "before")
		first := strings.HasSuffix(before, "{")
		text := "..." + spaces.Draw(rt, "space")
		for i := range rapid.IntRange(1, 5).Draw(rt, "members") {
			if i > 0 || !first {
				text += "," + spaces.Draw(rt, "space")
			}
			for _, piece := range []string{string(lexeme.AppendQuoted(nil, []byte(someKeys.Draw(rt, "key")))), ":", values.Draw(rt, "value")} {
				text += piece + spaces.Draw(rt, "space")
			}
		}
		text += rapid.SampledFrom([]string{"", ",", "}", "]", `,"`}).Draw(rt, "end")
		o := parse.Options{Limits: someLimits.Draw(rt, "limits")}
		after := tokensOf(`{"s":"z"}`)[1:]
		n := 0
		fast := outcome(t, o, true, func(a *parse.Assembler) {
			writeAll(a, tokensOf(before))
			n = a.Members([]byte(text), 3, first)
			writeAll(a, after)
		})
		slow := outcome(t, o, true, func(a *parse.Assembler) {
			writeAll(a, tokensOf(before))
			if n > 3 {
				members := tokensOf("{" + strings.TrimPrefix(strings.TrimSpace(text[3:n]), ",") + "}")
				writeAll(a, members[1:len(members)-1])
			}
			writeAll(a, after)
		})
		if fast != slow {
			rt.Fatalf("of %q after %q %q was read\n in one go as %sby tokens as %s", text[3:], before, text[3:n], fast, slow)
		}
	})
}

// Members reads all that needs no second look, and not a byte more.
func TestWhatMembersReads(t *testing.T) {
	for _, text := range []string{
		`"s":"x"¦}`, `"s":"x"¦`, ` "s" : "x" ¦, "zz":1}`, `"s":"x","n":1¦}`, `"n":1¦,"s":"é"}`, `¦"n":1`, `"s":"x"¦,"n":1`, `"n":1¦]`, "\"n\":1¦\n",
		`"l":["a","b"]¦}`, `"l":[ "a" , "b" ]¦`, `¦"l":[]`, `¦"l":["a"`, `¦"l":["a",]`, `¦"l":[1]}`, `"li":[1,2]¦}`, `¦"ll":[[1]]}`, `¦"le":["x"]}`, `"le":"y"¦}`, `"any":1¦,"any":2}`,
		`¦"s":"a\n"}`, "¦\"s\":\"\xff\"}", `¦"s":1}`, `¦"n":"1"}`, `"n":-1,"f":null¦}`, `"e":"a b"¦}`, `¦"e":"c"}`, `"s":"x"¦,"s":"y"}`, `¦"p49":1}`, `"any":1,"p8":1,"p20":1,"p32":1,"p44":1,"p49":1¦,"p50":1}`, `"b":true,"sn":1¦}`, `"s":"x"¦;"n":1}`, `¦"s";"x"}`, `¦"any":{}}`, `¦'s':"x"}`, `¦`, `¦"`, `¦"s"`, `¦"s":`,
	} {
		before, after, marked := strings.Cut(text, "¦")
		if !marked {
			t.Fatal(text)
		}
		n := 0
		outcome(t, parse.Options{}, true, func(a *parse.Assembler) {
			a.Open(true, 12)
			n = a.Members([]byte(before+after), 0, true)
		})
		if want := len(strings.TrimRight(before, " ")); n != want {
			t.Errorf("%s: %d bytes read, not %d", text, n, want)
		}
	}
}

// Member, Array and List write what Key and Raw do, or nothing.
func TestMemberInOneGo(t *testing.T) {
	texts := rapid.SampledFrom([]string{"x", "a b", "1", "-1.5", "1.0", " 1 ", "true", "null", " null", "", "é", `"x"`, `["x","y"]`, ` [ "x" , "y" ] `, `[1]`, `[1] x`, `["x"`, `[]`, `{}`, `{"s":"x"}`, `["a b"]`, "[1,2]", "None"})
	arrays := rapid.SampledFrom([]string{`["x","y"]`, ` [ "x" , "y" ] `, `[1]`, `[1,2]`, `["a b"]`, `["x"`})
	rapid.Check(t, func(rt *rapid.T) {
		type step struct {
			kind       int
			key, text  string
			texts      [][]byte
			open, shut bool
		}
		steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
			s := step{kind: rapid.IntRange(0, 2).Draw(rt, "kind"), key: someKeys.Draw(rt, "key"), text: texts.Draw(rt, "text")}
			if s.kind > 0 && rapid.Bool().Draw(rt, "array") {
				s.key, s.text = rapid.SampledFrom([]string{"l", "li"}).Draw(rt, "key"), arrays.Draw(rt, "text")
			}
			for range rapid.IntRange(0, 3).Draw(rt, "items") {
				s.texts = append(s.texts, []byte(texts.Draw(rt, "item")))
			}
			s.open = rapid.IntRange(0, 5).Draw(rt, "open") == 0
			s.shut = rapid.IntRange(0, 5).Draw(rt, "shut") == 0
			return s
		}), 1, 8).Draw(rt, "steps")
		o := parse.Options{Limits: someLimits.Draw(rt, "limits")}
		exact := rapid.IntRange(0, 9).Draw(rt, "exact") == 0
		write := func(a *parse.Assembler, fast bool) {
			a.Open(true, 12)
			for i, s := range steps {
				if a.Broken() {
					return
				}
				key, text, at := []byte(s.key), []byte(s.text), 20+2*i
				if s.open {
					a.Key([]byte("o"), at)
					a.Open(true, at)
				} else if s.shut && a.Depth() > 1 {
					a.Close(at)
				}
				if a.Broken() {
					return
				}
				if fast && (s.kind == 0 && a.Member(key, text) || s.kind == 1 && a.Array(key, text) || s.kind == 2 && a.List(key, s.texts)) {
					continue
				}
				if a.Key(key, at); a.Broken() {
					return
				}
				if s.kind < 2 {
					a.Raw(text, at+1)
					continue
				}
				if a.Open(false, at+1); a.Broken() {
					return
				}
				for _, text := range s.texts {
					a.Raw(text, at+1)
				}
				a.Close(at + 1)
			}
		}
		fast := outcome(t, o, exact, func(a *parse.Assembler) { write(a, true) })
		slow := outcome(t, o, exact, func(a *parse.Assembler) { write(a, false) })
		if fast != slow {
			rt.Fatalf("%+v\n in one go %sin steps %s", steps, fast, slow)
		}
	})
}

// Member, Array and List write all that needs no second look.
func TestWhatMemberWrites(t *testing.T) {
	for _, c := range []struct {
		kind byte
		key  string
		text string
		want bool
	}{
		{'m', "s", "x", true}, {'m', "s", " x ", true}, {'m', "s", "1", true}, {'m', "s", "", true}, {'m', "n", "1", true}, {'m', "n", " 1\n", true}, {'m', "n", "x", false}, {'m', "n", "1.5", false},
		{'m', "b", "true", true}, {'m', "f", "null", true}, {'m', "e", "x", true}, {'m', "e", "z", false}, {'m', "sn", "x", true}, {'m', "sn", "1", true}, {'m', "l", "x", false}, {'m', "o", "x", false},
		{'m', "any", "x", false}, {'m', "zz", "x", false}, {'m', "p49", "1", true}, {'m', "p50", "1", false}, {'m', "é", "x", true},
		{'a', "l", `["x"]`, true}, {'a', "l", ` [ "x" , "y" ] `, true}, {'a', "l", `["x"] y`, false}, {'a', "l", `x`, false}, {'a', "l", ``, false}, {'a', "l", `["x"`, false}, {'a', "li", `[1]`, true}, {'a', "li", `["x"]`, false}, {'a', "s", `["x"]`, false}, {'a', "zz", `["x"]`, false},
		{'l', "l", "x|y", true}, {'l', "l", "1", true}, {'l', "li", "1|2", true}, {'l', "li", "1|x", false}, {'l', "any", "x", false}, {'l', "s", "x", false}, {'l', "le", "x", false}, {'l', "zz", "x", false},
	} {
		got := false
		outcome(t, parse.Options{}, false, func(a *parse.Assembler) {
			a.Open(true, 12)
			switch c.kind {
			case 'm':
				got = a.Member([]byte(c.key), []byte(c.text))
			case 'a':
				got = a.Array([]byte(c.key), []byte(c.text))
			default:
				var texts [][]byte
				for text := range strings.SplitSeq(c.text, "|") {
					texts = append(texts, []byte(text))
				}
				got = a.List([]byte(c.key), texts)
			}
		})
		if got != c.want {
			t.Errorf("%c %s %q: %t", c.kind, c.key, c.text, got)
		}
	}
}
