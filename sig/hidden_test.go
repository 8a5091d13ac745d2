package sig

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/callwire/callwire/grammar"
)

// TestNothingHiddenInSignatures: a signature contains no character that is
// invisible, ends a line or changes the direction of text, wherever in a tool it
// comes from; and the name or literal that contains it is still in the line.
func TestNothingHiddenInSignatures(t *testing.T) {
	hidden := func(text string) string {
		return strings.Map(func(r rune) rune {
			if Invisible(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Cc, unicode.Bidi_Control) {
				return r
			}
			return -1
		}, text)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !Invisible(r) || 0xe0100 < r && r <= 0xe0fff {
			continue
		}
		text := "a" + string(r) + "b"
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		schema := strings.ReplaceAll(`{"type":"object","title":T,"description":T,"properties":{
			T:{"type":"string"},
			"enum":{"enum":[T,[T],{T:T}]},"const":{"const":T},"default":{"type":"string","default":T},"defaults":{"default":[T]},
			"described":{"type":"string","title":T,"description":T,"format":T,"pattern":T,"contentEncoding":T},
			"names":{"type":"object","propertyNames":{"enum":[T]},"dependentRequired":{T:[T],"x":[T]},"properties":{"x":{}}},
			"alternatives":{"anyOf":[{"const":T,"description":T},{"type":"array","items":{"type":"string","description":T,"default":T,"pattern":T}}]},
			"more":{"type":"object","patternProperties":{T:{"enum":[T]}}},
			"ref":{"$ref":"#/$defs/d"},"ref2":{"$ref":"#/$defs/d"}},
			"$defs":{"d":{"type":"object","description":T,"properties":{T:{"$ref":"#/$defs/d"}}}}}`, "T", string(quoted))
		c, err := Compile([]Tool{{Name: "t" + string(r) + "u", Title: text, Description: text, Schema: []byte(schema)}})
		if err != nil {
			t.Fatalf("%U: %v", r, err)
		}
		plans, _ := c.Plans(PlanOptions{})
		for _, style := range []Style{Compact, Classic} {
			line := SignatureOptions{Style: style, Parameters: Full}.Signature(plans[0])
			if h := hidden(line); h != "" {
				t.Errorf("%U: %U in %q", r, []rune(h), line)
			}
			read, err := grammar.ReadSignature(line)
			if err != nil || read.String() != line {
				t.Errorf("%U: %v: %q", r, err, line)
			}
			if escape := string(AppendEscape(nil, r)); strings.Count(line, escape) < 8 && style == Classic {
				t.Errorf("%U is lost from %q", r, line)
			}
		}
		if typ := (SignatureOptions{Parameters: Full}).Type(c.Tools()[0].Args); hidden(typ) != "" {
			t.Errorf("%U: the type is %q", r, typ)
		}
	}
}

// A word with an invisible character is quoted, whatever the character's class.
func TestHiddenIsNotAWord(t *testing.T) {
	for _, r := range []rune{0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x200b, 0x2028, 0x202e, 0x3164, 0xfeff, 0xffa0, 0xe0041} {
		if isWord(fmt.Sprintf("a%cb", r)) {
			t.Errorf("%U is in a word", r)
		}
	}
}

// The error for a tool that cannot be announced hides nothing of its names.
func TestPlanErrorIsVisible(t *testing.T) {
	catalog, err := Compile(`[{"name":"t\u202e","inputSchema":{"properties":{"\u2028 x":{}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = PlanOptions{Fallback: Refuse}.Plan(catalog.Tools()[0])
	if e := (*PlanError)(nil); !errors.As(err, &e) || e.Tool != "t\u202e" || strings.ContainsFunc(e.Error(), Invisible) {
		t.Errorf("%q", err)
	}
}
