package runner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwire/callwire/corpus"
)

// A child runs an implementation. The answers come in the order of the questions, so a breakdown is
// that of the first question without an answer. The next one starts another process.
type child struct {
	ctx    context.Context
	config *Config
	lost   time.Duration // on questions at which it broke down

	remembered map[string]answer // by op and what follows the seq

	process
}

// A process is one of the implementation. Each write to it has its own goroutine, so a process
// that doesn't read can't block the runner.
type process struct {
	cmd    *exec.Cmd // nil if there is none
	in     io.WriteCloser
	out    *bufio.Scanner
	late   *time.Timer // kills it
	seq    int         // of the last request
	due    int         // of the last answer
	stderr *tail
}

// hello greets an implementation.
var hello = encode(corpus.Hello{
	Cmd: corpus.HelloCommand, Protocol: corpus.ProtocolVersion, Min: corpus.ProtocolVersion,
	Spec: corpus.Version,
})

// start starts a process and greets it.
func (c *child) start() (w corpus.Welcome, down *Failure) {
	cmd := exec.CommandContext(c.ctx, c.config.Command[0], c.config.Command[1:]...)
	c.process = process{cmd: cmd, stderr: new(tail)}
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.Stderr = c.stderr
	cmd.WaitDelay = time.Second
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		return w, &Failure{Kind: crashed, What: fmt.Sprintf(
			"cannot start the command: %s; name a program, as in python3 mine.py", err)}
	}
	c.in, c.out = in, bufio.NewScanner(out)
	c.out.Buffer(make([]byte, 0, min(1<<16, c.config.MaxLine)), c.config.MaxLine)
	c.late = time.AfterFunc(c.config.StartTimeout, func() {
		killGroup(cmd)
		out.Close() // what the process has started may hold it open
	})
	go c.in.Write(hello)
	line, down := c.line(c.config.StartTimeout)
	if down != nil {
		down.What = fmt.Sprintf("no answer to hello: %s; it must answer each line of "+
			"standard input with one line, see callwire conform --help", down.What)
		return w, down
	}
	w, wrong := readWelcome(line)
	if wrong != "" {
		c.end(afterwards)
		down = &Failure{Kind: crashed, What: wrong}
	}
	return w, down
}

// readWelcome reads the answer to hello, or returns what is wrong with it.
func readWelcome(line []byte) (w corpus.Welcome, wrong string) {
	w, faults := corpus.ReadWelcome(line)
	switch {
	case bytes.Equal(line, bytes.TrimSpace(hello)):
		wrong = "it did not answer hello: it echoed the request"
	case len(faults) > 0:
		wrong = fmt.Sprintf("the answer to hello is wrong: %s\n%s", strings.Join(faults, "; "),
			excerpt(string(line), 300))
	case w.Protocol != corpus.ProtocolVersion:
		wrong = fmt.Sprintf("it answers hello with protocol %d; this runner speaks protocol %d",
			w.Protocol, corpus.ProtocolVersion)
	case !reads(w.Spec, corpus.Version):
		wrong = fmt.Sprintf("it speaks version %s of the format, and the cases are of version %s",
			w.Spec, corpus.Version)
	}
	return w, wrong
}

// reads reports whether an implementation of version have of the format reads version want: a
// minor version adds to those before it.
func reads(have, want string) bool {
	var h, w struct{ major, minor int }
	n, _ := fmt.Sscanf(have+" "+want, "%d.%d %d.%d", &h.major, &h.minor, &w.major, &w.minor)
	return n == 4 && h.major == w.major && h.minor >= w.minor
}

// ask sends the requests of questions together, so that the child has work while the answers are
// judged. It yields the answers to each question, up to one at which the child broke down. With
// lockstep, each request is sent after the answer to the one before, up to one that is skipped.
// The caller must take all answers.
func (c *child) ask(
	lockstep bool, timeout time.Duration, questions ...[]corpus.Request,
) iter.Seq2[[]answer, *Failure] {
	return func(yield func([]answer, *Failure) bool) {
		began := time.Now()
		var broken *Failure
		if c.cmd == nil {
			_, broken = c.start()
		}
		if broken == nil && !lockstep {
			c.send(slices.Concat(questions...)...)
		}
		for _, requests := range questions {
			var answers []answer
			if broken == nil {
				answers, broken = c.answers(requests, lockstep, timeout)
			}
			if broken != nil {
				c.lost += time.Since(began)
				c.process = process{}
			}
			if !yield(answers, broken) || broken != nil {
				return
			}
			began = time.Now()
		}
	}
}

// answers returns the answers to requests, or how the child broke down.
func (c *child) answers(
	requests []corpus.Request, lockstep bool, timeout time.Duration,
) (answers []answer, broken *Failure) {
	for i := range requests {
		if lockstep {
			c.send(requests[i])
		}
		a, broken := c.receive(&requests[i], timeout)
		if broken != nil {
			return nil, broken
		}
		answers = append(answers, a)
		if lockstep && a.Skip != "" {
			break
		}
	}
	return answers, nil
}

// line returns the next line of standard output, which is valid until the next call, or how the
// process broke down.
func (c *child) line(timeout time.Duration) ([]byte, *Failure) {
	c.late.Reset(timeout)
	ok := c.out.Scan()
	inTime := c.late.Stop()
	switch {
	case ok:
		return c.out.Bytes(), nil
	case !inTime:
		return nil, c.down("it does not answer",
			"no answer within %s (is the output flushed after each line?)", timeout)
	case c.out.Err() == bufio.ErrTooLong:
		return nil, c.down("a line that is too long",
			"a line of standard output is longer than %d bytes", c.config.MaxLine)
	case !c.end(afterwards):
		return nil, c.down(crashed, "it closed its standard output before it answered")
	}
	return nil, c.down(crashed, "it ended before it answered: %s", c.cmd.ProcessState)
}

// down ends the process and returns how it broke down.
func (c *child) down(kind Kind, format string, args ...any) *Failure {
	c.end(0)
	return &Failure{Kind: kind, What: fmt.Sprintf(format, args...), Stderr: c.stderr.String()}
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

// An answer is the answer to one request, and what is wrong with its shape.
type answer struct {
	corpus.Answer
	op, id string // of the request
	faults []string
}

// seqFirst matches the beginning of an answer that can be remembered.
var seqFirst = regexp.MustCompile(`^\{"seq": ?([1-9][0-9]*),`)

// These bound what is remembered of answers.
const (
	mostRemembered    = 1 << 10
	longestRemembered = 1 << 12
)

// read reads the answer to a request for op. The cut lists of a text mostly get the same answers
// but for their seq, and reading one takes longer than all else that is done with it.
func (c *child) read(op string, line []byte) (a answer) {
	seq := seqFirst.FindSubmatch(line)
	if seq == nil || len(line) > longestRemembered {
		a.Answer, a.faults = corpus.ReadAnswer(op, line, c.config.Check)
		return a
	}
	key := op + string(line[len(seq[0]):])
	a, isKnown := c.remembered[key]
	if !isKnown {
		a.Answer, a.faults = corpus.ReadAnswer(op, line, c.config.Check)
		if len(c.remembered)%mostRemembered == 0 {
			c.remembered = map[string]answer{}
		}
		c.remembered[key] = a
	} else if a.Seq != nil {
		a.Seq = bytes.Clone(seq[1])
	}
	return a
}

// receive returns the answer to the first request that has none. After a breakdown the
// process has ended.
func (c *child) receive(r *corpus.Request, timeout time.Duration) (a answer, down *Failure) {
	line, down := c.line(timeout)
	if down != nil {
		return a, down
	}
	c.due++
	a = c.read(r.Op, line)
	a.op, a.id = r.Op, r.ID
	seq, err := strconv.ParseFloat(string(a.Seq), 64)
	switch {
	case bytes.HasPrefix(line, fmt.Appendf(nil, `{"seq":%d,"op":`, c.due)):
		down = c.down(notAnAnswer, "it echoed the request")
	case a.Seq == nil && len(line) > 0 && (line[0] == '{' || line[0] == '['):
		down = c.down(notAnAnswer, "%s", a.faults[0])
	case a.Seq == nil:
		down = c.down(notAnAnswer, "a line of standard output is not JSON: %s"+
			" (other output belongs to standard error)",
			quoteBytes([]byte(excerpt(string(line), 200))))
	case err != nil, seq != float64(c.due):
		down = c.down("answers out of order", "the answer has the seq %s where %d is due"+
			" (answers come in the order of the requests)", a.Seq, c.due)
	}
	return a, down
}

// afterwards is how long a process may live on after the end of its output.
const afterwards = 100 * time.Millisecond

// end ends the process, if there is one, and what it has started. It reports whether it ended by
// itself within patience.
func (c *child) end(patience time.Duration) bool {
	cmd := c.cmd // also after a restart
	if cmd == nil {
		return true
	}
	c.late.Stop()
	c.in.Close()
	late := time.AfterFunc(patience, func() { killGroup(cmd) })
	cmd.Wait()
	inTime := late.Stop()
	killGroup(cmd)
	return inTime
}

// bye ends the process in the regular way, and returns what is wrong with how it ends, or "".
func (c *child) bye() string {
	go func() {
		c.in.Write(encode(corpus.Hello{Cmd: corpus.ByeCommand}))
		c.in.Close()
	}()
	timeout := c.config.Timeout
	c.late.Reset(timeout)
	said := c.out.Scan()
	inTime := c.end(timeout)
	switch state := c.cmd.ProcessState; {
	case said:
		return "after bye it wrote " + quoteBytes([]byte(excerpt(c.out.Text(), 200)))
	case !inTime || state.ExitCode() < 0:
		return fmt.Sprintf("after bye it went on for %s and had to be killed", timeout)
	case !state.Success():
		f := Failure{What: fmt.Sprintf("after bye it ended with %s", state),
			Stderr: c.stderr.String()}
		return f.Error()
	}
	return ""
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
