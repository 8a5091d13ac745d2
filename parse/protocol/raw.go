package protocol

import (
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// raw writes unquoted text at offset at. Under Salvage an array or object with
// deviations that package relaxed tolerates, most often Python's, is read as one if the
// schema allows it, and no string.
func (r *reader) raw(text []byte, at int) {
	if json := r.tolerated(text, at); json != nil {
		text = json
	}
	r.asm.Raw(text, at)
}

// tolerated returns text as JSON if it is an array or object with tolerated deviations,
// which it notes; nil if it is not.
func (r *reader) tolerated(text []byte, at int) []byte {
	t := r.asm.Type()
	if !r.salvages() || !t.Says() || t.Kinds&sig.String != 0 {
		return nil
	}
	var kind sig.Kinds
	switch i := lexeme.SkipSpace(text, 0); {
	case i < len(text) && text[i] == '[':
		kind = sig.Array
	case i < len(text) && text[i] == '{':
		kind = sig.Object
	}
	if t.Kinds&kind == 0 || r.asm.Holds(text) {
		return nil
	}
	json, all, err := relaxed.Options{Allow: relaxed.All}.Parse(text)
	if err != nil || !r.asm.Holds(json) {
		return nil
	}
	var noted relaxed.Allow
	for _, met := range all {
		if noted&met.What == 0 {
			r.asm.Repaired(met.What.String(), at, false)
		}
		noted |= met.What
	}
	return json
}
