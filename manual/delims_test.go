package manual

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

func TestRandomTags(t *testing.T) {
	seen := make(map[parse.Tags]bool)
	for range 100 {
		d := RandomTags()
		if check(nil, Options{Tags: d}) != nil || seen[d] {
			t.Fatal(d)
		}
		seen[d] = true
	}
	if n := checkManual(t, compile(t, weather), Options{Tags: RandomTags()}); n != 1 {
		t.Errorf("%d examples", n)
	}
}

// Under tags that occur in those of results every result would be a call.
func TestDelimsInResults(t *testing.T) {
	for _, d := range []parse.Tags{
		{Open: "<t", Close: "</c"}, {Open: "<call>", Close: "</tool-error"}, {Open: "x", Close: "y"}, {Open: "<<", Close: "!#"},
		{Open: "|<tool-result", Close: "!#"}, {Open: "<|<", Close: "!#"}, {Open: ">|", Close: "!#"}, {Open: ">>", Close: "!#"},
	} {
		if err := check(nil, Options{Tags: d}); err == nil {
			t.Errorf("%v are taken", d)
		}
	}
	for _, d := range testDelims[:3] {
		if err := check(nil, Options{Tags: d}); err != nil {
			t.Error(err)
		}
	}
}

// A manual with a format or tags that readers refuse would explain calls that cannot be read.
func TestNewRefusesWhatReadersRefuse(t *testing.T) {
	tags := parse.Tags{Open: "%%", Close: "::"}
	for _, o := range []struct {
		catalog *sig.Catalog
		format  *parse.Format
		tags    parse.Tags
	}{
		{nil, protocol.Any(protocol.Hermes, protocol.DeepSeekV31), tags},
		{nil, protocol.Any(protocol.Hermes, protocol.DeepSeekV31), parse.Tags{}},
		{nil, protocol.Hermes, tags},
		{nil, protocol.MorphXML, tags},
		{nil, protocol.MorphXML, parse.Tags{}},
		{sig.AnyTool, protocol.MorphXML, parse.Tags{}},
		{nil, nil, parse.Tags{Open: "%%"}},
	} {
		_, want := parse.Message(o.catalog, "", &parse.Options{Format: o.format, Tags: o.tags})
		err := check(o.catalog, Options{Format: o.format, Tags: o.tags})
		if (err == nil) != (want == nil) {
			t.Errorf("%s, %v: %v, want %v", o.format, o.tags, err, want)
		}
	}
}

// Nothing directly before or after a result, such as half an opener,
// makes an opener with it.
func TestDelimsBesideResults(t *testing.T) {
	const bytes = "<|>/t-"
	var openers []string
	for _, a := range bytes {
		for _, b := range bytes {
			openers = append(openers, string(a)+string(b))
			for _, c := range bytes {
				openers = append(openers, string(a)+string(b)+string(c))
			}
		}
	}
	openers = append(openers, "|<tool-result", "|<tool-error>", "|<tool-results", "r>", "/tool-error>|", "->", "-->", "<call>")
	admitted := 0
	for _, open := range openers {
		o := Options{Tags: parse.Tags{Open: open, Close: "!#"}}
		if check(nil, o) != nil {
			continue
		}
		admitted++
		for before := range len(open) {
			for after := range len(open) {
				for _, result := range []string{must(nil, o).Result("", "x", false), must(nil, o).Result("", "x", true), must(nil, o).Result("t", "x", false)} {
					text := open[:before] + result + open[after+1:]
					for _, s := range segments(nil, text, parse.Options{Tags: o.Tags}) {
						if !isText(s) {
							t.Errorf("%s: %q holds %q", open, text, s.Text)
						}
					}
				}
			}
		}
	}
	if admitted < 100 {
		t.Errorf("%d openers admitted", admitted)
	}
}

// Tags in the signatures of lazy tools are refused as well: the loader shows those.
func TestDelimsOfLazyTools(t *testing.T) {
	for _, schemas := range []bool{false, true} {
		o := Options{Tags: parse.Tags{Open: ":i", Close: ":b"}, Lazy: Lazy{Schemas: schemas}}
		tools := toolsOf(t, `[{"name":"t","inputSchema":{"type":"object","properties":{}}},{"name":"lazy","lazy":true,"inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]`)
		if err := check(must(compile(t, tools), o).Catalog(), o); (err == nil) != schemas {
			t.Errorf("schemas %t: %v", schemas, err)
		}
	}
}

// Tags never make a call of what the prompt itself contains: they are refused, or only examples are
// calls.
func TestDelimsInPrompt(t *testing.T) {
	alone := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{}}}]`) // only one rule
	tools := toolsOf(t, `[{"name":"t"},{"name":"u","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"enum":["|.t<|"]}},"b":{"type":"object","properties":{"n":{"type":"integer"}}}}}}]`)
	accepted := 0
	for _, d := range []parse.Tags{
		{Open: "|.", Close: "<|"}, {Open: "<|", Close: "|."}, {Open: "(?)", Close: "!#"}, {Open: "):", Close: "!#"}, {Open: "):", Close: ");"},
		{Open: ":{", Close: "}:"}, {Open: "-3", Close: "!#"}, {Open: "|t", Close: "!#"},
	} {
		o := Options{Tags: d}
		for _, catalog := range []*sig.Catalog{alone, compile(t, tools)} {
			if check(catalog, o) == nil {
				checkManual(t, catalog, o)
				accepted++
			}
		}
	}
	if accepted < 8 {
		t.Errorf("%d tags are accepted", accepted)
	}
}
