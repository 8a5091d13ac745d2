package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/callwire/callwire/corpus"
)

// A worker does one check after the other with a child of its own. One question is in
// flight at a time, so a breakdown is that question's.
type worker struct {
	ctx     context.Context
	config  *Config
	welcome *corpus.Welcome
	child   *child        // nil if there is none
	broken  int           // breakdowns since the last check without one
	waited  time.Duration // for answers that did not come
}

// The runner gives an implementation up after several breakdowns in a row, and after mostSilences
// timeouts in all.
const (
	enough       = 5
	mostSilences = 10
)

// givesUp reports whether the runner gives the implementation up.
func (w *worker) givesUp() bool { return w.broken >= enough || w.silent() }

// silent reports whether too many answers did not come in time.
func (w *worker) silent() bool { return w.waited >= mostSilences*w.config.Timeout }

// alive makes sure that there is a child.
func (w *worker) alive() error {
	if w.child != nil {
		return nil
	}
	var err error
	w.child, _, err = start(w.ctx, w.config)
	w.endure(err, w.config.StartTimeout)
	return err
}

// endure adds up the time that a breakdown has cost.
func (w *worker) endure(err error, timeout time.Duration) {
	var b *breakdown
	if errors.As(err, &b) && b.kind == silent {
		w.waited += timeout
	}
}

// drop ends the child.
func (w *worker) drop() {
	if w.child != nil {
		w.child.kill()
		w.child = nil
	}
}

// do does a check.
func (w *worker) do(c check) Result {
	began := time.Now()
	t := &trial{worker: w, check: c, text: c.Text, res: Result{Case: c.Case, Op: c.op,
		Status: Pass}}
	if !serves(w.welcome, c.op) {
		op := c.op
		if op == opStream {
			op = corpus.Feed
		}
		t.res.Status, t.res.Skip = Skipped, "hello does not name the op "+op
		return t.res
	}
	if c.op == opStream {
		t.text = c.Whole()
	}
	t.run()
	t.res.Elapsed = time.Since(began)
	if t.brokeDown {
		w.broken++
	} else {
		w.broken = 0
	}
	switch {
	case t.brokeDown && w.ctx.Err() != nil: // it was ended from outside
		return Result{Case: c.Case, Op: c.op, Status: NotRun}
	case t.res.Failure != nil:
		t.res.Status = Fail
	}
	return t.res
}

// A trial is a check that is being done.
type trial struct {
	*worker
	check
	text      []byte // the whole text of a stream
	res       Result
	brokeDown bool
}

// run asks all questions, and what it takes to make the first failure small.
func (t *trial) run() {
	for _, q := range t.questions(t.config.matrix()) {
		v, skip, err := t.ask(&q)
		t.res.Requests++
		if err != nil {
			t.brokeDown = true
			t.wrong(&q, t.brokenBy(err))
			if q.reset == 0 && !q.twin {
				t.shrink()
			}
			return
		}
		if skip != "" {
			t.res.Status, t.res.Skip = Skipped, skip
			return
		}
		if v.What != "" {
			t.wrong(&q, v)
		}
	}
	t.shrink()
}

// largeTime is how many timeouts the answer to a large text may take.
const largeTime = 10

// ask asks a question and judges the answers. skip is the reason why the implementation doesn't
// answer it. The error is a breakdown, and the child has ended then.
func (t *trial) ask(q *question) (v Failure, skip string, err error) {
	if err := t.alive(); err != nil {
		return v, "", err
	}
	t.child.timeout = t.config.Timeout
	if t.Repeat != nil {
		t.child.timeout *= largeTime
	}
	requests := t.requests(q, t.text)
	if !q.lockstep {
		t.child.send(requests...)
	}
	var batches [2][][]corpus.Event // of the stream, and of its twin
	for i := range requests {
		if q.lockstep {
			t.child.send(requests[i])
		}
		answer, faults, err := t.child.receive(&requests[i], t.config.Check)
		if err != nil {
			t.endure(err, t.child.timeout)
			t.drop()
			return v, "", err
		}
		if v.What != "" || skip != "" {
			continue
		}
		if answer.Skip == "" {
			v = t.take(&requests[i], &answer, faults, &batches)
			continue
		}
		skip = answer.Skip
		if q.lockstep {
			break // the rest need not be sent
		}
	}
	if q.cuts != nil && skip == "" {
		t.judgeStreams(&v, q, batches)
	}
	return v, skip, nil
}

// take judges the answer to one request, or adds its events to those of its stream.
func (t *trial) take(
	r *request, a *corpus.Answer, faults []string, batches *[2][][]corpus.Event,
) (v Failure) {
	switch {
	case len(faults) > 0:
		return misshapen(faults)
	case r.id == "":
		if !t.config.Check {
			v = judge(t.Case, a)
		}
	case a.Error != nil:
		return failed(t.Case, a.Error)
	case r.op == corpus.Reset:
		batches[0] = nil // what came before doesn't count
		if len(a.Events) > 0 {
			v.fault(wrongReset, "the answer to reset has events")
		}
	case r.id == secondID:
		batches[1] = append(batches[1], a.Events)
	default:
		batches[0] = append(batches[0], a.Events)
	}
	return v
}

// judgeStreams judges the events of a stream and of its twin.
func (t *trial) judgeStreams(v *Failure, q *question, batches [2][][]corpus.Event) {
	whole := *t.Case
	whole.Text = t.text
	for twin, batches := range batches {
		if v.What == "" && !t.config.Check && (twin == 0 || q.twin) {
			*v = judgeStream(&whole, q.cuts, batches)
		}
	}
	if v.What == "" {
		return
	}
	if q.reset > 0 {
		v.Kind = wrongReset
		v.What += fmt.Sprintf(" (the stream had been fed %d bytes and was reset)", q.reset)
	}
	if q.twin {
		v.What += " (a second stream was fed by turns)"
	}
}

// wrong records a failure. The report shows the first one in full.
func (t *trial) wrong(q *question, v Failure) {
	t.res.Wrong++
	if t.res.Failure == nil {
		v.Cuts = q.cuts
		t.res.Failure = &v
		return
	}
	t.res.Failure.add(v.What)
}

// brokenBy is the failure of a question that ended with a breakdown.
func (t *trial) brokenBy(err error) Failure {
	v := Failure{Kind: crashed, What: err.Error(), Want: wanted(t.Case)}
	var b *breakdown
	if errors.As(err, &b) {
		v.Kind, v.Stderr = b.kind, b.stderr
	}
	return v
}

// patience bounds the questions that are asked to make a failure small.
const patience = 300

// shrink makes the cut list of the failure as short as it can be.
func (t *trial) shrink() {
	f := t.res.Failure
	if f == nil || len(f.Cuts) <= 2 || t.Repeat != nil {
		return
	}
	asked := 0
	shrink(f.Cuts, func(cuts []int) bool {
		if asked++; asked > patience || t.broken > 0 || t.silent() {
			return false
		}
		v, _, err := t.ask(&question{cuts: cuts})
		if err != nil {
			v = t.brokenBy(err)
			asked += patience / 10 // a new child each time is slow
			if v.Kind == silent {
				asked = patience // and waiting for one that hangs is slower
			}
		}
		if v.What == "" {
			return false
		}
		v.Cuts = cuts
		for _, what := range f.More {
			v.add(what)
		}
		if v.Stderr == "" {
			v.Stderr = f.Stderr
		}
		*f = v
		return true
	})
}
