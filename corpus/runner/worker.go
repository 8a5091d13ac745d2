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
	child   *child // nil when there is none
	broken  int    // breakdowns since the last check without one
}

// enough breakdowns in a row, and an implementation is given up.
const enough = 5

// do does one check.
func (w *worker) do(c *corpus.Case, op string) Result {
	res := Result{Case: c, Op: op, Status: Pass}
	began := time.Now()
	defer func() { res.Elapsed = time.Since(began) }()
	if !w.welcome.has(op) {
		if op == opStream && w.welcome.Protocol >= 2 {
			op = opFeed
		}
		res.Status, res.Skip = Skipped, "hello does not name the op "+op
		return res
	}
	if (c.Protocol != "" || c.Delims != nil || c.Repeat != nil) && w.welcome.Protocol < 2 {
		res.Status, res.Skip = Skipped, "protocol 1 has no other formats, no other tags and no repeated text"
		return res
	}
	whole := *c
	whole.Text = c.Whole()
	k := &trial{worker: w, c: &whole, res: &res}
	k.run(requestsOf(c, op, w.config.matrix(), op == opStream && w.welcome.feeds()))
	if k.brokeDown && w.ctx.Err() != nil {
		return Result{Case: c, Op: op, Status: NotRun} // it was ended from outside
	}
	if k.failure != nil {
		res.Status, res.Failure = Fail, k.failure
	}
	if k.brokeDown {
		w.broken++
	} else {
		w.broken = 0
	}
	return res
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
		for _, at := range []int{n, n/2 + 1, n/3 + 1, 1} {
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
	c         *corpus.Case
	res       *Result
	failure   *Failure
	brokeDown bool
}

// run asks all requests, and what it takes to make the first failure small.
func (k *trial) run(requests []request) {
	unanswered, err := k.ask(requests, func(i int, v verdict) {
		k.fail(requests[i], v)
	})
	if err != nil {
		k.locate(unanswered, err)
		return
	}
	if f := k.failure; f != nil && len(f.Cuts) > 2 && k.c.Repeat == nil {
		k.shrink(requests[0]) // the first is never reset
	}
}

// largeTime is how many times as long the answer to a large text may take.
const largeTime = 10

// ask asks requests and calls wrong for each answer that is. The error is a
// breakdown, and rest are the requests that were not answered before it.
func (k *trial) ask(requests []request, wrong func(i int, v verdict)) (rest []request, err error) {
	if err := k.alive(); err != nil {
		k.brokeDown = true
		return requests, err
	}
	k.child.timeout = k.config.Timeout
	if k.c.Repeat != nil {
		k.child.timeout *= largeTime
	}
	if requests[0].op == opStream && k.welcome.feeds() {
		var done map[int]bool
		if done, err = k.feed(requests, wrong); err != nil {
			for i, r := range requests {
				if !done[i] {
					rest = append(rest, r)
				}
			}
		}
	} else {
		var answered int
		answered, err = k.child.exchange(requests, func(i, seq int, line []byte) error {
			k.res.Requests++
			v, err := k.read(requests[i], seq, line)
			if err == nil && v.what != "" {
				wrong(i, v)
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
		return nil, verdict{}, &breakdown{line: true, what: "the answer " + shapeVerdict(line, r).what}
	case string(bytes.TrimSpace(a.Seq)) != strconv.Itoa(seq):
		got := "none"
		if a.Seq != nil {
			got = string(a.Seq)
		}
		return nil, verdict{}, &breakdown{line: true, what: fmt.Sprintf("the answer has the seq %s where %d is due (answers come in the order of the requests)", got, seq)}
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
	if what := v.what; what != k.failure.What && len(k.failure.More) < mostFaults && !slices.Contains(k.failure.More, what) {
		k.failure.More = append(k.failure.More, what)
	}
}

func failureOf(r request, v verdict) *Failure {
	return &Failure{What: v.what, More: v.more, Cuts: r.cuts, Want: v.want, Got: v.got, Events: v.events}
}

// locate finds the request at which a child breaks down: the first one without
// an answer need not be it, since answers before it may have been lost with the
// child.
func (k *trial) locate(rest []request, err error) {
	var b *breakdown
	if len(rest) > 1 && !(errors.As(err, &b) && b.line) {
		for _, r := range rest {
			_, again := k.ask([]request{r}, func(_ int, v verdict) { k.fail(r, v) })
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
	shrink(k.failure.Cuts, func(cuts []int) bool {
		if asked++; asked > patience || k.broken > 0 {
			return false
		}
		r.cuts = cuts
		var v verdict
		if _, err := k.ask([]request{r}, func(_ int, found verdict) { v = found }); err != nil {
			v = verdict{what: err.Error(), want: wanted(k.c)}
			asked += patience / 10 // a fresh child each time is slow
		}
		if v.what == "" {
			return false
		}
		more := k.failure.More
		k.failure = failureOf(r, v)
		for _, what := range more {
			if what != v.what && !slices.Contains(k.failure.More, what) {
				k.failure.More = append(k.failure.More, what)
			}
		}
		return true
	})
}
