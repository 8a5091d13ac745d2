package grammar

import (
	"strings"
	"testing"
)

// Each text is damage from the mark ¦ to the mark ¶ or the end of the text.
func TestSkip(t *testing.T) {
	for _, test := range []struct {
		text  string
		quote byte // of the string in which damage begins
	}{
		{`¦x</call>¶y`, 0},
		{`¦x¶<call>t</call>`, 0},
		{`¦¶<call>t`, 0},
		{`¦</call>¶</call>`, 0},
		{`¦x<call></call>¶`, 0},
		{`¦x<call> "</call>"</call>¶`, 0},
		{`¦x`, 0},
		{`¦`, 0},

		// Quotes open strings after whitespace and = [ { ( , :
		{`¦ "</call>"</call>¶`, 0},
		{"¦\n'</call>'</call>¶", 0},
		{`¦="</call><call>t"</call>¶`, 0},
		{`¦["</call>"{'</call>'("</call>",'</call>':"</call>"</call>¶`, 0},
		{`¦x"</call>¶"`, 0},
		{`¦""</call>¶"`, 0},
		{`¦ "a" "</call>"</call>¶`, 0},
		{`¦ "a""</call>¶"`, 0},
		{`¦ "it's</call>"</call>¶'`, 0},
		{`¦O'Brien's</call>¶'`, 0},
		{` ¦"</call>"</call>¶`, 0},
		{`x¦"</call>¶"`, 0},
		{`="x"¦"</call>¶"`, 0},

		// A backslash escapes the next byte only inside strings.
		{`¦ "\"</call>"</call>¶`, 0},
		{`¦ "\\"</call>¶"`, 0},
		{`¦ \"</call>¶"`, 0},
		{`¦\</call>¶"`, 0},
		{`¦\ "</call>"</call>¶`, 0},

		// A string that is never closed extends to the end.
		{`¦ "</call> x`, 0},
		{`¦ "</call>\"`, 0},
		{`¦ "</call>\`, 0},

		// Damage may begin inside a string.
		{`"¦</call>"</call>¶`, '"'},
		{`'¦</call>"'</call>¶`, '\''},
		{`"¦"</call>¶`, '"'},
		{`"¦\"</call>"</call>¶`, '"'},
		{`"¦"'</call>¶'`, '"'},
		{`"¦ </call>`, '"'},
	} {
		text := strings.NewReplacer("¦", "", "¶", "").Replace(test.text)
		pos := strings.Index(test.text, "¦")
		damage, _, ends := strings.Cut(strings.Replace(test.text, "¦", "", 1), "¶")
		end, closed := (&reader{Grammar: standard, Options: Options{Limits: Limits{}.OrDefault()}, text: text}).skip(pos, test.quote)
		if end != len(damage) {
			t.Errorf("%s: ends at %d, want %d", test.text, end, len(damage))
		}
		if closed != (ends && strings.HasSuffix(damage, "</call>")) {
			t.Errorf("%s: closed = %v", test.text, closed)
		}
	}
}
