package shot

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestSVG: the picture is XML, shows all that it should, in its styles, and no
// sequence of the terminal.
func TestSVG(t *testing.T) {
	const output = "plain <&> text\n\x1b[1;32m▶ call\x1b[0m {\x1b[36m\"k\"\x1b[0m: 1}\nthree\nfour\n"
	got := string(SVG("callwire parse", output, 40, 3))
	for _, want := range []string{
		"$ callwire parse", "plain &lt;&amp;&gt; text", `<tspan class="call">▶ call</tspan> {<tspan class="key">&quot;k&quot;</tspan>: 1}`,
		"three", "… and 1 lines more", "prefers-color-scheme: dark",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if strings.Contains(got, "four") || strings.Contains(got, "\x1b") {
		t.Error(got)
	}
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
