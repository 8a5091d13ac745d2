package engine

import "github.com/callwire/callwire/lexer"

// foreign is what is known about a call in another format than that of the text.
type foreign struct {
	isForeign bool
	isTold    bool       // it is malformed in any case
	fix       string     // the repair that reading it is
	fixAt     int        // its offset
	code      lexer.Code // its fault if it turns out to be malformed, or "" for its own
}

// Foreign implements [lexer.Handler]. Where calls after a malformed span are refused, so are
// those between tags of other formats, except at the beginning of a line: within one, the text
// may be about them.
func (a *Assembler) Foreign(code lexer.Code, at int, lineStart bool) {
	d := a.draft
	d.foreign = foreign{isForeign: true, fix: "other-protocol", fixAt: at, code: code}
	if code == "" {
		d.fix = "missing-open"
	}
	d.wait()
	d.noteForeign()
	doubtful := a.afterMalformed || !lineStart
	if code == lexer.WrongOpener && doubtful && !a.config.AllowAfterMalformed {
		d.isTold = true
		d.fail(code, at)
		a.abandon()
	}
}

// noteForeign records that a call in another format was read.
func (d *draft) noteForeign() {
	if d.isForeign {
		d.repaired(d.fix, d.fixAt)
	}
}

// failForeign replaces the fault of a malformed call in another format.
func (d *draft) failForeign() {
	if d.code != "" {
		d.fault, d.faultAt = d.code, d.fixAt
	}
}
