package runner

import (
	"context"
	"time"

	"github.com/callwire/callwire/corpus"
)

// A client asks an implementation one question at a time, so a breakdown is that question's.
type client struct {
	ctx    context.Context
	config *Config
	child  *child        // nil before the first question and after a breakdown
	lost   time.Duration // on questions at which the child broke down
}

// ask sends requests and returns their answers, or how the child broke down. With lockstep, each is
// sent after the answer to the one before, up to one that is skipped.
func (c *client) ask(
	requests []corpus.Request, lockstep bool, timeout time.Duration,
) (answers []answer, broken *Failure) {
	began := time.Now()
	if c.child == nil {
		c.child, _, broken = start(c.ctx, c.config)
	}
	if broken == nil && !lockstep {
		c.child.send(requests...)
	}
	for i := 0; i < len(requests) && broken == nil; i++ {
		if lockstep {
			c.child.send(requests[i])
		}
		var a answer
		a, broken = c.child.receive(&requests[i], timeout)
		answers = append(answers, a)
		if lockstep && a.Skip != "" {
			break
		}
	}
	if broken != nil {
		c.lost += time.Since(began)
		c.child = nil
	}
	return answers, broken
}

// end ends the child.
func (c *client) end() {
	if c.child != nil {
		c.child.end(0)
	}
}
