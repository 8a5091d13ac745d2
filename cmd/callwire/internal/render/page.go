package render

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// renderer is the sink for people. Prose comes out as it is and as it comes;
// calls and malformed spans are blocks of lines of their own.
type renderer struct {
	terminal.Screen
	out    *bufio.Writer
	lines  *lineIndex
	offset int    // in the text, of what comes next
	id     string // of the call, where ids are shown
	format parse.Protocol
	clean  terminal.Cleaner
	shown  []byte // the piece of prose being printed

	begun  bool // something was printed
	warned bool // what follows a malformed call has been explained
	inLine bool // something stands in the line already
	fresh  bool // a block has just ended, and with it the line on the screen
}

func newRenderer(out *bufio.Writer, s terminal.Screen) *renderer {
	return &renderer{Screen: s, out: out, lines: newLineIndex()}
}

func (r *renderer) source(chunk []byte) { r.lines.feed(chunk) }

func (r *renderer) thought(_ parse.Part, piece []byte) { r.prose(piece) }

func (r *renderer) prose(piece []byte) {
	r.offset += len(piece)
	r.lines.forget(r.offset)
	r.print(r.clean.Append(r.shown[:0], piece))
}

// print prints a piece of visible prose. The white space between a block and
// the end of its source line is left out: the block has ended the line.
func (r *renderer) print(text []byte) {
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
func (r *renderer) begin() {
	r.print(r.clean.Flush(r.shown[:0]))
	if r.inLine {
		r.out.WriteByte('\n')
		r.inLine = false
	}
}

func (r *renderer) segment(s *parse.Segment) {
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
func (r *renderer) pass(s *parse.Segment) {
	r.offset = s.End
	r.begun, r.fresh = true, true
}

// head returns how a block begins, and its width.
func (r *renderer) head(st terminal.Style, mark, name string) (head string, width int) {
	head, width = r.Paint(st, mark+name), terminal.Cells(mark+name)
	if r.id != "" {
		head += " " + r.Paint(terminal.Dim, r.id)
		width += 1 + terminal.Cells(r.id)
	}
	return head, width
}

// call prints a call, and beneath it what to look at before it is executed.
func (r *renderer) call(s *parse.Segment) {
	head, width := r.head(terminal.Calling, terminal.CallMark, terminal.Visible(s.Name))
	fmt.Fprintf(r.out, "%s %s\n", head, prettyJSON(r.Screen, s.Input, 2, width+1))
	r.doubts(s)
}

// doubts prints what to look at before a call is executed.
func (r *renderer) doubts(s *parse.Segment) {
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
func (r *renderer) doubt(format string, args ...any) {
	r.out.WriteString(terminal.Margin + r.Paint(terminal.Doubt, terminal.DoubtMark+fmt.Sprintf(format, args...)) + "\n")
}

// malformed prints where a span is malformed, the place itself, and how to fix
// it.
func (r *renderer) malformed(s *parse.Segment) {
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
func (r *renderer) advice(code lexer.Code) (expected, fix string) {
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
func (r *renderer) place(offset int) string {
	line, column := r.lines.at(offset)
	return fmt.Sprintf("%d:%d (byte %d)", line, column, offset)
}

func (r *renderer) end(seen Tally) {
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
