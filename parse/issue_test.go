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

// A path is cut behind a thousand bytes, between runes.
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
