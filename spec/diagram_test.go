package spec

import (
	"regexp"
	"strings"
	"testing"
)

var boxes = regexp.MustCompile(`<(?:a|span) class="([tcnp])"[^>]*>(.*?)</(?:a|span)>`)

// outline writes a diagram in one line: boxes in braces and tracks in parentheses, < goes back.
func outline(diagram string) string {
	short := strings.NewReplacer(
		`<span class="tracks"><span class="track">`, "(", `</span><span class="track">`, "|",
		`</span><span class="track back">`, "<", "</span></span>", ")", "&#34;", `"`, "&lt;", "<", "&gt;", ">")
	return short.Replace(boxes.ReplaceAllString(diagram, "{$1:$2}"))
}

func TestDraw(t *testing.T) {
	const want = `<div class="rr" role="group" aria-label="a &#34;b&#34;" tabindex="0"><span class="track">` +
		`<a class="n" href="#x">&lt;</a></span></div>`
	if got := draw(box("n", "<", "x"), `a "b"`); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDrawPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		`<call>`:     "{t:<call>}",
		`[ \t\r\n]+`: "({c:whitespace}<)",
		`[A-Za-z_][A-Za-z0-9_\x{80}-\x{10FFFF}]*`: "{c:A–Z _ a–z}(({c:0–9 A–Z _ a–z non-ASCII}<)|)",
		`[^\x00-\x20\x7F=.]+`:                     "({c:not control space . = DEL}<)",
		`[^"\\]`:                                  `{c:not " \}`,
		`"(?:[^"]|\\(?s:.))*"`:                    `{t:"}((({c:not "}|{t:\}{c:anything})<)|){t:"}`,
		`a?\z`:                                    "({t:a}|){p:end of text}",
		`[\r\n]`:                                  "{c:LF CR}",
	} {
		if got := outline(drawPattern(pattern)); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}
