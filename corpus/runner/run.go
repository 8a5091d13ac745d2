package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/callwire/callwire/corpus"
)

// Config is what is run and how.
type Config struct {
	Command []string      // the program and its arguments
	Cases   []corpus.Case // usually those of [corpus.Cases]
	Matrix  corpus.Matrix // the cut lists
	Jobs    int           // children at a time; 0 means one for each processor
	Timeout time.Duration // for one answer; 0 means [DefaultTimeout]

	// StartTimeout is for the answer to hello, before which a program may have to be
	// built; 0 means [DefaultStartTimeout].
	StartTimeout time.Duration

	// MaxLine bounds the bytes of one line of output; 0 means [DefaultMaxLine].
	MaxLine int

	// Known are the names of the checks that are known to fail.
	Known []string

	// Check judges the shape of the answers only, at few cut lists.
	Check bool

	// Progress, if not nil, is called after each check, by one goroutine at a time.
	Progress func(done, total, failed int)
}

// The defaults of [Config].
const (
	DefaultTimeout      = 10 * time.Second
	DefaultStartTimeout = time.Minute
	DefaultMaxLine      = 64 << 20
)

// setDefaults replaces zeros by defaults.
func (c *Config) setDefaults() {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.StartTimeout <= 0 {
		c.StartTimeout = DefaultStartTimeout
	}
	if c.MaxLine <= 0 {
		c.MaxLine = DefaultMaxLine
	}
	if c.Jobs <= 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
}

// Run judges an implementation. It returns an error if the implementation cannot be judged at all,
// because it doesn't start or doesn't answer hello correctly. If the context is done, Run returns
// its error together with a report on the finished checks.
func Run(ctx context.Context, config Config) (*Report, error) {
	if len(config.Command) == 0 {
		return nil, errors.New("no command")
	}
	config.setDefaults()
	began := time.Now()
	first, welcome, err := start(ctx, &config)
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("the run was interrupted before the answer to hello")
	}
	if err != nil {
		return nil, withStderr(err)
	}
	r := run{ctx: ctx, config: &config, report: &Report{Welcome: *welcome, Check: config.Check,
		Results: checksOf(config.Cases)}}
	var wait sync.WaitGroup
	for range min(config.Jobs, max(len(r.report.Results), 1)) {
		w := &worker{run: &r, child: first}
		first = nil // the others start their own
		wait.Go(w.work)
	}
	wait.Wait()
	r.report.apply(config.Known)
	r.report.Elapsed = time.Since(began)
	r.report.Interrupted = ctx.Err() != nil
	return r.report, ctx.Err()
}

// checksOf returns the checks of cases: a parse case is read whole and streamed.
func checksOf(cases []corpus.Case) (all []Result) {
	for i := range cases {
		c := &cases[i]
		all = append(all, Result{Case: c, Op: c.Op, Status: NotRun})
		if c.Op == corpus.Parse {
			all = append(all, Result{Case: c, Op: opStream, Status: NotRun})
		}
	}
	return all
}

// A run is what its workers share.
type run struct {
	ctx    context.Context
	config *Config

	mu     sync.Mutex
	next   int // the first check that hasn't started
	done   int
	failed int
	report *Report
}

// take returns the next check, or nil if there is none to do.
func (r *run) take() *Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.report.Results) || r.report.GaveUp || r.ctx.Err() != nil {
		return nil
	}
	r.next++
	return &r.report.Results[r.next-1]
}

// record counts a check that a worker has done, and gives up if too much time is lost.
func (r *run) record(w *worker, res *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if res.Status == Fail {
		r.failed++
	}
	r.report.GaveUp = r.report.GaveUp || w.gaveUp()
	if r.config.Progress != nil {
		r.config.Progress(r.done, len(r.report.Results), r.failed)
	}
}

// A worker does one check after the other with a child of its own. One question is in
// flight at a time, so a breakdown is that question's.
type worker struct {
	*run
	child *child        // nil if there is none
	lost  time.Duration // on questions at which the child broke down
}

// mostLost is how many timeouts may be lost on breakdowns before an implementation is given up.
const mostLost = 10

func (w *worker) gaveUp() bool { return w.lost >= mostLost*w.config.Timeout }

// work does checks until all are done.
func (w *worker) work() {
	for res := w.take(); res != nil; res = w.take() {
		w.do(res)
		w.record(w, res)
	}
	if w.child == nil {
		return
	}
	if farewell := w.child.bye(); farewell != "" && w.ctx.Err() == nil {
		w.mu.Lock()
		w.report.Farewell = farewell
		w.mu.Unlock()
	}
}

// do does a check: it asks all questions, up to a breakdown or one that is skipped.
func (w *worker) do(res *Result) {
	op := res.Op
	if op == opStream {
		op = corpus.Feed
	}
	if !slices.Contains(w.report.Welcome.Ops, op) {
		res.Status, res.Skip = Skipped, "hello does not name the op "+op
		return
	}
	began := time.Now()
	matrix := w.config.Matrix
	if w.config.Check {
		matrix = corpus.Ends
	}
	t := &trial{worker: w, Result: res, text: res.Case.Whole()}
	down := false
	for _, q := range res.questions(matrix) {
		var v Failure
		v, res.Skip, down = t.ask(&q)
		res.Requests++
		if v.What != "" {
			res.Wrong++
		}
		if v.What != "" && res.Failure == nil { // the report shows the first one
			v.Cuts = q.cuts
			res.Failure = &v
		}
		if down || res.Skip != "" {
			break
		}
	}
	if down && w.ctx.Err() != nil { // it was ended from outside
		*res = Result{Case: res.Case, Op: res.Op, Status: NotRun}
		return
	}
	t.shrink()
	res.Elapsed = time.Since(began)
	switch {
	case res.Failure != nil:
		res.Status = Fail
	case res.Skip != "":
		res.Status = Skipped
	default:
		res.Status = Pass
	}
}

// A trial is a check that is being done.
type trial struct {
	*worker
	*Result
	text []byte // the whole text of a stream
}

// largeTime is how many timeouts the answer to a large text may take.
const largeTime = 10

// ensureChild starts a child if there is none.
func (t *trial) ensureChild() error {
	if t.child == nil {
		child, _, err := start(t.ctx, t.config)
		if err != nil {
			return err
		}
		t.child = child
	}
	t.child.timeout = t.config.Timeout
	if t.Case.Repeat != nil {
		t.child.timeout *= largeTime
	}
	return nil
}

// ask asks a question and judges the answers. skip is the reason why the implementation doesn't
// answer it. down reports that the child broke down.
func (t *trial) ask(q *question) (v Failure, skip string, down bool) {
	began := time.Now()
	err := t.ensureChild()
	if err == nil {
		v, skip, err = t.exchange(q)
	}
	if err == nil {
		return v, skip, false
	}
	t.lost += time.Since(began)
	t.child = nil
	v = Failure{Kind: crashed, What: err.Error()}
	var broken *Failure
	if errors.As(err, &broken) {
		v = *broken
	}
	v.Want = wanted(t.Case)
	return v, "", true
}

// exchange sends the requests of a question and judges the answers. The error is a breakdown.
func (t *trial) exchange(q *question) (v Failure, skip string, err error) {
	requests := t.requests(q, t.text)
	if !q.lockstep {
		t.child.send(requests...)
	}
	batches := map[string][][]corpus.Event{} // by stream
	for i := range requests {
		if q.lockstep {
			t.child.send(requests[i])
		}
		answer, faults, down := t.child.receive(requests[i].Op)
		switch {
		case down != nil:
			return v, skip, down
		case v.What != "" || skip != "": // the first one counts
		case answer.Skip == "":
			v = t.accept(&requests[i], &answer, faults, batches)
		default:
			skip = answer.Skip
			if q.lockstep {
				return v, skip, nil // the rest need not be sent
			}
		}
	}
	if skip == "" {
		t.judgeStreams(&v, q, batches)
	}
	return v, skip, nil
}

// accept judges the answer to one request, or adds its events to those of its stream.
func (t *trial) accept(
	r *corpus.Request, a *corpus.Answer, faults []string, batches map[string][][]corpus.Event,
) (v Failure) {
	for _, fault := range faults {
		v.fault(wrongShape, "%s", fault)
	}
	switch {
	case len(faults) > 0:
	case r.ID == "":
		if !t.config.Check {
			v = judge(t.Case, a)
		}
	case a.Error != nil:
		return refused(t.Case, a.Error)
	case r.Op == corpus.Reset:
		delete(batches, r.ID) // what came before doesn't count
		if len(a.Events) > 0 {
			v.fault(wrongReset, "the answer to reset has events")
		}
	default:
		batches[r.ID] = append(batches[r.ID], a.Events)
	}
	return v
}

// judgeStreams judges the events of a stream and of its twin.
func (t *trial) judgeStreams(v *Failure, q *question, batches map[string][][]corpus.Event) {
	whole := *t.Case
	whole.Text = t.text
	for _, id := range []string{firstID, secondID} {
		if fed := batches[id]; fed != nil && v.What == "" && !t.config.Check {
			*v = judgeStream(&whole, q.cuts, fed)
		}
	}
	switch {
	case v.What == "":
	case q.reset > 0:
		v.Kind = wrongReset
		v.What += fmt.Sprintf(" (the stream had been fed %d bytes and was reset)", q.reset)
	case q.twin:
		v.What += " (a second stream was fed by turns)"
	}
}

// shrink makes the cut list of the failure as short as it can be within the time for one answer.
func (t *trial) shrink() {
	f := t.Failure
	if f == nil || len(f.Cuts) <= 2 || t.Case.Repeat != nil {
		return
	}
	began := time.Now()
	shrink(f.Cuts, func(cuts []int) bool {
		if time.Since(began) > t.config.Timeout {
			return false
		}
		v, _, _ := t.ask(&question{cuts: cuts})
		if v.What == "" {
			return false
		}
		v.Cuts, v.Stderr = cuts, cmp.Or(v.Stderr, f.Stderr)
		*f = v
		return true
	})
}
