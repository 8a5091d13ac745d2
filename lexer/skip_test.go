package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// A call that is malformed takes no other call with it, and shows none that
// stands in its quotes.
func TestRecovery(t *testing.T) {
	check(t, lexer.Config{}, []rule{
		{"damage ends with the close tag", "<call>t(</call>x", "Open(<call>) Fault(bad-name@7) Damage(t() Close(</call>) Text(x)"},
		{"damage ends before the opener of a call", "<call>t(<call>u</call>", "Open(<call>) Fault(bad-name@7) Damage(t() Cut Open(<call>) Name(u) Close(</call>)"},
		{"damage ends before an opener and whitespace", "<call>t(<call>\nu</call>", "Open(<call>) Fault(bad-name@7) Damage(t() Cut Open(<call>\n) Name(u) Close(</call>)"},
		{"damage ends before the opener of an envelope", "<call>t(<call>{</call>", "Open(<call>) Fault(bad-name@7) Damage(t() Cut Open(<call>) Fault(expected-name@14) Damage({) Close(</call>)"},
		{"an opener without a call is damage", "<call>t(<call><call> </call>", "Open(<call>) Fault(bad-name@7) Damage(t(<call><call> ) Close(</call>)"},
		{"an opener at the end is damage", "<call>t(<call> ", "Open(<call>) Fault(bad-name@7) Damage(t(<call> ) Cut"},
		{"damage can end with the input", "<call>t(x", "Open(<call>) Fault(bad-name@7) Damage(t(x) Cut"},
		{"a tag in double quotes ends nothing", `<call>t("</call><call>u")</call>`, `Open(<call>) Fault(bad-name@7) Damage(t("</call><call>u")) Close(</call>)`},
		{"a tag in single quotes ends nothing", `<call>t('</call>')</call>`, `Open(<call>) Fault(bad-name@7) Damage(t('</call>')) Close(</call>)`},
		{"a quote that never closes swallows to the end", `<call>t("</call><call>u</call>`, `Open(<call>) Fault(bad-name@7) Damage(t("</call><call>u</call>) Cut`},
		{"an escaped quote closes nothing", `<call>t("\"</call>")</call>`, `Open(<call>) Fault(bad-name@7) Damage(t("\"</call>")) Close(</call>)`},
		{"an escaped backslash escapes no quote", `<call>t("\\")</call>`, `Open(<call>) Fault(bad-name@7) Damage(t("\\")) Close(</call>)`},
		{"a backslash outside quotes takes nothing", `<call>t(\</call>`, `Open(<call>) Fault(bad-name@7) Damage(t(\) Close(</call>)`},
		{"a backslash at the end", `<call>t("\`, `Open(<call>) Fault(bad-name@7) Damage(t("\) Cut`},
		{"an error inside a string stays inside it", "<call>t a=\"\xff</call>\"</call>", "Open(<call>) Name(t) _ Key(a) = String(\") Fault(invalid-utf8@11) Damage(\xff</call>\") Close(</call>)"},
		{"the next call is read as if alone", `<call>t(</call><call>t a="x"</call>`, `Open(<call>) Fault(bad-name@7) Damage(t() Close(</call>) Open(<call>) Name(t) _ Key(a) = String("x") Close(</call>)`},
	})
}

// In damage a quote opens a string only where a value could begin.
func TestQuotesInDamage(t *testing.T) {
	for _, c := range []struct {
		before string
		opens  bool
	}{
		{" ", true}, {"\t", true}, {"\n", true}, {"\r", true},
		{"=", true}, {"[", true}, {"{", true}, {"(", true}, {",", true}, {":", true},
		{"x", false}, {"]", false}, {")", false}, {"}", false}, {".", false}, {"-", false}, {"\\", false}, {"\v", false}, {"é", false}, {`""`, false},
	} {
		for _, quote := range []string{`"`, `'`} {
			text := "<call>t((" + c.before + quote + "</call>" + quote
			want := "Open(<call>) Fault(bad-name@7) Damage(t((" + c.before + quote
			if c.opens {
				want += "</call>" + quote + ") Cut"
			} else {
				want += ") Close(</call>) Text(" + quote + ")"
			}
			if got := tokens(t, lexer.Config{}, text); got != want {
				t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
			}
			// The same where the damage has outgrown what is kept of it.
			short := lexer.Config{Limits: lexer.Limits{Bytes: 7}}
			want = strings.Replace(want, "bad-name", "call-too-long", 1)
			if got := tokens(t, short, text); got != want {
				t.Errorf("%q under a limit of 7 bytes\ngot  %s\nwant %s", text, got, want)
			}
		}
	}
}

// The source of a malformed span is kept, up to the limit on a call's bytes.
func TestRaw(t *testing.T) {
	for _, c := range []struct {
		name, text, raw string
		limit           int
		cut             bool
	}{
		{"all of it", "<call>t(x)</call>", "<call>t(x)</call>", 0, false},
		{"as long as the limit", "<call>t(x)</call>", "<call>t(x)</call>", 17, false},
		{"longer than the limit", "<call>t(x)</call>", "<call>t(x)</call", 16, true},
		{"much longer", "<call>t(x and more and more of it)</call>", "<call>t(x", 9, true},
		{"longer than the limit by a byte, up to the end", "<call>t(x", "<call>t(", 8, true},
		{"as long as the limit, up to the end", "<call>t(x", "<call>t(x", 9, false},
		{"as long as the limit, up to the next call", "<call>t(x<call>u</call>", "<call>t(x", 9, false},
		{"shorter than the limit, which is in the next opener", "<call>t(x<call>u</call>", "<call>t(x", 10, false},
		{"longer than the limit by a byte, up to the next call", "<call>t(x<call>u</call>", "<call>t(", 8, true},
		{"up to the next call", "<call>t(x<call>u</call>", "<call>t(x", 0, false},
		{"up to the end", "<call>t(x", "<call>t(x", 0, false},
		{"after a call", "<call>u</call> <call>t(x</call>", "<call>t(x</call>", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			everySplit(c.text, func(chunks ...string) {
				l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: c.limit}})
				if err != nil {
					t.Fatal(err)
				}
				start, raw, cut := 0, "", false
				for i := range len(chunks) + 1 {
					if i < len(chunks) {
						l.Feed([]byte(chunks[i]))
					} else {
						l.Close()
					}
					for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
						for _, k := range toks {
							if k.Kind == lexer.Open {
								start = k.Start
							}
						}
						if code, _ := l.Fault(); code == "" || raw != "" {
							continue
						}
						if k := toks[len(toks)-1]; k.Kind == lexer.Close || k.Kind == lexer.Cut {
							b, c := l.Raw(start, k.End)
							raw, cut = string(b), c
						}
					}
				}
				if raw != c.raw || cut != c.cut {
					t.Errorf("chunks %q: %q, cut %v", chunks, raw, cut)
				}
			})
		})
	}
}
