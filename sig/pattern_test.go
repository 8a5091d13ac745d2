package sig

import (
	"fmt"
	"strings"
	"testing"
)

// TestPatternsAreBounded: patterns that would take too long for each byte of a key,
// alone or together, match every key; real patterns are run.
func TestPatternsAreBounded(t *testing.T) {
	many := func(n int, pattern string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"%s":{"const":%d}`, strings.ReplaceAll(pattern, "N", fmt.Sprint(i)), i))
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct {
		patterns string
		bad      string   // the pattern that is not run, if any
		keys     []string // each with its type, "-" for an unknown key
	}{
		{`"^x-":{"const":1},"y$":{"const":2}`, "", []string{"x-a 1", "ay 2", "x-y 1", "ax- -"}},
		{`"^[a-zA-Z0-9_-]{1,64}$":{"const":1}`, "", []string{strings.Repeat("a", 64) + " 1", strings.Repeat("a", 65) + " -"}},
		{`"^[a-zA-Z0-9_.-]{1,255}$":{"const":1},"^.{2,900}!":{"const":2}`, "", []string{strings.Repeat("a", 255) + " 1", strings.Repeat("a", 256) + " -", "a! -", "?a! 2"}},
		{`"^(?:arn|[a-z][a-z0-9-]{0,126}[a-z0-9])$":{"const":1}`, "", []string{"arn 1", strings.Repeat("a", 128) + " 1", strings.Repeat("a", 129) + " -"}},
		{`"^[a-z]{1,40}[a-z]{1,40}$":{"const":1},"^x":{"const":2}`, "^[a-z]{1,40}[a-z]{1,40}$", []string{"X 1", strings.Repeat("a", 81) + " 1"}},
		{`"^(a|ab){1,80}$":{"const":1}`, "^(a|ab){1,80}$", []string{"b 1"}},
		{`"[a-z]{1,30}$":{"const":1}`, "", []string{"a 1", "A -"}},
		{`"[a-z]{1,60}$":{"const":1}`, "[a-z]{1,60}$", []string{"a 1", "A 1"}},
		{`"((a{1,10}){1,10}){1,10}":{"const":1}`, "((a{1,10}){1,10}){1,10}", []string{"b 1"}},
		{`"a{1,2000}":{"const":1}`, "a{1,2000}", []string{"b 1"}},
		{`"` + strings.Repeat("a", maxPattern+1) + `":{"const":1}`, strings.Repeat("a", maxPattern+1), []string{"b 1"}},
		{`"^z":{"const":1},"a{1,2000}":{"const":2},"^y":{"const":3}`, "a{1,2000}", []string{"z 1", "b 2", "y 2"}},
		{many(32, "^xN-"), "^x24-", []string{"x23-a 23", "x0- 0", "x31- 24", "b 24"}},
		{many(24, "^xN-"), "", []string{"x23-a 23", "x0- 0", "x31- -", "b -"}},
	} {
		args, problems := compileSchema(t, `{"type":"object","patternProperties":{`+c.patterns+`},"additionalProperties":false}`)
		want := ""
		if c.bad != "" {
			want = BadPattern + " /patternProperties/" + c.bad
		}
		if got := strings.Join(problems, ","); got != want {
			t.Errorf("%.60s: problems %.200s, want %.200s", c.patterns, got, want)
		}
		for _, key := range c.keys {
			name, want, _ := strings.Cut(key, " ")
			typ, _, known := args.Property([]byte(name))
			if got := describe(typ); known != (want != "-") || known && got != want {
				t.Errorf("%.60s: %.40s is %s, known: %v", c.patterns, name, got, known)
			}
		}
	}
}

// TestPatternsWithinTheBudget: names of properties are matched against the patterns
// of other schemas only within the work allowed for the tool.
func TestPatternsWithinTheBudget(t *testing.T) {
	var names, patterns []string
	for i := range 4000 {
		names = append(names, fmt.Sprintf(`"name%d":{}`, i))
		patterns = append(patterns, fmt.Sprintf(`"^other%d":{}`, i))
	}
	_, problems := compileSchema(t, `{"type":"object","anyOf":[{"properties":{`+strings.Join(names, ",")+`}},{"patternProperties":{`+strings.Join(patterns, ",")+`}}]}`)
	if len(problems) == 0 || !strings.HasPrefix(problems[0], TooComplex) {
		t.Errorf("16 million matches are made: %.200s", problems)
	}
}

// TestOthersBesidePatterns: next to patterns, a signature shows the type of other
// properties only if the schema gives one.
func TestOthersBesidePatterns(t *testing.T) {
	for rest, want := range map[string]string{
		``: `t v?:{~"^x-":int}`, `,"additionalProperties":{"type":"boolean"}`: `t v?:{~"^x-":int *:bool}`,
		`,"additionalProperties":false`: `t v?:{~"^x-":int}`, `,"additionalProperties":true`: `t v?:{~"^x-":int}`,
	} {
		tool := compileTools(t, Tool{Name: "t", Schema: []byte(`{"type":"object","properties":{"v":{"type":"object","patternProperties":{"^x-":{"type":"integer"}}` + rest + `}}}`)}).Tools()[0]
		if got := tool.Signature(); got != want {
			t.Errorf("%s: %s, want %s", rest, got, want)
		}
	}
}
