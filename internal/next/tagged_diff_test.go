package next

import (
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/parse"
	nextyaml "github.com/callwire/callwire/internal/next/yaml"
)

// This file compares with the core of today.

func TestDifferentialMorph(t *testing.T) {
	var seeds []string
	for _, c := range load(t, cases+"protocols/morph-xml.json") {
		seeds = append(seeds, strings.NewReplacer("<note>", "<t>", "</note>", "</t>", "<text>", "<s>", "</text>", "</s>", "at>", "o>", "lat>", "n>").Replace(string(c.Text)))
	}
	differTagged(t, format.MorphXML, protocol.MorphXML, seeds, xmlPieces, func(r *rand.Rand) string {
		var b strings.Builder
		for n := r.Intn(3); n >= 0; n-- {
			b.WriteString([]string{"", "hi ", "use <t> or <m>: ", "\n"}[r.Intn(4)])
			b.WriteString("<t>")
			randomXML(r, &b, 3)
			b.WriteString("</t>")
		}
		return b.String()
	})
}

func differTagged(
	t *testing.T, f *format.Format, p cwparse.Protocol, seeds, pieces []string, random func(*rand.Rand) string,
) {
	n := 20000
	if s := os.Getenv("N"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	r := rand.New(rand.NewSource(int64(n)))
	bad, calls := 0, 0
	for i := 0; i < n && bad < 8; i++ {
		var in string
		switch r.Intn(4) {
		case 0, 1:
			in = random(r)
		case 2:
			in = mutate(r, seeds[r.Intn(len(seeds))], pieces)
		case 3:
			in = mutate(r, random(r), pieces)
		}
		o := parse.Options{Format: f, Strict: r.Intn(4) == 0, AllowAfterMalformed: r.Intn(6) != 0, AllowUnclosed: r.Intn(3) == 0}
		if r.Intn(5) == 0 {
			o.Limits = lexer.Limits{Bytes: r.Intn(90), Depth: r.Intn(4), Arguments: r.Intn(4), Name: r.Intn(3)}
		}
		o.AllowInCode = true // see text_test.go
		doubtful := f.Body == format.Block || strings.Contains(in, "/>")
		o.AllowAfterMalformed = o.AllowAfterMalformed || doubtful
		if f.Body == format.Block {
			o.Limits.Name = 0 // after a name that is too long, the project reads damage as a block
		}
		want := mainLines(in, taggedTools, o, p)
		calls += strings.Count(strings.Join(want, "\n"), "tool-call")
		var cuts []int
		for i, k := 0, 1+r.Intn(8); i < len(in); i++ {
			if r.Intn(k) == 0 {
				cuts = append(cuts, i)
			}
		}
		for _, cuts := range [][]int{nil, cuts} {
			got, err := run(newParser(taggedTools, o), []byte(in), cuts)
			if limitWins(got, want) || doubtful && marked(got, want) {
				break
			}
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") && withoutIndexes(got) != withoutIndexes(want) {
				bad++
				t.Errorf("%q strict %v after %v limits %+v cuts %v: %v\ngot  %s\nwant %s", in, o.Strict, o.AllowAfterMalformed, o.Limits, cuts, err, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
				break
			}
		}
	}
	t.Logf("%d messages, %d calls", n, calls)
}

// marked reports whether lines differ by open-quote issues and marks alone. The project has none in
// YAML, and does not mark calls after one that ends with an empty tag.
func marked(got, want []string) bool {
	all := strings.Join(got, "\n")
	if strings.Contains(all, "malformed") && strings.Contains(all, "open-quote at") {
		return true // strict
	}
	all = openQuotes.ReplaceAllString(withoutIndexes(got), "")
	return strings.ReplaceAll(all, " after", "") == strings.ReplaceAll(withoutIndexes(want), " after", "")
}

var openQuotes = regexp.MustCompile(` !open-quote .*? \d+`)

// limitWins reports whether the message ends in an end tag that exceeds the limit on a call. To the
// project such a call is unterminated.
func limitWins(got, want []string) bool {
	const unclosed = "unterminated-call at"
	last := len(want) - 1
	return last >= 0 && len(got) == len(want) &&
		strings.Contains(want[last], unclosed) && strings.Contains(got[last], "call-too-long at")
}

// indexes match where the project counts one item too many, in the path of a string with tags.
var indexes = regexp.MustCompile(`(!ambiguous-text \S*)\[\d+\] `)

func withoutIndexes(lines []string) string {
	return indexes.ReplaceAllString(strings.Join(lines, "\n"), "$1 ")
}

func TestDifferentialYAML(t *testing.T) {
	var seeds []string
	for _, c := range load(t, cases+"protocols/yaml-xml.json") {
		seeds = append(seeds, strings.NewReplacer("<note>", "<t>", "</note>", "</t>", "text:", "s:", "at:", "o:", "list", "m").Replace(string(c.Text)))
	}
	differTagged(t, nextyaml.XML, yaml.XML, seeds, yamlPieces, func(r *rand.Rand) string {
		var b strings.Builder
		for n := r.Intn(3); n >= 0; n-- {
			b.WriteString([]string{"", "hi ", "use <t> or <m>: ", "\n"}[r.Intn(4)])
			b.WriteString("<t>\n")
			randomYAML(r, &b, r.Intn(2)*2, 2)
			b.WriteString("</t>")
		}
		return b.String()
	})
}
