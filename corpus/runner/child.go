package runner

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A child is one process of the implementation. Requests are written without
// waiting for the answers to those before, so that the pipe is never idle; a
// goroutine writes them, another one reads the answers.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     chan []byte // lines of standard output; closed at its end
	stderr  *tail
	timeout time.Duration
	seq     int // of the last request
}

// A breakdown says why a child cannot be asked on.
type breakdown struct {
	what   string // in a sentence without its full stop
	stderr string // the end of it
	line   bool   // it is in the line that came as the answer
}

func (b *breakdown) Error() string { return b.what }

// start starts a child and greets it.
func start(ctx context.Context, command []string, timeout time.Duration) (*child, []byte, error) {
	c := &child{
		cmd:     exec.CommandContext(ctx, command[0], command[1:]...),
		out:     make(chan []byte, 64),
		stderr:  &tail{},
		timeout: timeout,
	}
	c.cmd.Stderr = c.stderr
	c.cmd.WaitDelay = time.Second
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, nil, err
	}
	go func() {
		defer close(c.out)
		r := bufio.NewReaderSize(stdout, 1<<16)
		for {
			line, err := r.ReadBytes('\n')
			if err == nil || len(line) > 0 {
				c.out <- line
			}
			if err != nil {
				return
			}
		}
	}()
	go io.WriteString(c.in, helloLine)
	line, err := c.line()
	if err != nil {
		c.kill()
		return nil, nil, fmt.Errorf("no answer to hello: %w", c.explain(err))
	}
	return c, line, nil
}

var (
	errSilent = errors.New("silent")
	errGone   = errors.New("gone")
)

// line returns the next line, without its end.
func (c *child) line() ([]byte, error) {
	select { // a timer for each line costs more than most answers
	case line, ok := <-c.out:
		return chomp(line, ok)
	default:
	}
	late := time.NewTimer(c.timeout)
	defer late.Stop()
	select {
	case line, ok := <-c.out:
		return chomp(line, ok)
	case <-late.C:
		return nil, errSilent
	}
}

func chomp(line []byte, ok bool) ([]byte, error) {
	if !ok {
		return nil, errGone
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	return line, nil
}

// exchange writes the requests and calls visit with the answer to each, in
// order. When visit returns an error, or the child breaks down, it returns at
// once and leaves a child that must be killed. answered counts the good visits.
func (c *child) exchange(requests []request, visit func(i int, seq int, line []byte) error) (answered int, err error) {
	first := c.seq + 1
	c.seq += len(requests)
	written := make(chan struct{})
	go func() {
		defer close(written)
		w := bufio.NewWriterSize(c.in, 1<<16)
		var line []byte
		for i, r := range requests {
			line = r.appendTo(line[:0], first+i)
			if _, err := w.Write(line); err != nil {
				return
			}
		}
		w.Flush()
	}()
	for i := range requests {
		line, err := c.line()
		if err != nil {
			return i, c.explain(err)
		}
		if err := visit(i, first+i, line); err != nil {
			return i, err
		}
	}
	<-written
	return len(requests), nil
}

// explain turns the reason for which there is no line into a breakdown. It ends
// the child.
func (c *child) explain(reason error) *breakdown {
	b := &breakdown{}
	if reason == errSilent {
		b.what = fmt.Sprintf("no answer within %s (is the output flushed after each line?)", c.timeout)
		c.kill()
	} else {
		state := c.kill()
		b.what = "it ended before it answered: " + state
	}
	b.stderr = c.stderr.String()
	return b
}

// kill ends the child and returns how it ended: by itself, where it has.
func (c *child) kill() string {
	c.in.Close()
	dead := time.AfterFunc(100*time.Millisecond, func() { c.cmd.Process.Kill() })
	go func() {
		for range c.out {
		}
	}()
	c.cmd.Wait()
	dead.Stop()
	return c.cmd.ProcessState.String()
}

// bye ends a child as it should be ended, and says what is wrong with how it
// does.
func (c *child) bye() error {
	go func() {
		io.WriteString(c.in, byeLine)
		c.in.Close()
	}()
	dead := time.AfterFunc(c.timeout, func() { c.cmd.Process.Kill() })
	var more []byte
	for line := range c.out {
		more = append(more, line...)
	}
	c.cmd.Wait()
	inTime := dead.Stop()
	switch {
	case !inTime && !c.cmd.ProcessState.Success():
		return fmt.Errorf("after bye it went on for %s and had to be killed", c.timeout)
	case len(more) > 0:
		return fmt.Errorf("after bye it wrote %s", quote(excerpt(string(more), 200)))
	case !c.cmd.ProcessState.Success():
		return fmt.Errorf("after bye it ended with %s", c.cmd.ProcessState)
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

const tailSize = 2048

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := string(t.kept)
	if t.cut {
		_, s, _ = strings.Cut(s, "\n")
	}
	return strings.TrimRight(strings.ToValidUTF8(s, "\ufffd"), "\n")
}
