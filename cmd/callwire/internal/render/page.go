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
	offset int    // in the text, of what comes next
	unread []byte // the text from offset on
	format *parse.Format
	clean  terminal.Cleaner
	shown  []byte // the piece of prose being printed

	reasoning bool // the text is inside reasoning, in whose lines a malformed call may be

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
	case stream.ReasoningStart, stream.ReasoningEnd:
		r.reasoning = e.Type == stream.ReasoningStart
		r.prose(r.unread[:e.End-e.Start]) // the tag
	case stream.Section:
		r.advance(e.End)
	case stream.InputStart:
		r.begin()
		if r.follow {
			r.grow(e)
		}
	case stream.InputDelta:
		if r.follow {
			r.more(e.Delta)
		}
	case stream.Call, stream.Malformed:
		if r.follow {
			r.id = e.ID
		}
		r.finish(e)
	}
}

// prose prints the next piece of the text.
func (r *page) prose(piece []byte) {
	r.print(r.clean.Append(r.shown[:0], piece))
	r.advance(r.offset + len(piece))
	if !r.reasoning {
		r.lines.forget(r.offset)
	}
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

// block prints a call or a malformed call.
func (r *page) block(e *stream.Event) {
	r.begin()
	if e.Call != nil {
		r.call(e.Call)
	} else {
		r.malformed(e)
	}
	r.pass(e)
}

// pass moves on past a call that has been printed.
func (r *page) pass(s *stream.Event) {
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
func (r *page) call(s *parse.Call) {
	head, width := r.head(terminal.Calling, terminal.CallMark, terminal.Visible(s.Name))
	fmt.Fprintf(r.out, "%s %s\n", head, prettyJSON(r.Screen, s.Input, 2, width+1))
	r.doubts(s)
}

// doubts prints what to look at before a call is executed.
func (r *page) doubts(s *parse.Call) {
	for _, issue := range s.Issues {
		what := string(issue.Code)
		if issue.Path != "" {
			what += ": " + terminal.Visible(issue.Path)
		}
		expected, fix := r.advice(issue.Code)
		r.doubt("%s at %s: expected %s; %s", what, r.place(issue.Offset), expected, fix)
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
func (r *page) malformed(s *stream.Event) {
	name := "malformed call"
	if s.Name != "" {
		name = terminal.Visible(s.Name)
	}
	head, _ := r.head(terminal.Wrong, terminal.MalformedMark, name)
	fmt.Fprintf(r.out, "%s %s at %s\n", head, s.Err.Code, r.place(s.Err.Offset))

	if s.Text != "" {
		r.excerpt(s)
	}
	expected, fix := r.advice(s.Err.Code)
	found := "the end"
	if s.Err.Found != "" {
		found = terminal.Visible(fmt.Sprintf("%q", s.Err.Found))
	}
	fmt.Fprintf(r.out, "%sexpected %s, found %s\n", terminal.Margin, expected, found)
	fmt.Fprintf(r.out, "%s%s\n", terminal.Margin, fix)
}

// excerpt prints the line in which a span is malformed, and points at the fault.
func (r *page) excerpt(s *stream.Event) {
	const gutter = 12 // columns for the number of a line and the bar
	e := excerptOf(s, r.Width-len(terminal.Margin)-gutter)
	line, _ := r.lines.at(e.offset)
	number := strconv.Itoa(line)
	fmt.Fprintf(r.out, "%s%s%s%s\n", terminal.Margin, r.Paint(terminal.Dim, number+" │ "), e.before, e.after)
	fmt.Fprintf(r.out, "%s%s%s%s\n", terminal.Margin, r.Paint(terminal.Dim, terminal.Blank(number)+" │ "), terminal.Blank(e.before), r.Paint(terminal.Wrong, "^"))
}

// advice returns what the format, or else the table of codes, says about one of them.
func (r *page) advice(code lexer.Code) (expected, fix string) {
	if expected, fix = r.format.Hint(string(code)); fix != "" {
		return expected, fix
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
