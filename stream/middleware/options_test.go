package middleware

import (
	"io"
	"net/http"
)

// shown returns options under which likely mistakes are repaired, and malformed calls are
// text.
func shown(o Options) Options {
	o.Repair, o.ShowMalformed = true, true
	return o
}

// warnings returns a hook that writes warnings to log.
func warnings(log io.Writer) func(*http.Request, Rewrite) {
	return func(_ *http.Request, r Rewrite) {
		if r.Stage == Warned {
			io.WriteString(log, r.Reason+"\n")
		}
	}
}

// validObject reports whether data is one JSON object.
func validObject(data []byte) bool { return readValid(data) != nil }
