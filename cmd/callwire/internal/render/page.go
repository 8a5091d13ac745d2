package render

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// page is the sink for people. Prose comes out as it is and as it comes; calls and
// malformed spans are blocks of lines of their own.
type page struct {
	terminal.Screen
	out    *bufio.Writer
	lines  *lineIndex
	offset int            // in the text, of what comes next
	unread []byte         // the text from offset on
	format parse.Protocol // nil is the wire format
	clean  terminal.Cleaner
	shown  []byte // the piece of prose being printed

	begun  bool // something was printed
	warned bool // what follows a malformed call has been explained
	inLine bool // the line is not empty
	fresh  bool // a block has just ended, and with it the line on the screen

	follow bool   // show calls while they arrive
	id     string // of the call, with follow
	growing
}

func newPage(out *bufio.Writer, s terminal.Screen) *page {
	return &page{Screen: s, out: out, lines: newLineIndex()}
}

func (r *page) source(chunk []byte) {
	r.lines.feed(chunk)
	r.unread = append(r.unread, chunk...)
}

func (r *page) event(e *stream.Event) {
	switch e.Type {
	case stream.TextDelta, stream.ReasoningDelta:
		r.prose(e.Delta)
	case stream.ReasoningStart, stream.ReasoningEnd: // the tag
		r.prose(r.unread[:e.End-e.Start])
	case stream.ToolInputStart:
		r.begin()
		if r.follow {
			r.grow(e)
		}
	case stream.ToolInputDelta:
		if r.follow {
			r.more(e.Delta)
		}
	case stream.ToolCall, stream.Malformed:
		if r.follow {
			r.id = e.ID
		}
		r.finish(e.Segment)
	}
}

// prose prints the next piece of the text.
func (r *page) prose(piece []byte) {
	r.print(r.clean.Append(r.shown[:0], piece))
	r.advance(r.offset + len(piece))
	r.lines.forget(r.offset)
}

// advance moves on in the text.
func (r *page) advance(offset int) {
	r.unread = r.unread[offset-r.offset:]
	r.offset = offset
}

// print prints a piece of visible prose. The white space between a block and
// the end of its source line is left out: the block has ended the line.
func (r *page) print(text []byte) {
	r.shown = text
	for r.fresh && len(text) > 0 {
		switch text[0] {
		case ' ', '\t':
		case '\n':
			r.fresh = false
		default:
			r.fresh = false
			continue
		}
		text = text[1:]
	}
	if len(text) > 0 {
		r.out.Write(text)
		r.begun = true
		r.inLine = text[len(text)-1] != '\n'
	}
}

// begin ends the prose before a block, and its line.
func (r *page) begin() {
	r.print(r.clean.Flush(r.shown[:0]))
	if r.inLine {
		r.out.WriteByte('\n')
		r.inLine = false
	}
}

func (r *page) segment(s *parse.Segment) {
	r.begin()
	switch s.Kind {
	case parse.Call:
		r.call(s)
	case parse.Malformed:
		r.malformed(s)
	}
	r.pass(s)
}

// pass moves on past a segment that has been printed.
func (r *page) pass(s *parse.Segment) {
	r.advance(s.End)
	r.begun, r.fresh = true, true
}

// head returns how a block begins, and its width.
func (r *page) head(st terminal.Style, mark, name string) (head string, width int) {
	head, width = r.Paint(st, mark+name), terminal.Cells(mark+name)
	if r.id != "" {
		head += " " + r.Paint(terminal.Dim, r.id)
		width += 1 + terminal.Cells(r.id)
	}
	return head, width
}

// call prints a call, and beneath it what to look at before it is executed.
func (r *page) call(s *parse.Segment) {
	head, width := r.head(terminal.Calling, terminal.CallMark, terminal.Visible(s.Name))
	fmt.Fprintf(r.out, "%s %s\n", head, prettyJSON(r.Screen, s.Input, 2, width+1))
	r.doubts(s)
}

// doubts prints what to look at before a call is executed.
func (r *page) doubts(s *parse.Segment) {
	for _, issue := range s.Issues {
		what := string(issue.Code)
		if issue.Path != "" {
			what += ": " + terminal.Visible(issue.Path)
		}
		expected, fix := r.advice(issue.Code)
		r.doubt("%s at %s: expected %s; %s", what, r.place(issue.At), expected, fix)
	}
	switch {
	case s.AfterMalformed && r.warned:
		r.doubt("after a malformed call")
	case s.AfterMalformed:
		r.doubt("after a malformed call: make sure that it is meant before it is executed")
		r.warned = true
	}
}

// doubt prints one thing to look at.
func (r *page) doubt(format string, args ...any) {
	r.out.WriteString(terminal.Margin + r.Paint(terminal.Doubt, terminal.DoubtMark+fmt.Sprintf(format, args...)) + "\n")
}

// malformed prints where a span is malformed, the place itself, and how to fix
// it.
func (r *page) malformed(s *parse.Segment) {
	name := "malformed call"
	if s.Name != "" {
		name = terminal.Visible(s.Name)
	}
	head, _ := r.head(terminal.Wrong, terminal.MalformedMark, name)
	fmt.Fprintf(r.out, "%s %s at %s\n", head, s.Err.Code, r.place(s.Err.Offset))

	const gutter = 12 // columns for the number of a line and the bar
	e := excerptOf(s, r.Width-len(terminal.Margin)-gutter)
	line, _ := r.lines.at(e.offset)
	number := strconv.Itoa(line)
	fmt.Fprintf(r.out, "%s%s%s%s\n", terminal.Margin, r.Paint(terminal.Dim, number+" │ "), e.before, e.after)
	fmt.Fprintf(r.out, "%s%s%s%s\n", terminal.Margin, r.Paint(terminal.Dim, terminal.Blank(number)+" │ "), terminal.Blank(e.before), r.Paint(terminal.Wrong, "^"))

	expected, fix := r.advice(s.Err.Code)
	found := "the end"
	if s.Err.Found != "" {
		found = terminal.Visible(fmt.Sprintf("%q", s.Err.Found))
	}
	fmt.Fprintf(r.out, "%sexpected %s, found %s\n", terminal.Margin, expected, found)
	fmt.Fprintf(r.out, "%s%s\n", terminal.Margin, fix)
}

// advice returns what the format, or else the table of codes, says about one of them.
func (r *page) advice(code lexer.Code) (expected, fix string) {
	if p, ok := r.format.(parse.Hinter); ok {
		if expected, fix = p.Hint(code); fix != "" {
			return expected, fix
		}
	}
	for _, c := range lexer.Codes() {
		if c.Code == code {
			return c.Expected, c.Fix
		}
	}
	return "something else", "see the specification"
}

// place returns a place in the text as people look for it.
func (r *page) place(offset int) string {
	line, column := r.lines.at(offset)
	return fmt.Sprintf("%d:%d (byte %d)", line, column, offset)
}

func (r *page) end(seen Tally) {
	r.begin()
	what := "no calls"
	if seen.Calls > 0 {
		what = terminal.Count(seen.Calls, "call")
	}
	if seen.Malformed > 0 {
		what += fmt.Sprintf(", %d malformed", seen.Malformed)
	}
	if seen.Issues > 0 {
		what += ", " + terminal.Count(seen.Issues, "issue")
	}
	if r.begun {
		r.out.WriteByte('\n')
	}
	r.out.WriteString(r.Paint(terminal.Dim, what) + "\n")
}
