package proxy

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream/middleware"
)

// summary is what is told of a request in one line, when it has ended.
type summary struct {
	api                                  string
	reason                               string // why it was passed on
	tools                                int
	before, after                        int // of those units
	unit                                 string
	calls, malformed, retried, discarded int
	repaired                             int // of the calls
}

// take takes what was rewritten. count counts tokens; where it is nil, bytes are counted.
func (s *summary) take(r middleware.Rewrite, count func(string) int) {
	s.api = r.API
	switch r.Stage {
	case middleware.Request:
		var request struct {
			Tools []json.RawMessage `json:"tools"`
		}
		json.Unmarshal(r.Before, &request)
		s.tools = len(request.Tools)
		if s.unit = "tokens"; count == nil {
			s.unit, count = "bytes", func(text string) int { return len(text) }
		}
		s.before, s.after = count(string(r.Before)), count(string(r.After))
	case middleware.Untouched:
		s.reason = r.Reason
	case middleware.Call:
		if s.calls++; len(r.Repairs) > 0 {
			s.repaired++
		}
	case middleware.Malformed:
		s.malformed++
	case middleware.Retry:
		s.retried++
	case middleware.Invented:
		s.discarded++
	}
}

// line returns the line.
func (s *summary) line(took time.Duration) string {
	head := fmt.Sprintf("done in %s: ", took.Round(time.Millisecond))
	switch {
	case s.api == "":
		return head + "passed on: no business of the proxy's"
	case s.reason != "" && s.calls > 0:
		return head + s.api + ", passed on: " + s.reason + "; " + terminal.Count(s.calls, "call") + " rescued"
	case s.reason != "":
		return head + s.api + ", passed on: " + s.reason
	}
	line := fmt.Sprintf("%s%s, %s, %d %s became %d, %s, %d repaired, %d malformed, %d retried", head, s.api, terminal.Count(s.tools, "tool"), s.before, s.unit, s.after, terminal.Count(s.calls, "call"), s.repaired, s.malformed, s.retried)
	if s.discarded > 0 {
		line += ", a result was invented"
	}
	return line
}
