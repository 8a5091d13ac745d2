package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// A prompt within a budget uses most of it.
func TestBudgetIsUsed(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("word ", 40))
	tool := `{"name":"t%d","description":"` + words + `","inputSchema":{"type":"object","properties":{"a":{"type":"string","default":"x","description":"` + words + `"},"b":{"type":"string","description":"` + words + `"}}}}`
	catalog := compile(t, fmt.Sprintf("["+tool+","+tool+"]", 1, 2))
	count := func(text string) int { return len(strings.Fields(text)) }
	for _, hide := range []bool{false, true} {
		o := Options{Signatures: sig.SignatureOptions{HideParameters: hide}, Count: count}
		full := count(must(catalog, o).String())
		o.Signatures = sig.SignatureOptions{HideParameters: hide, Budget: 1, Description: -1}
		least := count(must(catalog, o).String())
		o.Signatures = sig.SignatureOptions{HideParameters: hide}
		renders, sizes := 0, make(map[int]bool)
		o.Count = func(text string) int { renders++; return count(text) }
		for o.Budget = full; o.Budget >= least; o.Budget-- {
			renders = 0
			n := count(must(catalog, o).String())
			if n > o.Budget {
				t.Errorf("hidden %t: %d words for a budget of %d", hide, n, o.Budget)
			}
			sizes[n] = true
			if renders > 20 {
				t.Errorf("hidden %t: %d renders", hide, renders)
			}
		}
		// Each step of a saving changes up to six comments by a word.
		t.Logf("hidden %t: %d sizes from %d to %d words", hide, len(sizes), least, full)
		if len(sizes) < 25 {
			t.Errorf("hidden %t: only %d sizes from %d to %d words", hide, len(sizes), least, full)
		}
	}
}

// A budget drops whole descriptions, the longest first, but no limits and no defaults.
func TestBudgetDropsDescriptions(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{
		"a":{"type":"string","description":"One thing. And much more that is said of it, with all that there is to know."},
		"b":{"type":"string","maxLength":5,"description":"Short."}}}}]`)
	o := Options{Count: func(text string) int { return len(text) }}
	o.Budget = len(must(catalog, o).String()) - 1
	if got := must(catalog, o).String(); !strings.Contains(got, "\nt a? b? (<=5 chars; Short)") {
		t.Error(got)
	}
	if data, err := must(catalog, o).MarshalJSON(); err != nil || !strings.HasSuffix(string(data), `"omitted":["t.a: description"]}`) {
		t.Errorf("%s, %v", data, err)
	}
	catalog = compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"integer","minimum":3,"default":4,"description":"How many of them there are."}}}}]`)
	o.Budget = 1
	if m, _ := New(catalog, &o); !strings.HasSuffix(m.String(), "\nt p?:int=4 (>=3)") {
		t.Error(m.String())
	}
}
