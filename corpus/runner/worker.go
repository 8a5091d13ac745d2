package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/callwire/callwire/corpus"
)

// A worker does one check after the other with a child of its own.
type worker struct {
	ctx     context.Context
	config  *Config
	welcome *Welcome
	child   *child        // nil when there is none
	broken  int           // breakdowns since the last check without one
	waited  time.Duration // for answers that did not come
}

// enough breakdowns in a row, and an implementation is given up. So it is after so
// many times of the timeout in which no answer came, whatever it answered between.
const (
	enough       = 5
	mostSilences = 10
)

// givesUp reports whether the implementation is given up.
func (w *worker) givesUp() bool { return w.broken >= enough || w.silent() }

// silent reports whether too many answers did not come in time.
func (w *worker) silent() bool { return w.waited >= mostSilences*w.config.Timeout }

// endure notes what a breakdown has cost.
func (w *worker) endure(err error, timeout time.Duration) {
	if b := (*breakdown)(nil); errors.As(err, &b) && b.silent {
		w.waited += timeout
	}
}

// do does checks: one, or several whose streams are fed by turns.
func (w *worker) do(checks ...checkName) []Result {
	began := time.Now()
	trials := make([]*trial, len(checks))
	for i, check := range checks {
		trials[i] = w.try(check)
	}
	var undone []*trial
	if len(trials) == 1 {
		undone = trials
	} else {
		undone = w.together(trials)
	}
	share := time.Since(began) / time.Duration(len(trials))
	results := make([]Result, len(checks))
	for i, k := range trials {
		began := time.Now()
		again := slices.Contains(undone, k)
		if again && i > 0 && w.givesUp() {
			results[i] = Result{Case: checks[i].c, Op: checks[i].op, Status: NotRun}
			continue
		}
		if again {
			k = w.try(checks[i])
			k.run()
		} else {
			k.conclude()
		}
		results[i] = k.result()
		results[i].Elapsed = share + time.Since(began)
	}
	return results
}

// try begins a check. One that is skipped has no requests.
func (w *worker) try(check checkName) *trial {
	c, op := check.c, check.op
	k := &trial{worker: w, c: c, res: Result{Case: c, Op: op, Status: Pass}}
	k.wrong = k.fail
	switch {
	case !w.welcome.has(op):
		if op == opStream && w.welcome.Protocol >= 2 {
			op = opFeed
		}
		k.res.Status, k.res.Skip = Skipped, "hello does not name the op "+op
	case (c.Protocol != "" || c.Delims != nil || c.Repeat != nil) && w.welcome.Protocol < 2:
		k.res.Status, k.res.Skip = Skipped, "protocol 1 has no other formats, no other tags and no repeated text"
	default:
		whole := *c
		whole.Text = c.Whole()
		k.c = &whole
		k.requests = requestsOf(c, op, w.config.matrix(), k.fed())
	}
	return k
}

// together feeds the streams of several checks by turns, and returns those that were
// not done when the child broke down: who of them it was shows when each is alone.
func (w *worker) together(trials []*trial) (undone []*trial) {
	var all []*feeding
	for _, k := range trials {
		for _, r := range k.requests {
			all = append(all, newFeeding(k, r))
		}
	}
	if err := w.alive(); err != nil {
		return trials
	}
	w.child.timeout = w.config.Timeout
	err := w.feed(all)
	if err == nil {
		return nil
	}
	w.endure(err, w.config.Timeout)
	w.drop()
	for _, f := range all {
		if !f.answered && !slices.Contains(undone, f.trial) {
			undone = append(undone, f.trial)
		}
	}
	return undone
}

// largeChunk is the size of the chunks of a large text.
const largeChunk = 1 << 16

// requestsOf returns the requests of a check. Those that are fed in chunks are
// requests of protocol 2: some of them are reset on the way.
func requestsOf(c *corpus.Case, op string, m Matrix, fed bool) []request {
	shared := body(c, fed)
	if op != opStream {
		return []request{{op: op, body: shared}}
	}
	var all []request
	if c.Repeat != nil { // a large text: that it can be fed is what counts
		text := c.Whole()
		return []request{{op: op, body: shared, cuts: every(largeChunk, largeChunk, len(text)), text: text}}
	}
	for cuts := range m.Splits(len(c.Text)) {
		all = append(all, request{op: op, body: shared, cuts: cuts, text: c.Text})
	}
	if n := len(c.Text); fed && n > 0 {
		for _, at := range []int{0, n, n/2 + 1, n/3 + 1, 1} { // first without a reset
			all = append(all, request{op: op, body: shared, cuts: []int{n / 2}, text: c.Text, reset: min(at, n)})
		}
	}
	return all
}

// alive makes sure that there is a child.
func (w *worker) alive() error {
	if w.child != nil {
		return nil
	}
	var err error
	w.child, _, err = start(w.ctx, w.config, helloLine(w.welcome.Protocol))
	w.endure(err, w.config.StartTimeout)
	return err
}

// drop ends the child.
func (w *worker) drop() {
	if w.child != nil {
		w.child.kill()
		w.child = nil
	}
}

// A trial is a check that is being done.
type trial struct {
	*worker
	c         *corpus.Case // with its whole text
	requests  []request
	wrong     func(r request, v verdict) // is called for each answer that is
	res       Result
	failure   *Failure
	brokeDown bool
}

// fed reports whether the requests are streams of protocol 2.
func (k *trial) fed() bool { return k.res.Op == opStream && k.welcome.feeds() }

// run asks all requests, and what it takes to make the first failure small.
func (k *trial) run() {
	if len(k.requests) == 0 {
		return
	}
	unanswered, err := k.ask(k.requests)
	if err != nil {
		k.locate(unanswered, err)
		return
	}
	k.conclude()
}

// conclude makes the first failure small, when all requests were answered.
func (k *trial) conclude() {
	if f := k.failure; f != nil && len(f.Cuts) > 2 && k.c.Repeat == nil {
		k.shrink(k.requests[0]) // the first is never reset
	}
}

// result is that of the trial when it is done.
func (k *trial) result() Result {
	if !k.brokeDown {
		k.broken = 0
	} else if k.broken++; k.ctx.Err() != nil {
		return Result{Case: k.res.Case, Op: k.res.Op, Status: NotRun} // it was ended from outside
	}
	if k.failure != nil {
		k.res.Status, k.res.Failure = Fail, k.failure
	}
	return k.res
}

// largeTime is how many times as long the answer to a large text may take.
const largeTime = 10

// ask asks requests. The error is a breakdown, and rest are the requests that were
// not answered before it.
func (k *trial) ask(requests []request) (rest []request, err error) {
	if err := k.alive(); err != nil {
		k.brokeDown = true
		return requests, err
	}
	k.child.timeout = k.config.Timeout
	if k.c.Repeat != nil {
		k.child.timeout *= largeTime
	}
	if k.fed() {
		streams := make([]*feeding, len(requests))
		for i, r := range requests {
			streams[i] = newFeeding(k, r)
		}
		if err = k.feed(streams); err != nil {
			for _, f := range streams {
				if !f.answered {
					rest = append(rest, f.request)
				}
			}
		}
	} else {
		var answered int
		answered, err = k.child.exchange(requests, func(i, seq int, line []byte) error {
			k.res.Requests++
			v, err := k.read(requests[i], seq, line)
			if err == nil && v.what != "" {
				k.wrong(requests[i], v)
			}
			return err
		})
		rest = requests[answered:]
	}
	if err != nil {
		var b *breakdown
		if errors.As(err, &b) && b.stderr == "" {
			b.stderr = k.child.stderr.String()
		}
		k.endure(err, k.child.timeout)
		k.brokeDown = true
		k.drop()
	}
	return rest, err
}

// read reads a line that should be the answer to r, and judges it.
func (k *trial) read(r request, seq int, line []byte) (verdict, error) {
	a, v, err := decodeAnswer(r, seq, line, k.config.Check)
	switch {
	case err != nil || a == nil:
		return v, err
	case a.Skip != nil:
		k.res.Status, k.res.Skip = Skipped, *a.Skip
		return verdict{}, nil
	}
	return judge(k.c, r, line, a), nil
}

// decodeAnswer reads a line that should be the answer to r. Without an answer the
// verdict is on its shape, which is all that counts if check is set; the error is
// a breakdown.
func decodeAnswer(r request, seq int, line []byte, check bool) (*answer, verdict, error) {
	var a answer
	err := json.Unmarshal(line, &a)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, verdict{}, &breakdown{line: true, what: fmt.Sprintf(
			"a line of standard output is no JSON: %s (other output belongs to standard error)", quote(excerpt(string(line), 200)))}
	case err != nil && a.Seq == nil:
		return nil, verdict{}, &breakdown{line: true, what: shapeVerdict(line, r).what}
	case string(bytes.TrimSpace(a.Seq)) != strconv.Itoa(seq):
		got := "none"
		if a.Seq != nil {
			got = string(a.Seq)
		}
		return nil, verdict{}, &breakdown{line: true, what: fmt.Sprintf("the answer has the seq %s where %d is due (answers come in the order of the requests)", got, seq)}
	case inOtherLetters(line):
		return nil, shapeVerdict(line, r), nil
	case check:
		if len(shapeOfAnswer(line, r)) > 0 {
			return nil, shapeVerdict(line, r), nil
		}
		return nil, verdict{}, nil
	case err != nil:
		return nil, shapeVerdict(line, r), nil
	}
	return &a, verdict{}, nil
}

// fail notes a failure. The first one stands; it has the fewest cuts. Of the
// others it is told what they are.
func (k *trial) fail(r request, v verdict) {
	k.res.Wrong++
	if k.failure == nil {
		k.failure = failureOf(r, v)
		return
	}
	k.failure.add(v.what)
}

// add adds a fault, if it was not told of any place yet.
func (f *Failure) add(fault string) {
	same := func(told string) bool { return anywhere(told) == anywhere(fault) }
	if !same(f.What) && len(f.More) < mostFaults && !slices.ContainsFunc(f.More, same) {
		f.More = append(f.More, fault)
	}
}

func failureOf(r request, v verdict) *Failure {
	f := &Failure{What: v.what, Cuts: r.cuts, Want: v.want, Got: v.got, Events: v.events}
	for _, fault := range v.more {
		f.add(fault)
	}
	return f
}

// locate finds the request at which a child breaks down: the first one without
// an answer need not be it, since answers before it may have been lost with the
// child.
func (k *trial) locate(rest []request, err error) {
	var b *breakdown
	if len(rest) > 1 && !(errors.As(err, &b) && b.line) && !k.silent() {
		for _, r := range rest {
			_, again := k.ask([]request{r})
			if again != nil {
				k.breakdown(r, again)
				return
			}
		}
		err = fmt.Errorf("%w; it happened with many requests in the pipe, and not again with each of them alone", err)
	}
	k.breakdown(rest[0], err)
}

func (k *trial) breakdown(r request, err error) {
	k.res.Requests++
	k.res.Wrong++
	if k.failure != nil {
		return
	}
	k.failure = &Failure{What: err.Error(), Cuts: r.cuts, Want: wanted(k.c)}
	var b *breakdown
	if errors.As(err, &b) {
		k.failure.Stderr = b.stderr
	}
	if len(r.cuts) > 2 && k.c.Repeat == nil {
		k.shrink(r)
	}
}

// shrink makes the cut list of the failure as short as it can be.
func (k *trial) shrink(r request) {
	const patience = 300
	asked := 0
	defer func() { k.wrong = k.fail }()
	shrink(k.failure.Cuts, func(cuts []int) bool {
		if asked++; asked > patience || k.broken > 0 || k.silent() {
			return false
		}
		r.cuts = cuts
		var v verdict
		k.wrong = func(_ request, found verdict) { v = found }
		if _, err := k.ask([]request{r}); err != nil {
			v = verdict{what: err.Error(), want: wanted(k.c)}
			asked += patience / 10 // a fresh child each time is slow
			if b := (*breakdown)(nil); errors.As(err, &b) && b.silent {
				asked = patience // and to wait for one that hangs is slower
			}
		}
		if v.what == "" {
			return false
		}
		more := k.failure.More
		k.failure = failureOf(r, v)
		for _, what := range more {
			k.failure.add(what)
		}
		return true
	})
}
