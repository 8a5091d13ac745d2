package lexeme

import "testing"

// A Near knows what begins with one of its tags, in any case and as far as it has come,
// and little else.
func TestNear(t *testing.T) {
	n := NewNear("<call", "<Tool", "<|xé")
	for text, want := range map[string]bool{
		"<": true, "<c": true, "<ca": true, "<CAl": true, "<calx": true, "<cax": false, "<d": false, "<to": true, "<TOOx": true, "<tab": false,
		"<|": true, "<|X": true, "<|y": false, "<|xé": true, "<|x|": false, "< a": false, "</call>": false, "<code>": false,
	} {
		if n.At([]byte(text)) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
	if !NewNear("<call", "<").At([]byte("<xyz")) || (*Near)(nil).At([]byte("<c")) {
		t.Error("a tag of one byte is known before all, and nil knows none")
	}
}
