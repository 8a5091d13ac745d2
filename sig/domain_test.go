package sig

import (
	"testing"

	"pgregory.net/rapid"
)

// Domains behave as sets under intersection and union.
func TestDomainsAreSets(t *testing.T) {
	samples := []*value{}
	c := compiler{work: 1 << 30, common: map[pair]*memberSet{}, united: map[[2]*memberSet]*memberSet{}}
	for _, text := range []string{`null`, `true`, `false`, `0`, `1`, `1.0`, `1.5`, `"a"`, `"1"`, `[]`, `[1]`, `{}`} {
		doc, err := decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, doc.root)
	}
	has := func(d domain, v *value) bool {
		m := keyedMember(v)
		return d.free&m.Kind != 0 || d.members.has(&m)
	}
	draw := rapid.Custom(func(t *rapid.T) domain {
		d := only(Kinds(rapid.IntRange(0, int(Any)).Draw(t, "kinds")))
		if rapid.Bool().Draw(t, "enum") {
			var members []Member
			for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(samples)-1), 1, 5).Draw(t, "members") {
				members = append(members, keyedMember(samples[i]))
			}
			d = d.intersect(literals(newMemberSet(members)))
		}
		return d
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		both, either := c.intersect(a, b), c.union([]variant{{domain: a}, {domain: b}})
		for _, v := range samples {
			if has(both, v) != (has(a, v) && has(b, v)) {
				t.Errorf("intersection and %s", v.raw)
			}
			if has(either, v) != (has(a, v) || has(b, v)) {
				t.Errorf("union and %s", v.raw)
			}
		}
		for _, d := range []domain{a, b, both, either} {
			if d.kinds&Number != 0 && d.kinds&Integer == 0 || d.free&Number != 0 && d.free&Integer == 0 {
				t.Errorf("number without integer: %v", d)
			}
			if d.free&^d.kinds != 0 {
				t.Errorf("free kinds that are not allowed: %v", d)
			}
			if d.kinds&^d.free&^memberKinds(d.members, Any) != 0 {
				t.Errorf("kinds that no value has: %v", d)
			}
			for _, m := range d.members.members() {
				if m.Kind&d.kinds == 0 {
					t.Errorf("a member of a kind that is not allowed: %v", d)
				}
			}
		}
	})
}
