package tokens

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

func published(t testing.TB, o Options) (bench.Suite, Report) {
	t.Helper()
	s, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Measure(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// TestPublished holds the totals of o200k_base against those that were published:
// native JSON exactly, and the wire format at its target.
func TestPublished(t *testing.T) {
	_, r := published(t, Options{})
	c := r.Counts[0]
	if c.Vocabulary != "o200k_base" || len(c.Calls) != 19 || r.Tools != 13 {
		t.Fatalf("%s, %d calls, %d tools", c.Vocabulary, len(c.Calls), r.Tools)
	}
	if got := c.Total[Native]; got != 762 {
		t.Errorf("native: %d tokens, published are 762", got)
	}
	if got := c.Total[Wire]; got > 465 {
		t.Errorf("wire: %d tokens, at most 465 are wanted", got)
	}
	if first := c.Calls[0]; first[Native] != 25 || first[Wire] != 11 {
		t.Errorf("the first call: native %d, wire %d, published are 25 and 11", first[Native], first[Wire])
	}
}

// TestSums: totals are the sums of the calls, and both parts of a saving are all
// of it.
func TestSums(t *testing.T) {
	_, r := published(t, Options{})
	if len(r.Counts) != len(Vocabularies) {
		t.Errorf("%d vocabularies", len(r.Counts))
	}
	for _, c := range r.Counts {
		total := map[Form]int{}
		for i, row := range c.Calls {
			for _, f := range Forms {
				if row[f] <= 0 || r.Calls[i].Text[f] == "" {
					t.Errorf("call %d: %d tokens as %s", i, row[f], f)
				}
				total[f] += row[f]
			}
		}
		if !reflect.DeepEqual(total, c.Total) {
			t.Errorf("%s: %v, want %v", c.Vocabulary, c.Total, total)
		}
		for _, s := range c.Savings {
			if s.Tokens != c.Total[s.Against]-c.Total[Wire] || s.Envelope+s.Arguments != s.Tokens {
				t.Errorf("%+v", s)
			}
		}
	}
}

// TestReadBack: JSON forms hold the arguments, and a text that is another call,
// none or more than one is told.
func TestReadBack(t *testing.T) {
	s, r := published(t, Options{})
	for i, c := range s.Calls {
		var native struct{ Input json.RawMessage }
		var bare struct{ Arguments json.RawMessage }
		var hermes struct{ Arguments json.RawMessage }
		lines := strings.Split(r.Calls[i].Text[Hermes], "\n")
		for text, v := range map[string]any{r.Calls[i].Text[Native]: &native, r.Calls[i].Text[Bare]: &bare, lines[1]: &hermes} {
			if err := json.Unmarshal([]byte(text), v); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		if !sameJSON(native.Input, c.Input) || !sameJSON(bare.Arguments, c.Input) || !sameJSON(hermes.Arguments, c.Input) {
			t.Errorf("%s: %s %s %s", c.Input, native.Input, bare.Arguments, hermes.Arguments)
		}
	}
	call := bench.Call{Name: "getTime", Input: json.RawMessage(`{"timezone":"42"}`)}
	if err := readBack(s.Catalog, lexer.DefaultDelims, "<call>getTime timezone=42</call>", call); err != nil {
		t.Error(err)
	}
	for _, text := range []string{
		"<call>getTime timezone=43</call>", "<call>getTime zone=42</call>", "<call>getTime</call>", "<call>calculate timezone=42</call>",
		"<call>getTime timezone=42", "getTime", "", "<call>getTime timezone=42</call> ", "<call>getTime timezone=42</call><call>getTime</call>",
	} {
		if err := readBack(s.Catalog, lexer.DefaultDelims, text, call); err == nil {
			t.Errorf("%q is taken for %s", text, call.Input)
		}
	}
	if err := readBack(nil, lexer.DefaultDelims, "<call>getTime timezone=42</call>", call); err == nil {
		t.Error("a number is taken for a string")
	}
}

// TestTags: other tags are tried on the same calls, the given ones first and
// once.
func TestTags(t *testing.T) {
	_, plain := published(t, Options{})
	for _, d := range []lexer.Delims{{Open: "((", Close: "))"}, {Open: "<!", Close: "!>"}} {
		_, r := published(t, Options{Tags: d})
		tags := r.Counts[0].Tags
		if tags[0].Open != d.Open || tags[0].Close != d.Close || tags[0].Calls <= 0 || tags[0].Manual <= 0 {
			t.Errorf("%v: %+v", d, tags)
		}
		for _, other := range tags[1:] {
			if other.Open == d.Open {
				t.Errorf("%v twice: %+v", d, tags)
			}
		}
		if !reflect.DeepEqual(r.Counts[0].Total, plain.Counts[0].Total) {
			t.Errorf("%v: the totals changed", d)
		}
	}
	s, _ := bench.Published()
	same, err := measureTags(s, lexer.DefaultDelims, func(text string) int { return len(text) })
	if err != nil || same.Calls == 0 {
		t.Fatal(err)
	}
	longer, err := measureTags(s, lexer.Delims{Open: "<calls>", Close: "</calls>"}, func(text string) int { return len(text) })
	if err != nil || longer.Calls != same.Calls+2*len(s.Calls) {
		t.Errorf("in bytes %d, want two more a call than %d", longer.Calls, same.Calls)
	}
}

// TestMeasureRefuses: a call that the tools do not have is named.
func TestMeasureRefuses(t *testing.T) {
	s, _ := bench.Published()
	s.Calls = append(s.Calls[:2:2], bench.Call{Name: "nothing", Input: json.RawMessage("{}")})
	if _, err := Measure(s, Options{}); err == nil || !strings.Contains(err.Error(), "call 3, nothing: unknown-tool") {
		t.Error(err)
	}
}

// TestWithoutArguments: where a call has no arguments, all that is saved is the
// envelope.
func TestWithoutArguments(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t"}]`)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Measure(bench.Suite{Catalog: catalog, Calls: []bench.Call{{Name: "t", Input: json.RawMessage("{}")}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Counts[0].Savings {
		if s.Arguments != 0 || s.Tokens != s.Envelope {
			t.Errorf("%+v", s)
		}
	}
	var b strings.Builder
	if err := r.Page("o200k_base").WriteText(&b, 80); err != nil || strings.Contains(b.String(), "NaN") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
