package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// anyTrip returns a trip in any format.
func anyTrip(s Source) Trip { return TripOf(s, oneOf(s, Formats...)) }

// TestRoundTrip writes any object for any tool in any format, and reads it back in hostile text.
func TestRoundTrip(t *testing.T) {
	trips, refused := map[string]int{}, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		tr := anyTrip(Drawn(rt))
		wrong, err := tr.Check()
		if wrong != "" {
			rt.Fatalf("%s, tool %s %s\n%s", Sample{Setup: tr.Setup}, tr.Tool, tr.Input, wrong)
		}
		trips[tr.Format.Name]++
		if err != nil {
			refused[tr.Format.Name]++
		}
	})
	for f, n := range trips {
		if n > 50 && refused[f] > 2*n/3 {
			t.Errorf("%s: %d of %d objects refused", f, refused[f], n)
		}
	}
}

// TestRoundTripOfCatalogs makes trips with real catalogs and our own, in every format. What has
// quotes carries every object.
func TestRoundTripOfCatalogs(t *testing.T) {
	all := Catalogs(t)
	all["types"], all["groups"] = types, groups
	for _, f := range append(protocol.All(), yaml.XML) {
		for file, catalog := range all {
			s := Setup{Catalog: catalog}
			s.Format, s.AllowAfterMalformed, s.AllowInCode = f, true, true
			for i := range often(2000) {
				tr := s.Trip(random(i))
				wrong, err := tr.Check()
				if wrong != "" {
					t.Fatalf("%s, %s: %s %s\n%s", f, file, tr.Tool, tr.Input, wrong)
				}
				if quotes := f == protocol.Wire || len(f.NameKeys) > 0; quotes && err != nil {
					t.Fatalf("%s, %s: %s %s is refused: %v", f, file, tr.Tool, tr.Input, err)
				}
			}
		}
	}
}

// TestTripUnderLimits: what is written under limits is read under them, and what is refused
// because of them cannot be read.
func TestTripUnderLimits(t *testing.T) {
	written, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		tr := anyTrip(c)
		free, err := parse.FormatCall(tr.Catalog, tr.Tool, []byte(tr.Input), tr.writer())
		if err != nil {
			return
		}
		tr.Limits = parse.Limits{Depth: c.IntN(5), Arguments: c.IntN(6)}
		if chance(c, 2) {
			tr.Limits.Bytes = max(1, len(free)-20+c.IntN(40))
		}
		o := tr.writer()
		o.Limits = tr.Limits
		reads := func(text string) bool {
			parts, _ := tr.Whole([]byte(text))
			for _, p := range parts {
				if p.Type == callPart && p.Name == tr.Tool && carries(p.Input, tr.Input) {
					return true
				}
			}
			return false
		}
		text, err := parse.FormatCall(tr.Catalog, tr.Tool, []byte(tr.Input), o)
		if err == nil {
			if written++; !reads(text) {
				rt.Fatalf("%s under %+v: %q is not read", tr.Format, tr.Limits, text)
			}
			return
		}
		refused++
		if reads(free) {
			rt.Fatalf("%s under %+v: %q is refused, and read: %v", tr.Format, tr.Limits, free, err)
		}
	})
	if written == 0 || refused == 0 {
		t.Errorf("%d written, %d refused", written, refused)
	}
}

// TestRepairTrip: what is written for readers with Repair is read by these as by others.
func TestRepairTrip(t *testing.T) {
	trips := 0
	rapid.Check(t, func(rt *rapid.T) {
		tr := anyTrip(Drawn(rt))
		tr.Repair = true
		text, err := parse.FormatCall(tr.Catalog, tr.Tool, []byte(tr.Input), tr.writer())
		if err != nil {
			return
		}
		plain := tr.Setup
		plain.Repair = false
		want, _ := plain.Whole([]byte(text))
		for _, p := range want {
			for _, i := range p.Issues {
				if i.Code != string(lexer.Coerced) {
					return // it does not fit
				}
			}
		}
		trips++
		got, _ := tr.Whole([]byte(text))
		if diff := Differ(want, got); diff != "" {
			rt.Fatalf("%s %q: %s", tr.Format, text, diff)
		}
	})
	if trips == 0 {
		t.Error("nothing was read")
	}
}

// TestRefusals: what cannot be written is refused with a code, and nothing is written.
func TestRefusals(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	many := "{"
	for i := range 1025 {
		many += fmt.Sprintf(`"k%d":0,`, i)
	}
	many = many[:len(many)-1] + "}"
	for _, c := range []struct {
		name, input string
		code        lexer.Code
	}{
		{"t", "", lexer.InvalidJSON}, {"t", `{"a":01}`, lexer.InvalidJSON},
		{"t", `{"a":1,}`, lexer.InvalidJSON}, {"t", `{} {}`, lexer.InvalidJSON},
		{"t", "[]", lexer.NotAnObject}, {"t", `"{}"`, lexer.NotAnObject}, {"t", "null", lexer.NotAnObject},
		{"t", `{"a":1,"\u0061":2}`, lexer.DuplicateKey}, {"t", `{"o":{"a":1,"a":2}}`, lexer.DuplicateKey},
		{"t", `{"a":"\ud83d"}`, lexer.UnpairedSurrogate}, {"t", "{\"a\":\"\xff\"}", lexer.InvalidUTF8},
		{"no tool", "{}", lexer.BadName}, {"", "{}", lexer.BadName}, {"1", "{}", lexer.BadName},
		{"t</call><call>x", "{}", lexer.BadName}, {"t\xff", "{}", lexer.InvalidUTF8},
		{strings.Repeat("t", 257), "{}", lexer.NameTooLong},
		{"t", `{"a":` + deep + `}`, lexer.TooDeep}, {"t", many, lexer.TooManyArguments},
		{"t", `{"a":"` + strings.Repeat("x", 4<<20) + `"}`, lexer.CallTooLong},
	} {
		text, err := parse.FormatCall(sig.AnyTool, c.name, []byte(c.input), nil)
		var e *parse.Error
		if !errors.As(err, &e) || e.Code != c.code || text != "" {
			t.Errorf("%.60s %.60s: %.60q, %.200v, want %s", c.name, c.input, text, err, c.code)
		}
	}
}

// carries reports whether a call has the input that was written.
func carries(got, want string) bool {
	return corpus.SameJSON(got, want) || addsNulls(got, want)
}
