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
	s := t.script(q, t.text, t.child.seq+1)
	t.child.seq += len(s.lines)
	answers := answers{trial: t, question: q, script: &s}
	err = t.child.exchange(s.lines, q.lockstep, answers.take)
	if errors.Is(err, errSkip) { // the rest was not sent
		return v, answers.skip, nil
	}
	if err != nil {
		var b *breakdown
		if errors.As(err, &b) && b.stderr == "" {
			b.stderr = t.child.stderr.String()
		}
		t.endure(err, t.child.timeout)
		t.drop()
		return v, "", err
	}
	return answers.judge(), answers.skip, nil
}

// answers are the answers to one question so far.
type answers struct {
	*trial
	question *question
	script   *script
	v        Failure // the first that is wrong
	skip     string
	batches  [2][][]corpus.Event // of the stream, and of its twin
}

// errSkip ends an exchange in lockstep if the implementation skips the stream. The rest of the
// stream is not sent.
var errSkip = errors.New("skipped")

// take takes the answer to step i.
func (a *answers) take(i int, line []byte) error {
	answer, faults, err := a.script.readAnswer(i, line, a.config.Check)
	step := &a.script.steps[i]
	switch {
	case err != nil:
		return err
	case a.v.What != "" || a.skip != "":
	case answer.Skip != "":
		a.skip = answer.Skip
		if a.question.lockstep && i+1 < len(a.script.steps) {
			return errSkip
		}
	case len(faults) > 0:
		a.v = misshapen(faults)
	case a.question.cuts == nil:
		if !a.config.Check {
			a.v = judge(a.Case, &answer)
		}
	case answer.Error != nil:
		a.v = failed(a.Case, answer.Error)
	case step.op == corpus.Reset:
		a.batches[0] = nil // what came before doesn't count
		if len(answer.Events) > 0 {
			a.v.fault(wrongReset, "the answer to reset has events")
		}
	default:
		twin := 0
		if step.id == secondID {
			twin = 1
		}
		a.batches[twin] = append(a.batches[twin], answer.Events)
	}
	return nil
}

// judge judges the answers when all have come.
func (a *answers) judge() Failure {
	if a.question.cuts == nil || a.skip != "" {
		return a.v
	}
	whole := *a.Case
	whole.Text = a.text
	for twin, batches := range a.batches {
		if a.v.What == "" && !a.config.Check && (twin == 0 || a.question.twin) {
			a.v = judgeStream(&whole, a.question.cuts, batches)
		}
	}
	if a.v.What == "" {
		return a.v
	}
	if a.question.reset > 0 {
		a.v.Kind = wrongReset
		a.v.What += fmt.Sprintf("%s%d bytes and was reset)", wasReset, a.question.reset)
	}
	if a.question.twin {
		a.v.What += " (a second stream was fed by turns)"
	}
	return a.v
}

// wasReset is the prefix of failures in a stream after a reset.
const wasReset = " (the stream had been fed "

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
