package runner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/callwire/callwire/corpus"
)

// A child is one process of the implementation. One goroutine reads its answers, and each write
// has its own, so a child that doesn't read can't block the runner.
type child struct {
	config  *Config
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan []byte // of standard output; closed at its end and after a line that is too long
	tooLong bool        // valid when lines is closed
	stderr  tail
	late    *time.Timer
	timeout time.Duration
	seq     int  // of the last request
	due     int  // of the last answer
	ended   bool // by itself
}

// hello greets an implementation.
var hello = encode(corpus.Hello{
	Cmd: corpus.HelloCommand, Protocol: corpus.ProtocolVersion, Min: corpus.ProtocolVersion,
	Spec: corpus.Version,
})

// start starts a child and greets it. The error is a *Failure if it broke down.
func start(ctx context.Context, config *Config) (*child, *corpus.Welcome, error) {
	c := &child{
		config:  config,
		cmd:     exec.CommandContext(ctx, config.Command[0], config.Command[1:]...),
		lines:   make(chan []byte, 64),
		late:    time.NewTimer(config.StartTimeout),
		timeout: config.StartTimeout,
	}
	ownGroup(c.cmd)
	c.cmd.Cancel = func() error { return killGroup(c.cmd) }
	c.cmd.Stderr = &c.stderr
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
	go c.read(stdout)
	go c.in.Write(hello)
	line, down := c.line()
	if down != nil {
		down.What = fmt.Sprintf("no answer to hello: %s; it must answer each line of "+
			"standard input with one line, see callwire conform --help", down.What)
		return nil, nil, down
	}
	welcome, err := readWelcome(line)
	if err != nil {
		c.kill()
		return nil, nil, err
	}
	c.timeout = config.Timeout
	return c, welcome, nil
}

func readWelcome(line []byte) (*corpus.Welcome, error) {
	if bytes.Equal(line, bytes.TrimSpace(hello)) {
		return nil, fmt.Errorf("it did not answer hello: it echoed the request")
	}
	w, faults := corpus.ReadWelcome(line)
	switch {
	case len(faults) > 0:
		return nil, fmt.Errorf("the answer to hello is wrong: %s\n%s", strings.Join(faults, "; "),
			excerpt(string(line), 300))
	case w.Protocol != corpus.ProtocolVersion:
		return nil, fmt.Errorf("it answers hello with protocol %d; this runner speaks protocol %d",
			w.Protocol, corpus.ProtocolVersion)
	case !reads(w.Spec, corpus.Version):
		return nil, fmt.Errorf(
			"it speaks version %s of the format, and the cases are of version %s",
			w.Spec, corpus.Version)
	}
	return &w, nil
}

// reads reports whether an implementation of version have of the format reads version want: a
// minor version adds to those before it.
func reads(have, want string) bool {
	haveMajor, haveMinor, _ := strings.Cut(have, ".")
	wantMajor, wantMinor, _ := strings.Cut(want, ".")
	h, err := strconv.Atoi(haveMinor)
	w, err2 := strconv.Atoi(wantMinor)
	return haveMajor == wantMajor && err == nil && err2 == nil && h >= w
}

// read reads the lines of standard output, up to one that is too long. It discards the
// rest, so that the child doesn't block.
func (c *child) read(stdout io.Reader) {
	most := c.config.MaxLine
	scanner := bufio.NewScanner(stdout)
	scanner.Buffer(make([]byte, 0, min(1<<16, most)), most)
	for scanner.Scan() {
		c.lines <- bytes.Clone(scanner.Bytes())
	}
	c.tooLong = scanner.Err() == bufio.ErrTooLong
	close(c.lines)
	io.Copy(io.Discard, stdout)
}

// line returns the next line, or how the child broke down. The child has ended then.
func (c *child) line() ([]byte, *Failure) {
	c.late.Reset(c.timeout)
	down := &Failure{}
	select {
	case line, ok := <-c.lines:
		if ok {
			return line, nil
		}
		how := c.kill()
		switch {
		case c.tooLong:
			down.fault(lineTooLong, "a line of standard output is longer than %d bytes",
				c.config.MaxLine)
		case c.ended:
			down.fault(crashed, "it ended before it answered: %s", how)
		default:
			down.fault(crashed, "it closed its standard output before it answered")
		}
	case <-c.late.C:
		how := c.kill()
		if c.cmd.ProcessState.ExitCode() > 0 {
			down.fault(silent, "no answer within %s: it ended with %s, "+
				"and what it started held its output open", c.timeout, how)
		} else {
			down.fault(silent, "no answer within %s (is the output flushed after each line?)",
				c.timeout)
		}
	}
	down.Stderr = c.stderr.String()
	return nil, down
}

// send writes requests without waiting.
func (c *child) send(requests ...corpus.Request) {
	messages := make([]any, len(requests))
	for i := range requests {
		c.seq++
		requests[i].Seq = strconv.AppendInt(nil, int64(c.seq), 10)
		messages[i] = &requests[i]
	}
	go c.in.Write(encode(messages...)) // an error shows as a missing answer
}

// encode returns the lines of messages.
func encode(messages ...any) []byte {
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	e.SetEscapeHTML(false)
	for _, message := range messages {
		if err := e.Encode(message); err != nil {
			panic("runner: " + err.Error()) // it was decoded from JSON
		}
	}
	return lines.Bytes()
}

// receive returns the answer to the first request that has none, and what is wrong with its
// shape. After a breakdown the child has ended.
func (c *child) receive(op string) (corpus.Answer, []string, *Failure) {
	line, down := c.line()
	if down != nil {
		return corpus.Answer{}, nil, down
	}
	c.due++
	a, faults := corpus.ReadAnswer(op, line, c.config.Check)
	down = &Failure{}
	switch {
	case a.Seq == nil && len(line) > 0 && (line[0] == '{' || line[0] == '['):
		down.fault(notAnAnswer, "%s", faults[0])
	case a.Seq == nil:
		down.fault(notAnAnswer, "a line of standard output is not JSON: %s"+
			" (other output belongs to standard error)",
			quoteBytes([]byte(excerpt(string(line), 200))))
	case len(faults) > 0 && bytes.HasPrefix(line, fmt.Appendf(nil, `{"seq":%d,"op":`, c.due)):
		down.fault(notAnAnswer, "it echoed the request")
	case string(a.Seq) != strconv.Itoa(c.due):
		down.fault(outOfOrder, "the answer has the seq %s where %d is due"+
			" (answers come in the order of the requests)", a.Seq, c.due)
	default:
		return a, faults, nil
	}
	c.kill()
	down.Stderr = c.stderr.String()
	return a, nil, down
}

// kill ends the child and returns how it ended. It sets ended if the child did so by
// itself.
func (c *child) kill() string {
	c.in.Close()
	dead := time.AfterFunc(100*time.Millisecond, func() { killGroup(c.cmd) })
	go func() {
		for range c.lines {
		}
	}()
	c.cmd.Wait()
	c.ended = dead.Stop() || c.cmd.ProcessState.ExitCode() >= 0
	killGroup(c.cmd) // what it has started, if that still lives
	return c.cmd.ProcessState.String()
}

// bye ends a child in the regular way, and returns what is wrong with how it ends, or "".
func (c *child) bye() string {
	go func() {
		c.in.Write(encode(corpus.Hello{Cmd: corpus.ByeCommand}))
		c.in.Close()
	}()
	dead := time.AfterFunc(c.timeout, func() { killGroup(c.cmd) })
	var more []byte
	for line := range c.lines {
		more = append(append(more, line...), '\n')
	}
	c.cmd.Wait()
	inTime := dead.Stop()
	killGroup(c.cmd)
	switch {
	case !inTime && !c.cmd.ProcessState.Success():
		return fmt.Sprintf("after bye it went on for %s and had to be killed", c.timeout)
	case len(more) > 0:
		return "after bye it wrote " + quoteBytes([]byte(excerpt(string(more), 200)))
	case !c.cmd.ProcessState.Success():
		return fmt.Sprintf("after bye it ended with %s%s", c.cmd.ProcessState,
			stderrNote(c.stderr.String()))
	}
	return ""
}

// stderrNote returns the end of standard error as the end of a message.
func stderrNote(stderr string) string {
	if stderr == "" {
		return ""
	}
	return "; the end of its standard error:\n" + stderr
}

// withStderr adds the end of standard error to the message of a breakdown.
func withStderr(err error) error {
	var down *Failure
	if errors.As(err, &down) {
		return errors.New(down.What + stderrNote(down.Stderr))
	}
	return err
}

// tail keeps the end of what is written to it.
type tail []byte

const tailSize = 2048

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-tailSize):]
	return len(p), nil
}

// String returns the last lines. The child must have ended.
func (t *tail) String() string {
	s := string(*t)
	if len(s) == tailSize {
		_, s, _ = strings.Cut(s, "\n")
	}
	return strings.TrimRight(strings.ToValidUTF8(s, "\ufffd"), "\n")
}
