package next

import (
	"strings"
	"testing"

	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"

	"github.com/callwire/callwire/internal/next/parse"
)

// Every text of up to four of these tokens, or three in short mode, whole and byte by byte, as the project reads it.
func TestExhaustive(t *testing.T) {
	catalog, _ := sig.Compile([]byte(tools))
	exhaust(t, catalog, nil, nil, strings.Split("<call>|t|</call>| |a=|d.y.z=|1|\"|'|[|{|:|,|]|}|\\|é|<ca", "|"), "<call>n ")
	exhaust(t, catalog, format.Hermes, protocol.Hermes, strings.Split(`<tool_call>|{"name": "t"|"arguments": |{|}|</tool_call>|,|"a"|:|1|"|\|[|]| |"{\"a\":1}"`, "|"), "<tool_call>{")
	exhaust(t, catalog, format.Qwen3Coder, protocol.Qwen3Coder, strings.Split("<tool_call>|<function=t>|</function>|</tool_call>|<parameter=a>|<parameter=b>|</parameter>|\n|1|x|<|[1]| ", "|"), "<tool_call><function=n>")
}

func exhaust(t *testing.T, catalog *sig.Catalog, f *format.Format, p cwparse.Protocol, tokens []string, prefix string) {
	o := parse.Options{Format: f, AllowAfterMalformed: true, AllowInCode: true}
	parser := newParser(catalog, o)
	bad, more := 0, 3
	if testing.Short() {
		more = 2
	}
	var walk func(in string, left int)
	walk = func(in string, left int) {
		if bad > 4 {
			return
		}
		want := strings.Join(mainLines(in, catalog, o, p), "\n")
		got, err := run(parser, []byte(in), nil)
		if strayFault(in, got) {
			return
		}
		if s := strings.Join(got, "\n"); s != want || err != nil {
			bad++
			t.Errorf("%q: %v\ngot  %s\nwant %s", in, err, s, want)
			return
		}
		var cuts []int
		for i := 1; i < len(in); i++ {
			cuts = append(cuts, i)
		}
		if got, err := run(parser, []byte(in), cuts); strings.Join(got, "\n") != want || err != nil {
			bad++
			t.Errorf("bytewise %q: %v\ngot  %s\nwant %s", in, err, strings.Join(got, "\n"), want)
		}
		if left > 0 {
			for _, tok := range tokens {
				walk(in+tok, left-1)
			}
		}
	}
	walk("", more)
	walk(prefix, 4)
}
