package manual

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// made returns the value that is made up for a property of that schema, nil if there is
// none.
func made(t *testing.T, schema string) []byte {
	t.Helper()
	catalog := compile(t, []sig.Tool{{Name: "t", Schema: []byte(`{"type":"object","properties":{"a":{` + schema + `}}}`)}})
	return (&maker{}).value("a", catalog.Tools()[0].Args.Fields[0].Type)
}

// combinations calls f with each choice of one text for each keyword, or none.
func combinations(keywords []string, values []string, f func(chosen map[string]string, schema string)) {
	n := 1
	for range keywords {
		n *= len(values) + 1
	}
	for i := range n {
		chosen, schema := map[string]string{}, ""
		for _, k := range keywords {
			if c := i % (len(values) + 1); c > 0 {
				chosen[k] = values[c-1]
				schema += fmt.Sprintf(`,%q:%s`, k, values[c-1])
			}
			i /= len(values) + 1
		}
		f(chosen, schema)
	}
}

// A number that is made up is within its bounds, and there is one wherever one is.
func TestNumbersWithinBounds(t *testing.T) {
	number := func(text string) (n float64) {
		json.Unmarshal([]byte(text), &n)
		return n
	}
	allows := func(chosen map[string]string, n float64) bool {
		for k, text := range chosen {
			b := number(text)
			ok := true
			switch k {
			case "minimum":
				ok = n > b || n == b && chosen["exclusiveMinimum"] != "true"
			case "maximum":
				ok = n < b || n == b && chosen["exclusiveMaximum"] != "true"
			case "exclusiveMinimum":
				ok = n > b || text == "true" || text == "false"
			case "exclusiveMaximum":
				ok = n < b || text == "true" || text == "false"
			case "multipleOf":
				ok = float64(int(n/b))*b == n
			}
			if !ok {
				return false
			}
		}
		return true
	}
	look := func(chosen map[string]string, schema string) {
		got := made(t, `"type":"integer"`+schema)
		if got != nil {
			if !allows(chosen, number(string(got))) {
				t.Errorf("%s: %s", schema, got)
			}
			return
		}
		for n := -20.0; n < 20 && chosen["multipleOf"] == ""; n++ {
			if allows(chosen, n) {
				t.Fatalf("%s: none is made up, and there is %v", schema, n)
			}
		}
	}
	combinations([]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}, []string{"-3", "2", "4", "5"}, look)
	combinations([]string{"minimum", "maximum", "multipleOf"}, []string{"2", "4", "5", "7"}, look)
	for _, flag := range []string{"true", "false"} {
		combinations([]string{"minimum", "maximum"}, []string{"-3", "2", "4"}, func(chosen map[string]string, schema string) {
			for k, exclusive := range map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"} {
				if chosen[k] != "" {
					chosen[exclusive] = flag
					schema += fmt.Sprintf(`,%q:%s`, exclusive, flag)
				}
			}
			look(chosen, schema)
		})
	}
	for _, pair := range [][2]string{{"minimum", "maximum"}, {"exclusiveMinimum", "exclusiveMaximum"}} { // the tighter of several holds
		for _, low := range []string{"1", "6"} {
			for _, high := range []string{"8", "30"} {
				got := made(t, fmt.Sprintf(`"allOf":[{"type":"integer"},{"%s":%s},{"%[1]s":4},{"%[3]s":%s},{"%[3]s":12}]`, pair[0], low, pair[1], high))
				if n := number(string(got)); n < max(4, number(low)) || n > min(12, number(high)) {
					t.Errorf("%s of 4 and %s, %s of %s and 12: %s", pair[0], low, pair[1], high, got)
				}
			}
		}
	}
}

// A list that is made up has as many items as it may, no two alike in a row, and at most
// four.
func TestListsWithinBounds(t *testing.T) {
	for items, usual := range map[string]int{`{"enum":["x","y"]}`: 2, `{"type":"integer"}`: 1, `{}`: 1} {
		combinations([]string{"minItems", "maxItems"}, []string{"0", "1", "2", "3", "4", "5"}, func(chosen map[string]string, schema string) {
			least, most := 0, 99
			fmt.Sscan(chosen["minItems"], &least)
			fmt.Sscan(chosen["maxItems"], &most)
			got := made(t, `"type":"array","items":`+items+schema)
			want := min(max(least, usual), most)
			possible := least <= most && least <= 4 && (usual == 2 || least < 2)
			var list []any
			if json.Unmarshal(got, &list); (got != nil) != possible || possible && len(list) != want {
				t.Errorf("%s of %s: %s, want %d", schema, items, got, want)
			}
			for i := range list {
				if i > 0 && list[i] == list[i-1] {
					t.Errorf("%s of %s: %s", schema, items, got)
				}
			}
		})
	}
}

// A text that is made up is as long as it may be, and of its pattern.
func TestTextsWithinBounds(t *testing.T) {
	for least := range 26 {
		for most := range 26 {
			for pattern, allowed := range map[string]string{"": "", "^[a-z ]*$": "abcdefghijklmnopqrstuvwxyz ", "^[0-9]*$": "0123456789", "^[A-Z]+$": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
				schema := fmt.Sprintf(`"type":"string","minLength":%d,"maxLength":%d`, least, most)
				if pattern != "" {
					schema += fmt.Sprintf(`,"pattern":%q`, pattern)
				}
				got := made(t, schema)
				var text string
				if json.Unmarshal(got, &text); got != nil && (len(text) < least || len(text) > most || allowed != "" && strings.Trim(text, allowed) != "") {
					t.Errorf("%s: %s", schema, got)
				}
				if got == nil && pattern == "" && least <= 6 && most >= 6 {
					t.Errorf("%s: none is made up", schema)
				}
			}
		}
	}
}

// Patterns that cost much are not looked at: long ones, and shorter ones that repeat.
func TestPatternsWithinBounds(t *testing.T) {
	for _, c := range []struct {
		pattern string
		most    int
	}{{"text|", 512}, {"text{1}|", 64}} {
		for n := len(c.pattern); n <= 520; n++ {
			pattern := c.pattern + strings.Repeat("x", n-len(c.pattern))
			if got := made(t, `"type":"string","pattern":"`+pattern+`"`); (got != nil) != (n <= c.most) {
				t.Fatalf("%s of %d bytes: %s", c.pattern, n, got)
			}
		}
	}
}
