package grammar

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The mark ¦ is before each value with the issue.
func TestIssues(t *testing.T) {
	for _, test := range []struct {
		text string
		code Code
	}{
		{`<call>t a=¦r"x b=1</call>`, OpenQuote},
		{`<call>t a=¦r" b=¦="</call>`, OpenQuote},
		{`<call>t a=¦=='x</call>`, OpenQuote},
		{`<call>t a=¦=', b=¦x:' c=¦x,' d=¦x(' e=¦x{' f=¦x['</call>`, OpenQuote},
		{`<call>t a=[¦x " y, ¦x:']</call>`, OpenQuote},
		{`<call>t a=¦=''x' b=1</call>`, OpenQuote},
		{`<call>t {a:¦x"}</call>`, OpenQuote},
		{`<call>t a=¦5'10" b=1</call>`, OpenQuote},

		{`<call>t a=O'Brien b=x"y" c==''  d=a'b'c e=[O'Brien, rock 'n' roll]</call>`, OpenQuote},
		{`<call>t a="\"" b='"'</call>`, OpenQuote},

		{`<call>t a=¦"\d \" "</call>`, AmbiguousEscape},
		{`<call>t a=¦"\' \x"</call>`, AmbiguousEscape},
		{`<call>t a=¦'\' \u12'</call>`, AmbiguousEscape},
		{`<call>t a=¦'\" \ud800'</call>`, AmbiguousEscape},
		{`<call>t {¦"\d\"":1, k:[¦"\d\""]}</call>`, AmbiguousEscape},

		{`<call>t a="\d+" b="\"" c="\u0022 \d" d="\\\""</call>`, AmbiguousEscape},
	} {
		var want []Issue
		text := test.text
		for {
			at := strings.Index(text, "¦")
			if at < 0 {
				break
			}
			want = append(want, Issue{test.code, at})
			text = strings.Replace(text, "¦", "", 1)
		}
		got := standard(t).Read([]byte(text), Options{})[0].Issues
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}
