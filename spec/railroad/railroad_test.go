package railroad

import (
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	list := Of(Loop, &Node{Kind: Word, Text: "Name", Class: "n", Link: "production.Name"})
	list.Between = &Node{Kind: Word, Text: ",", Class: "t"}
	n := Of(Sequence,
		&Node{Kind: Word, Text: "<call>", Class: "t"}, Of(Optional, list),
		Of(Choice, Of(Loop, &Node{Kind: Word, Text: "a–z", Class: "c"}), Of(Skip)))
	want := strings.NewReplacer("\n", "", "\t", "").Replace(`
<div class="rr" role="group" aria-label="a &#34;label&#34;" tabindex="0"><span class="track">
	<span class="t">&lt;call&gt;</span>
	<span class="tracks">
		<span class="track">
			<span class="tracks">
				<span class="track"><a class="n" href="#production.Name">Name</a></span>
				<span class="track back"><span class="t">,</span></span>
			</span>
		</span>
		<span class="track"></span>
	</span>
	<span class="tracks">
		<span class="track">
			<span class="tracks">
				<span class="track"><span class="c">a–z</span></span>
				<span class="track back"></span>
			</span>
		</span>
		<span class="track"></span>
	</span>
</span></div>`)
	if got := Draw(n, `a "label"`); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
