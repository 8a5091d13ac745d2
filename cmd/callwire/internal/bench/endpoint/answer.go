package endpoint

import (
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// Answer is what a model has answered.
type Answer struct {
	Text   string
	Calls  []Call
	Finish string

	Usage record.Usage
	Lost  record.Usage // what tries took that came to nothing

	FirstByte time.Duration // from sending to the first byte of the answer
	FirstCall time.Duration // to the end of the first native call; 0 where there is none
	Total     time.Duration // to the end

	Tries    int  // how often the request had to be sent again
	Scripted bool // the endpoint says that no model answers
}

// Raw returns the message for a record.
func (a *Answer) Raw() record.Raw {
	raw := record.Raw{Text: a.Text, Finish: a.Finish}
	for _, c := range a.Calls {
		raw.Calls = append(raw.Calls, record.RawCall{Name: c.Name, Arguments: c.Arguments})
	}
	return raw
}

// ScriptedHeader is the header by which an endpoint says that it plays a model.
const ScriptedHeader = "Callwire-Scripted"

// Watch sees the text of an answer as it arrives, so long after the request was
// sent.
type Watch func(delta string, at time.Duration)

// reading is an answer that is being read.
type reading struct {
	Answer
	since     func() time.Duration
	watch     Watch
	reported  bool // the provider has counted tokens
	meaning   bool // something of the answer was understood
	completed bool // it has come to its end
}

func (r *reading) text(delta string) {
	r.Text += delta
	if r.watch != nil && delta != "" {
		r.watch(delta, r.since())
	}
}

// callDone says that a native call is complete.
func (r *reading) callDone() {
	if r.FirstCall == 0 {
		r.FirstCall = r.since()
	}
}
