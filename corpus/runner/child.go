package runner

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwire/callwire/corpus"
)

// A child is one process of the implementation. One goroutine writes requests, another
// one reads the answers.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     chan output // lines of standard output; closed at its end
	stderr  *tail
	timeout time.Duration
	seq     int           // of the last request
	due     int           // of the last answer
	ended   bool          // by itself
	written chan struct{} // closed when everything has been written
}

// An output is a line without its end, or what is wrong with one.
type output struct {
	line []byte
	err  error
}

// A breakdown is why a child cannot be asked again.
type breakdown struct {
	kind   Kind
	what   string // a sentence without its full stop
	stderr string // the end of it
}

func (b *breakdown) Error() string { return b.what }

// start starts a child and greets it. It returns the answer to hello.
func start(ctx context.Context, config *Config) (*child, []byte, error) {
	c := &child{
		cmd:     exec.CommandContext(ctx, config.Command[0], config.Command[1:]...),
		out:     make(chan output, 64),
		stderr:  &tail{},
		timeout: config.StartTimeout,
	}
	ownGroup(c.cmd)
	c.cmd.Cancel = func() error { return killGroup(c.cmd) }
	c.cmd.Stderr = c.stderr
	c.cmd.WaitDelay = time.Second
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	c.in = stdin
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf(
			"cannot start the command: %w; name a program, as in python3 mine.py", err)
	}
	go readLines(stdout, config.MaxLine, c.out)
	c.write(helloLine())
	line, err := c.line()
	if err != nil {
		c.kill()
		return nil, nil, fmt.Errorf("no answer to hello: %w; it must answer each line of "+
			"standard input with one line, see callwire conform --help", c.explain(err))
	}
	c.timeout = config.Timeout
	return c, line, nil
}

// readLines sends the lines of r, up to one of more than most bytes. It discards the rest,
// so that the writer doesn't block.
func readLines(r io.Reader, most int, out chan<- output) {
	defer close(out)
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, min(1<<16, most)), most)
	for lines.Scan() {
		out <- output{line: bytes.Clone(lines.Bytes())}
	}
	if lines.Err() == bufio.ErrTooLong {
		out <- output{err: errLong{most}}
		io.Copy(io.Discard, r)
	}
}

var (
	errSilent = errors.New("silent")
	errGone   = errors.New("gone")
)

// errLong reports a line of more than most bytes.
type errLong struct{ most int }

func (e errLong) Error() string {
	return fmt.Sprintf("a line of standard output is longer than %d bytes", e.most)
}

// line returns the next line.
func (c *child) line() ([]byte, error) {
	var next output
	var ok bool
	select { // a timer for each line costs more than most answers
	case next, ok = <-c.out:
	default:
		late := time.NewTimer(c.timeout)
		defer late.Stop()
		select {
		case next, ok = <-c.out:
		case <-late.C:
			return nil, errSilent
		}
	}
	if !ok {
		return nil, errGone
	}
	return next.line, next.err
}

// send writes requests without waiting.
func (c *child) send(requests ...request) {
	var lines []byte
	for i := range requests {
		c.seq++
		lines = requests[i].appendLine(lines, c.seq)
	}
	c.write(lines)
}

// receive returns the answer to the first request that has none, and what is wrong with its
// shape. The error is a breakdown: there is no answer, or it doesn't follow the protocol. The
// child must be killed then.
func (c *child) receive(r *request, strict bool) (corpus.Answer, []string, error) {
	line, err := c.line()
	if err != nil {
		return corpus.Answer{}, nil, c.explain(err)
	}
	c.due++
	a, faults := corpus.ReadAnswer(r.op, line, strict)
	b := &breakdown{}
	switch {
	case a.Seq == nil && len(faults) > 0:
		b.kind, b.what = notAnAnswer, faults[0]
		if len(line) == 0 || line[0] != '{' && line[0] != '[' {
			b.what = fmt.Sprintf("a line of standard output is not JSON: %s"+
				" (other output belongs to standard error)",
				quoteBytes([]byte(excerpt(string(line), 200))))
		}
	case bytes.HasSuffix(bytes.TrimSuffix(line, []byte("}")), r.members):
		b.kind, b.what = notAnAnswer, "it echoed the request"
	case string(a.Seq) != strconv.Itoa(c.due):
		b.kind, b.what = outOfOrder, fmt.Sprintf("the answer has the seq %s where %d is due"+
			" (answers come in the order of the requests)", a.Seq, c.due)
	default:
		return a, faults, nil
	}
	b.stderr = c.stderr.String()
	return a, nil, b
}

// write writes data after what was written before, without waiting: a child that doesn't
// read must not block the runner. Errors show as missing answers.
func (c *child) write(data []byte) {
	before, written := c.written, make(chan struct{})
	c.written = written
	go func() {
		defer close(written)
		if before != nil {
			<-before
		}
		c.in.Write(data)
	}()
}

// explain turns the reason for a missing line into a breakdown. It ends the child.
func (c *child) explain(reason error) *breakdown {
	b := &breakdown{}
	switch reason {
	case errSilent:
		b.kind = silent
		b.what = fmt.Sprintf("no answer within %s (is the output flushed after each line?)",
			c.timeout)
		if how := c.kill(); c.cmd.ProcessState.ExitCode() > 0 {
			b.what = fmt.Sprintf("no answer within %s: it ended with %s, "+
				"and what it started held its output open", c.timeout, how)
		}
	case errGone:
		b.kind = crashed
		if how := c.kill(); c.ended {
			b.what = "it ended before it answered: " + how
		} else {
			b.what = "it closed its standard output before it answered"
		}
	default:
		b.kind, b.what = lineTooLong, reason.Error()
		c.kill()
	}
	b.stderr = c.stderr.String()
	return b
}

// kill ends the child and returns how it ended. It sets ended if the child did so by
// itself.
func (c *child) kill() string {
	c.in.Close()
	dead := time.AfterFunc(100*time.Millisecond, func() { killGroup(c.cmd) })
	go func() {
		for range c.out {
		}
	}()
	c.cmd.Wait()
	c.ended = dead.Stop() || c.cmd.ProcessState.ExitCode() >= 0
	killGroup(c.cmd) // what it has started, if that still lives
	return c.cmd.ProcessState.String()
}

// bye ends a child in the regular way, and reports what is wrong with how it ends.
func (c *child) bye() error {
	c.write([]byte(`{"cmd":"bye"}` + "\n"))
	go func() {
		<-c.written
		c.in.Close()
	}()
	dead := time.AfterFunc(c.timeout, func() { killGroup(c.cmd) })
	var more []byte
	for out := range c.out {
		more = append(append(more, out.line...), '\n')
	}
	c.cmd.Wait()
	inTime := dead.Stop()
	killGroup(c.cmd)
	switch {
	case !inTime && !c.cmd.ProcessState.Success():
		return fmt.Errorf("after bye it went on for %s and had to be killed", c.timeout)
	case len(more) > 0:
		return fmt.Errorf("after bye it wrote %s", quoteBytes([]byte(excerpt(string(more), 200))))
	case !c.cmd.ProcessState.Success():
		return withStderr(&breakdown{what: fmt.Sprintf("after bye it ended with %s",
			c.cmd.ProcessState), stderr: c.stderr.String()})
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
