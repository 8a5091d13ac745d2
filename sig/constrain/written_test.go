package constrain

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/sig"
)

// A grammar derives what the writer writes for values that were generated without the
// grammar.
func TestWritingIsDerived(t *testing.T) {
	n := min(100, max(1, *samples/60)) // values of each tool
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) {
			g := newGrammar(t, c, Options{})
			r := random(3)
			derived := 0
			for _, tool := range c.Tools() {
				p, err := sig.PlanOptions{}.Plan(tool)
				if err != nil {
					t.Fatal(err)
				}
				for range n {
					v := valuer{r: r, depth: 4}
					input := v.object(tool.Args)
					if v.failed {
						continue
					}
					text, err := wire.write(c, &parse.Call{Name: tool.Name, Input: []byte(input)}, p.Syntax == sig.JSON)
					if err != nil {
						t.Fatalf("%s: %v", input, err)
					}
					if !matchCall(g, text) {
						t.Fatalf("%s is not derived", text)
					}
					checkReads(t, c, wire, text)
					derived++
				}
			}
			if derived < n*c.Len()/2 {
				t.Errorf("only %d values for %d tools", derived, c.Len())
			}
		})
	}
}

// valuer generates the values of a type that the README says are derived. It fails if
// it knows none.
type valuer struct {
	r      *rand.Rand
	depth  int
	failed bool
	inside []*sig.Type // enclosing objects, which must not recur
}

func (v *valuer) object(t *sig.Type) string {
	if v.depth--; v.depth < 0 {
		v.failed = true
		return "{}"
	}
	defer func() { v.depth++ }()
	var members []string
	add := func(name string, t *sig.Type) {
		quoted := string(encode(name))
		members = append(members, quoted+":"+v.value(t))
	}
	if isMap(t) {
		if v.r.IntN(2) == 0 {
			add([]string{"a", "b c", "x.y", "é"}[v.r.IntN(4)], &sig.Type{Kinds: sig.Integer, Free: sig.Integer})
		}
		if t != nil && t.Extra != nil && t.Extra.Says() && t.Extra.Kinds&sig.Integer == 0 {
			return "{}"
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required {
			add(f.Name, f.Type)
		}
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; !f.Required && v.r.IntN(3) == 0 && (v.depth > 0 || f.Type != nil && f.Type.Kinds&(sig.Object|sig.Array) == 0) {
			add(f.Name, f.Type)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (v *valuer) value(t *sig.Type) string {
	if t == nil {
		return []string{"1", "true", "null", `"a b"`, `"x"`, `"42"`, "[]", "[1,\"x\",[true]]"}[v.r.IntN(8)]
	}
	if len(t.Enum) > 0 {
		return string(t.Enum[v.r.IntN(len(t.Enum))].JSON)
	}
	var kinds []sig.Kinds
	for k := sig.Null; k <= sig.Object; k <<= 1 {
		if t.Free&k != 0 {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		v.failed = true
		return "null"
	}
	limits := t.Limits
	if limits == nil {
		any := sig.Range{Max: sig.Unbounded}
		limits = &sig.Limits{Length: any, Items: any}
	}
	switch kinds[v.r.IntN(len(kinds))] {
	case sig.Null:
		return "null"
	case sig.Boolean:
		return []string{"true", "false"}[v.r.IntN(2)]
	case sig.Integer, sig.Number:
		low := whole(limits.Value.Min, -1000)
		high := whole(limits.Value.Max, low+5000)
		return strconv.Itoa(low + v.r.IntN(max(1, min(high-low, 1<<30)+1)))
	case sig.String:
		return v.text(limits)
	case sig.Array:
		items := make([]string, limits.Items.Min+v.r.IntN(3))
		for i := range items {
			items[i] = v.value(t.Item(i))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	for _, around := range v.inside {
		v.failed = v.failed || around == t
	}
	v.inside = append(v.inside, t)
	defer func() { v.inside = v.inside[:len(v.inside)-1] }()
	return v.object(t)
}

// whole returns the bound if it is an integer.
func whole(b *sig.Bound, none int) int {
	if b != nil {
		if n, err := strconv.Atoi(string(b.Number)); err == nil {
			return n
		}
	}
	return none
}

func (v *valuer) text(l *sig.Limits) string {
	if len(l.Patterns) > 0 {
		v.failed = true // no value is known
	}
	for _, f := range l.Formats {
		switch {
		case f == "uuid":
			return `"123e4567-e89b-12d3-a456-426614174000"`
		case f == "date":
			return `"2024-02-29"`
		case strings.Contains(f, "time"):
			v.failed = true
		}
	}
	for range 20 {
		if text := fuzz.Text(v.r); l.Length.Has(len([]rune(text))) {
			return string(encode(text))
		}
	}
	v.failed = true
	return `""`
}
