package markup

import (
	"errors"
	"strings"
	"testing"
)

// TestPut writes what would be markup if it were not escaped, by every type that can
// hold it.
func TestPut(t *testing.T) {
	type kind string
	for _, c := range []struct {
		arg  any
		want string
	}{
		{`<b title="x">'&`, "&lt;b title=&#34;x&#34;&gt;&#39;&amp;"},
		{kind("<b>"), "&lt;b&gt;"},
		{errors.New("<b>"), "&lt;b&gt;"},
		{[]string{"<b>"}, "[&lt;b&gt;]"},
		{HTML("<b>"), "<b>"},
		{7, "7"},
		{true, "true"},
	} {
		var p Page
		p.Put("<p>%v</p>", c.arg)
		if got, want := p.HTML(), HTML("<p>"+c.want+"</p>"); got != want {
			t.Errorf("%T %v: got %s, want %s", c.arg, c.arg, got, want)
		}
	}
}

// TestWriteTo writes a page within a page.
func TestWriteTo(t *testing.T) {
	var inner, outer Page
	inner.Put("<i>%s</i>", "&")
	outer.Put("<p>%s</p>%6.2f%%", inner.HTML(), 99.5)
	var b strings.Builder
	n, err := outer.WriteTo(&b)
	if want := "<p><i>&amp;</i></p> 99.50%"; b.String() != want || n != int64(len(want)) || err != nil {
		t.Errorf("got %q, %d, %v, want %q", b.String(), n, err, want)
	}
}
