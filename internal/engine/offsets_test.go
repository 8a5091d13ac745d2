package engine_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
)

// A key with a dot is itself wherever it is declared, also inside an open group of the same
// name.
func TestDottedKey(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"properties":{
		"p":{"type":"object","properties":{"y":{"type":"integer"},"x":{"type":"integer"}}},
		"p.x":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		`<call>t p.x=2 p.y=1</call>`: `{"p.x":"2","p":{"y":1}}`,
		`<call>t p.y=1 p.x=2</call>`: `{"p":{"y":1},"p.x":"2"}`,
	} {
		got, err := run(newParser(catalog, engine.Options{}), []byte(in), nil)
		diff(t, in, "", got, []string{fmt.Sprintf("tool-call 0-%d t %s", len(in), canonical(want))}, err)
	}
}

// Wherever the limit on a call's bytes is, a call in a string of the damage is not read.
func TestLimitInString(t *testing.T) {
	for _, f := range []*format.Format{format.Wire, format.Hermes, format.GemmaFence, format.KimiK2, format.DeepSeekV31} {
		inner := f.Call.Open + `{"name":"u","arguments":{}}` + f.Call.Close
		head := `{"name":"t","arguments":`
		tail := "}"
		if len(f.NameKeys) == 0 {
			inner = f.Call.Open + "u" + f.Function.End + "{}" + f.Call.Close
			head, tail = "t"+f.Function.End, ""
			if f.Body == format.Arguments {
				head = "t "
			}
		}
		in := f.Call.Open + head + `{"a":"x ` + strings.ReplaceAll(inner, `"`, `\"`) + ` y","b":"` +
			strings.ReplaceAll(inner, `"`, `\"`) + `"}` + tail + f.Call.Close
		for n := len(f.Call.Open) + len(head) + 1; n < len(in); n++ {
			o := engine.Options{Format: f, Limits: lexer.Limits{Bytes: n}}
			want := []string{fmt.Sprintf("malformed 0-%d call-too-long at %d closed=true", len(in), n)}
			for _, cuts := range [][]int{nil, {n - 1}, {n}, {n + 1}} {
				if cuts != nil && cuts[0] > len(in) {
					continue
				}
				got, err := run(newParser(sig.AnyTool, o), []byte(in), cuts)
				if !diff(t, f.Name, fmt.Sprint("limit ", n, cuts), got, want, err) {
					return
				}
			}
		}
	}
}

// At the limit on a name the limit wins over any other fault there.
func TestLimitOfName(t *testing.T) {
	for _, c := range []struct {
		format *format.Format
		in     string
	}{
		{format.Hermes, "<tool_call>{\"name\":\"abc\x01\"}</tool_call>"},
		{format.Hermes, "<tool_call>{\"name\":\"abc\xff\"}</tool_call>"},
		{format.Qwen3Coder, "<tool_call><function=abcd\x01></function></tool_call>"},
		{format.GLM45, "<tool_call>abcd\x01</tool_call>"},
		{format.KimiK2, "<|tool_call_begin|>abcd\x01<|tool_call_end|>"},
	} {
		o := engine.Options{Format: c.format, Limits: lexer.Limits{Name: 3}}
		got, err := run(newParser(sig.AnyTool, o), []byte(c.in), nil)
		at := strings.Index(c.in, "abc") + 3
		want := []string{fmt.Sprintf("malformed 0-%d name-too-long at %d closed=true", len(c.in), at)}
		diff(t, c.in, "", got, want, err)
	}
}

// qwenParameters are whole parameters, most of which do not fit.
var qwenParameters = strings.Split("<parameter=a>x</parameter>|<parameter=a>1</parameter>|<parameter=c>q</parameter>|"+
	"<parameter=c>1</parameter>|<parameter=c>[1,\"x\"]</parameter>|<parameter=zz>1</parameter>|"+
	"<parameter=d>{}</parameter>|<parameter=d>{\"x\":1,\"y\":\"z\"}</parameter>|<parameter=g>blue</parameter>|"+
	"<parameter=b>x</parameter> y</parameter>|<parameter=h>1</parameter>", "|")

// With Strict, the first issue of a call by its offset is the fault.
func TestStrictReportsFirstIssue(t *testing.T) {
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	for _, f := range []struct {
		format     *format.Format
		head, tail string
		pieces     []string
	}{
		{format.Wire, "<call>n ", "</call>", append(plainPieces, pieces...)},
		{format.Hermes, jsonPlainPieces[2], "}}</tool_call>", jsonPlainPieces[6:]},
		{format.Qwen3Coder, "<tool_call><function=t>", "</function></tool_call>", qwenParameters},
	} {
		checked := 0
		for range 30_000 {
			var b strings.Builder
			b.WriteString(f.head)
			for range r.Intn(8) {
				b.WriteString(f.pieces[r.Intn(len(f.pieces))])
			}
			b.WriteString(f.tail)
			in := b.String()
			loose, _ := run(newParser(catalog, engine.Options{Format: f.format}), []byte(in), nil)
			_, issues, found := strings.Cut(loose[0], " !")
			if !found || !strings.HasPrefix(loose[0], "tool-call") {
				continue
			}
			checked++
			first := strings.Fields(strings.Split(issues, " !")[0])
			want := " " + first[0] + " at " + first[len(first)-1] + " "
			strict, err := run(newParser(catalog, engine.Options{Format: f.format, Strict: true}), []byte(in), nil)
			if err != nil || !strings.Contains(strict[0], want) {
				t.Fatalf("%q: %v\nstrict %s\nloose  %s", in, err, strict[0], loose[0])
			}
		}
		if checked < 100 {
			t.Errorf("%s: only %d calls with issues", f.format.Name, checked)
		}
	}
}
