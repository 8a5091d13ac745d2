package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// numbered returns n times what format makes of a number, with commas.
func numbered(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, ",")
}

// Feedback on a short call is short, however much the schema says.
func TestFeedbackOnLongSchemas(t *testing.T) {
	for name, schema := range map[string]string{
		"an enum":         `{"type":"object","properties":{"a":{"enum":[` + numbered(10000, `"country-%d"`) + `]}},"required":["a"]}`,
		"many properties": `{"type":"object","properties":{` + numbered(5000, `"property%d":{"type":"integer","description":"a number"}`) + `}}`,
		"many required":   `{"type":"object","properties":{` + numbered(5000, `"property%d":{"type":"integer"}`) + `},"required":[` + numbered(5000, `"property%d"`) + `]}`,
		"a long default":  `{"type":"object","properties":{"a":{"type":"integer","description":"` + strings.Repeat("words ", 10000) + `","default":"` + strings.Repeat("é", 50000) + `"}},"required":["a"]}`,
		"a long const":    `{"type":"object","properties":{"a":{"const":"` + strings.Repeat("y", 100000) + `"}},"required":["a"]}`,
		"a long key":      `{"type":"object","properties":{"a` + strings.Repeat("y", 100000) + `":{"enum":[` + numbered(99, `"%d`+strings.Repeat("z", 3000)+`"`) + `]}}}`,
	} {
		catalog := compile(t, toolsOf(t, `[{"name":"t","description":"`+strings.Repeat("words ", 5000)+`","inputSchema":`+schema+`},`+numbered(500, `{"name":"`+strings.Repeat("x", 240)+`%d"}`)+`]`))
		for _, o := range []Options{{}, {Delims: lexer.Delims{Open: "<a>", Close: "</a>"}}} {
			for _, text := range []string{"<call>t a=zz</call>", "<call>t(", "<call>t</call>", "<call>t b=5 a=x</call>", "<call>t(a=zz)</call>", "<call>nope a=1</call>", `<call>{"x":1}</call>`} {
				for _, strict := range []bool{false, true} {
					for _, s := range (parse.Options{Strict: strict}).Text(text, catalog) {
						if got := o.Feedback(catalog, s); len(got) > 24<<10+4*len(text) {
							t.Errorf("%s, %s: %d bytes of feedback", name, text, len(got))
						}
					}
				}
			}
		}
	}
}

// Of a long enum the members that are most like the value are told, or the first ones.
func TestMembers(t *testing.T) {
	catalog := compile(t, toolsOf(t, `[{"name":"t","inputSchema":{"type":"object","properties":{
		"a":{"enum":[`+numbered(10000, `"country-%d"`)+`]},"n":{"enum":[`+numbered(500, `%d`)+`]},"s":{"enum":["x","y"]},"l":{"type":"array","items":{"enum":[`+numbered(90, `"item%d"`)+`,"`+strings.Repeat("z", 99)+`"]}}}}}]`))
	for _, c := range []struct{ call, want string }{
		{`t a=country_77x`, `Members: "country-77", "country-770", `},
		{`t a="Country 9999"`, `Members: "country-9999", `},
		{`t a=country-99999`, "… and 9990 more."},
		{`t a=Atlantis`, `Members: "country-0", "country-1", `},
		{`t n=500`, `Members: 50, 100, `},
		{`t l=[item4,item444]`, `Members: "item44", `},
		{`t l=[` + strings.Repeat("q", 5000) + `]`, `Members: "item0", `},
		{`t s=z`, `expected x|y;`},
	} {
		s := parse.Text("<call>"+c.call+"</call>", catalog)[0]
		got := Options{}.Feedback(catalog, s)
		if !strings.Contains(got, c.want) || strings.Contains(got, "zzz") && strings.Contains(got, "Members: \"z") {
			t.Errorf("%.40s: no %s in %.600s", c.call, c.want, got)
		}
	}
}
