package engine

import (
	"github.com/callwire/callwire/lexer"
)

// values writes arguments that are not lexemes of their own: elements, and the values of a block.
// They keep no source text that could be a string, and the schema types them.
type values struct{ *Assembler }

// live reports whether what is read is written.
func (v values) live() bool { return !v.failed && v.fault == "" }

// settled follows what was written.
func (v values) settled() {
	if v.suspect && !v.failed {
		v.settle()
	}
}

// beginMember writes the key of a member of the innermost object, or of the arguments.
func (v values) beginMember(name []byte, at int) {
	if len(v.frames) == 0 {
		v.argument(name, at, -1)
	} else {
		v.member(name, 0, at)
	}
}

// beginFrame writes the beginning of an object or array.
func (v values) beginFrame(object bool, at int) {
	switch {
	case !v.live():
	case len(v.frames) >= v.config.limits.Depth:
		v.fail(lexer.TooDeep, at)
	default:
		v.beginValue()
		v.exact = true // no source text could be a string instead
		v.begin(v.typ, object, at, 0)
		v.exact = false
	}
}

// endFrame writes the end of the innermost object or array.
func (v values) endFrame(at int) {
	if v.live() {
		v.end(at, nil)
	}
}

// writeText writes text without quotes.
func (v values) writeText(text []byte, at int) {
	if v.live() {
		v.beginValue()
		v.writeRaw(v.typ, text, at)
		v.commit()
	}
}
