package relaxed_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/relaxed"
)

// read reads text in chunks of a size.
func read(o relaxed.Options, text string, size int) (string, []relaxed.Tolerated, error) {
	d := relaxed.NewDecoder(o)
	var out []byte
	for len(text) > 0 {
		n := min(size, len(text))
		json, err := d.Feed([]byte(text[:n]))
		if err != nil {
			return "", d.Tolerated(), err
		}
		out = append(out, json...)
		text = text[n:]
	}
	json, err := d.Close()
	if err != nil {
		return "", d.Tolerated(), err
	}
	return string(append(out, json...)), d.Tolerated(), nil
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		in        string
		allow     relaxed.Allow
		want      string
		tolerated string
	}{
		{` {"a" : [1.50, -0, 9007199254740993, true, null, "x\/\u0041\ud83d\ude00"]} `, 0, `{"a":[1.50,-0,9007199254740993,true,null,"x/A😀"]}`, ""},
		{`12345678901234567890`, 0, `12345678901234567890`, ""},
		{`"\ud83d"`, 0, `"\\ud83d"`, ""},
		{`{'a':'it\'s "x"'}`, relaxed.SingleQuotes, `{"a":"it's \"x\""}`, "single-quotes@2 single-quotes@6"},
		{`{a_1:1,$b-c:2,é:3}`, relaxed.BareKeys, `{"a_1":1,"$b-c":2,"é":3}`, "bare-keys@1 bare-keys@7 bare-keys@14"},
		{"// x\n[1,/* y, */2] // z", relaxed.Comments, `[1,2]`, "comments@5 comments@16 comments@19"},
		{`[1,{"a":1,},]`, relaxed.TrailingCommas, `[1,{"a":1}]`, "trailing-commas@10 trailing-commas@12"},
		{`[True,False,None]`, relaxed.PythonLiterals, `[true,false,null]`, "python-literals@1 python-literals@6 python-literals@12"},
		{"[\"a\nb\tc\"]", relaxed.RawControls, `["a\nb\tc"]`, "raw-controls@2"},
		{`["C:\d\u12\'"]`, relaxed.LooseEscapes, `["C:\\d\\u12'"]`, "loose-escapes@2"},
		{"{'b': '\\d\n'}", relaxed.All, `{"b":"\\d\n"}`, "single-quotes@2 single-quotes@7 raw-controls@7 loose-escapes@7"},
		{`{'a': True, b: ["x",],}`, relaxed.All, `{"a":true,"b":["x"]}`, "single-quotes@2 python-literals@6 bare-keys@12 trailing-commas@20 trailing-commas@22"},
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			got, tolerated, err := read(relaxed.Options{Allow: tt.allow}, tt.in, size)
			var notes []string
			for _, n := range tolerated {
				notes = append(notes, fmt.Sprintf("%s@%d", n.What, n.At))
			}
			if got != tt.want || err != nil {
				t.Errorf("%s in chunks of %d: %s, %v", tt.in, size, got, err)
			}
			if strings.Join(notes, " ") != tt.tolerated {
				t.Errorf("%s in chunks of %d: tolerated %s, want %s", tt.in, size, notes, tt.tolerated)
			}
			if tt.allow != 0 {
				if _, _, err := read(relaxed.Options{Allow: relaxed.All &^ tt.allow}, tt.in, size); err == nil {
					t.Errorf("%s in chunks of %d is read without %s", tt.in, size, tt.allow)
				}
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		in   string
		code lexer.Code
		at   int
	}{
		{``, lexer.InvalidJSON, 0}, {`{`, lexer.InvalidJSON, 1}, {`[1,]`, lexer.ExpectedValue, 3}, {`{"a":1,}`, lexer.ExpectedKey, 7},
		{`{"a" 1}`, lexer.ExpectedColon, 5}, {`[1 2]`, lexer.ExpectedComma, 3}, {`01`, lexer.ExpectedValue, 0}, {`[tru]`, lexer.ExpectedValue, 1},
		{`{a:1}`, lexer.ExpectedKey, 1}, {"\"a\nb\"", lexer.InvalidJSON, 2}, {`"\x"`, lexer.InvalidJSON, 1}, {"\"a\xffb\"", lexer.InvalidUTF8, 2},
		{"\"\xe2\x82A\"", lexer.InvalidUTF8, 3}, {`[[[[]]]]`, lexer.TooDeep, 3}, {`1 2`, lexer.InvalidJSON, 2}, {`{} x`, lexer.InvalidJSON, 3}, {`[/]`, lexer.ExpectedValue, 1},
	} {
		for _, size := range []int{1, 2, 1000} {
			_, _, err := read(relaxed.Options{Depth: 3}, tt.in, size)
			var e *lexer.Error
			if !errors.As(err, &e) || e.Code != tt.code || e.Offset != tt.at {
				t.Errorf("%q in chunks of %d: %v, want %s at %d", tt.in, size, err, tt.code, tt.at)
			}
		}
	}
}

// FuzzParse: without deviations the decoder reads what encoding/json does, but for
// invalid UTF-8 and nesting, and what it writes is JSON, at any split.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x\n",{}]}`, `{'a': True, b: [1,],} // x`, `"\ud83d\ude00\ud83d"`, `[/* x */ 1.5e3, null]`, "\"\xe2\x82\"", `-`} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		for _, allow := range []relaxed.Allow{0, relaxed.All} {
			o := relaxed.Options{Allow: allow}
			whole, _, err := read(o, string(in), len(in)+1)
			parts, _, err2 := read(o, string(in), int(size%8)+1)
			if whole != parts || fmt.Sprint(err) != fmt.Sprint(err2) && !sameFault(err, err2) {
				t.Fatalf("%q: %s, %v; in chunks %s, %v", in, whole, err, parts, err2)
			}
			if err == nil && !json.Valid([]byte(whole)) {
				t.Fatalf("%q is read as %s", in, whole)
			}
			if valid := json.Valid(in); allow == 0 && (err == nil && !valid || err != nil && valid && !errorIs(err, lexer.InvalidUTF8, lexer.TooDeep)) {
				t.Fatalf("%q: %v, valid %t", in, err, valid)
			}
		}
	})
}

func sameFault(a, b error) bool {
	var x, y *lexer.Error
	return errors.As(a, &x) && errors.As(b, &y) && x.Code == y.Code && x.Offset == y.Offset
}

func errorIs(err error, codes ...lexer.Code) bool {
	var e *lexer.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code == c {
			return true
		}
	}
	return false
}

// Twice the text is at most 2.2 times the work.
func TestWork(t *testing.T) {
	for _, piece := range []string{`"a",`, `"` + strings.Repeat("x", 100) + `\n",`, `1,`, `/* x */1,`, `[],`, `{"k":1},`} {
		steps := func(n int) int {
			d := relaxed.NewDecoder(relaxed.Options{Allow: relaxed.All})
			text := "[" + strings.Repeat(piece, n) + "]"
			for i := range len(text) {
				if _, err := d.Feed([]byte(text[i : i+1])); err != nil {
					t.Fatal(err)
				}
			}
			return d.Steps()
		}
		if once, twice := steps(500), steps(1000); float64(twice) > 2.2*float64(once) {
			t.Errorf("%s: %d steps, %d for twice the text", piece, once, twice)
		}
	}
}

// Parse reads every deviation, and returns nothing where the text is at fault.
func TestParseAll(t *testing.T) {
	for in, want := range map[string]string{`[1]`: `[1]`, "{a: 'x\ny', /* z */ b: None,}": `{"a":"x\ny","b":null}`, `{a: }`: "", ``: "", `[1`: ""} {
		if got, err := relaxed.Parse([]byte(in)); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v", in, got, err)
		}
	}
}

func ExampleParse() {
	json, err := relaxed.Parse([]byte(`{'id': 9007199254740993, tags: ["a",], ok: True}`))
	fmt.Println(string(json), err)
	_, err = relaxed.Parse([]byte(`{'id': }`))
	fmt.Println(err)
	// Output:
	// {"id":9007199254740993,"tags":["a"],"ok":true} <nil>
	// expected-value at byte 7: expected a value, found "}"; write a value between the commas, or leave the comma out
}

func ExampleOptions_Parse() {
	json, tolerated, err := relaxed.Options{Allow: relaxed.All}.Parse([]byte(`{'id': 9007199254740993, tags: ["a",],}`))
	fmt.Println(string(json), err)
	for _, t := range tolerated {
		fmt.Println(t.At, t.What)
	}
	// Output:
	// {"id":9007199254740993,"tags":["a"]} <nil>
	// 2 single-quotes
	// 25 bare-keys
	// 36 trailing-commas
	// 38 trailing-commas
}

func ExampleDecoder() {
	d := relaxed.NewDecoder(relaxed.Options{Allow: relaxed.All})
	for _, chunk := range []string{`{"text": "one t`, `wo", n: 1.`, `50}`} {
		json, _ := d.Feed([]byte(chunk))
		fmt.Printf("%s\n", json)
	}
	_, err := d.Close()
	fmt.Println(err)
	// Output:
	// {"text":"one t
	// wo","n":
	// 1.50}
	// <nil>
}

// What JSON5 has beyond the deviations is refused, and its escapes are text.
func TestJSON5(t *testing.T) {
	for text, want := range map[string]string{
		"0x1F": "", "+1": "", ".5": "", "5.": "", "Infinity": "", "-Infinity": "", "NaN": "", "-.5": "",
		"[1,\u00a02]": "", "[1,\v2]": "", "\ufeff1": "", "[1,\u20282]": "", `{\u0061: 1}`: "",
		`'\x41'`: `"\\x41"`, `'\v'`: `"\\v"`, `'\0'`: `"\\0"`, "'a\\\nb'": `"a\\\nb"`,
		"{$é: 'b',}": `{"$é":"b"}`,
	} {
		got, _, err := relaxed.Options{Allow: relaxed.All}.Parse([]byte(text))
		if string(got) != want || err == nil == (want == "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}
