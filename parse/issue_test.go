package parse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A call has a thousand issues at most, those that are met first.
func TestManyIssues(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"l":{"type":"array","items":{"type":"integer"}}}}`)
	for _, n := range []int{999, 1000, 1001, 3000} {
		segs := parse.Text("<call>t l=["+strings.Repeat("x,", n)+"]</call>", catalog)
		issues := segs[0].Issues
		if len(issues) != min(n, 1000) {
			t.Errorf("%d misfits are %d issues", n, len(issues))
		}
		last := issues[len(issues)-1]
		if want := fmt.Sprintf("l[%d]", len(issues)-1); last.Path != want || last.At != len("<call>t l=[")+2*(len(issues)-1) {
			t.Errorf("the last one is %+v, want %s", last, want)
		}
	}
}

// A path is cut after a thousand bytes, between runes.
func TestLongPaths(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{}}`)
	for _, c := range []struct {
		key  string
		want int
	}{{strings.Repeat("k", 1000), 1000}, {strings.Repeat("k", 1001), 1000 + len("…")}, {"k" + strings.Repeat("é", 600), 999 + len("…")}} {
		for _, text := range []string{"<call>t " + c.key + "=1</call>", `<call>t {"` + c.key + `":1}</call>`} {
			segs := parse.Text(text, catalog)
			path := segs[0].Issues[0].Path
			if len(path) != c.want || !utf8.ValidString(path) || strings.HasSuffix(path, "…") != (len(c.key) > 1000) {
				t.Errorf("a key of %d bytes has a path of %d, want %d", len(c.key), len(path), c.want)
			}
		}
	}
}

// Issues are in the order of their offsets, the outer value before the inner.
func TestOrderOfIssues(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"a":{"properties":{"x":{"type":"integer"}},"required":["x","y"]},"b":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}},"required":["c"]}`)
	segs := parse.Text(`<call>t a.q=1 b="5" k=r"x a.x=z</call>`, catalog)
	var got []string
	for _, is := range segs[0].Issues {
		got = append(got, fmt.Sprintf("%s(%s)@%d", is.Code, is.Path, is.At))
	}
	want := []string{
		"unknown-argument(a.q)@8", "coerced(b)@16", "coerced(b[0])@16", "coerced(b[0][0])@16",
		"unknown-argument(k)@20", "open-quote(k)@22", "type-mismatch(a.x)@30", "missing-argument(c)@31", "missing-argument(a.y)@31",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// At one offset, issues are in the order in which a reader meets them, however many
// there are and whatever comes to be in front of them.
func TestOrderAtOneOffset(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"a":{"type":"array","enum":[[]],"items":{"type":"array","items":{"type":"integer"}}}}}`)
	for _, n := range []int{1, 12, 13, 50, 500} {
		text := "<call>t a=['[\"x\"" + strings.Repeat(`,"x"`, n-1) + "]']</call>"
		issues := parse.Text(text, catalog)[0].Issues
		want := []string{"not-in-enum(a)", "coerced(a[0])"}
		for i := range n {
			want = append(want, fmt.Sprintf("type-mismatch(a[0][%d])", i))
		}
		var got []string
		for _, is := range issues {
			got = append(got, fmt.Sprintf("%s(%s)", is.Code, is.Path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d misfits: %v", n, got)
		}
	}
}

// What needs no schema comes before what does.
func TestOrderAtOneLexeme(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"n":{"type":"integer"},"s":{"enum":["x"]}}}`)
	for text, want := range map[string]string{
		`<call>t {"n":"\d\""}</call>`:       "ambiguous-escape type-mismatch",
		`<call>t {"s":"\d\""}</call>`:       "ambiguous-escape not-in-enum",
		`<call>t {"\d\"":1}</call>`:         "ambiguous-escape unknown-argument",
		`<call>t n="\d\""</call>`:           "ambiguous-escape type-mismatch",
		`<call>t n=r"x</call>`:              "open-quote type-mismatch",
		`<call>t s=r"x</call>`:              "open-quote not-in-enum",
		`<call>t {"n":r"x,k:"\d\""}</call>`: "open-quote type-mismatch unknown-argument ambiguous-escape",
	} {
		got := ""
		for _, is := range parse.Text(text, catalog)[0].Issues {
			got += " " + string(is.Code)
		}
		if got != " "+want {
			t.Errorf("%s:%s, want %s", text, got, want)
		}
	}
}

// Every code of an issue can come, and has its row in the table of codes.
func TestIssueCodes(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"n":{"type":"integer"},"e":{"enum":["x"]}},"required":["r"]}`)
	seen := map[lexer.Code]bool{}
	for _, s := range parse.Text(`<call>t n="1" e=z k="\d\"" l=r"x</call><call>t n=x</call>`, catalog) {
		for _, is := range s.Issues {
			seen[is.Code] = true
		}
	}
	for _, code := range []lexer.Code{lexer.TypeMismatch, lexer.NotInEnum, lexer.Coerced, lexer.AmbiguousEscape, lexer.OpenQuote, lexer.UnknownArgument, lexer.MissingArgument} {
		if !seen[code] {
			t.Errorf("no %s", code)
		}
	}
}

// The calls of a message share an allowance for issues: what they cost is in
// proportion to the message, whatever the chunks, and no call goes without any.
func TestAllowanceOfIssues(t *testing.T) {
	catalog := wide(t, 1200)
	const call, income, most = "<call>t</call>", 10, 1100000
	text := strings.Repeat(call, 400) + strings.Repeat("prose ", most/income/6+1) + strings.Repeat(call, 3)
	var want []int
	cost := 0
	for _, s := range parse.Text(text, catalog) {
		if s.Kind != parse.Call {
			continue
		}
		want = append(want, len(s.Issues))
		for _, is := range s.Issues {
			cost += 50 + len(is.Path)
		}
		if len(s.Issues) == 0 || cost > most+income*s.Start+100 {
			t.Fatalf("the call at %d has %d issues; %d for all so far", s.Start, len(s.Issues), cost)
		}
	}
	if full := []int{0, 1, 10, 400}; want[full[0]] != 1000 || want[full[1]] != 1000 || want[full[2]] != 1000 || want[full[3]] != 1000 {
		t.Errorf("%v issues", want)
	}
	if want[30] > 3 || want[399] > 3 {
		t.Errorf("%d and %d issues of later calls", want[30], want[399])
	}
	for _, size := range []int{1, 7, 1000} {
		p, err := parse.NewParser(catalog, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // Reset gives all of it back
			var got []int
			for i := 0; i < len(text); i += size {
				p.Feed([]byte(text[i:min(len(text), i+size)]))
				for part := p.Next(); part != parse.NoPart; part = p.Next() {
					if part == parse.CallPart {
						got = append(got, len(p.Segment().Issues))
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("chunks of %d: %v issues, want %v", size, got, want)
			}
			p.Reset()
		}
	}
}

// A call that is strict is malformed for its first issue, however many there were.
func TestStrictBeyondTheAllowance(t *testing.T) {
	o := parse.Options{Strict: true}
	for i, s := range o.Text(strings.Repeat("<call>t</call>", 400)+"<call>t k0=x</call>", wide(t, 1200)) {
		if want := map[bool]lexer.Code{true: lexer.TypeMismatch, false: lexer.MissingArgument}[i == 400]; s.Err == nil || s.Err.Code != want {
			t.Fatalf("call %d: %v", i, s.Err)
		}
	}
}
