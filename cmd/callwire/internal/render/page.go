package render

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// page shows a text to people. It prints prose unchanged as it arrives. Calls and malformed spans
// are blocks with lines of their own.
type page struct {
	terminal.Screen
	out    *bufio.Writer
	text   source
	offset int // in the text, of what comes next
	format *parse.Format
	held   string // a carriage return, which may belong to a line end

	reasoning bool // the text is inside reasoning, where a malformed call may be

	started bool // something was printed
	warned  bool // what follows a malformed call has been explained
	inLine  bool // the line is not empty
	fresh   bool // a block has just ended, and with it the line on the screen

	follow bool   // show calls while they arrive
	id     string // of the call, with follow
	lead   string // before the next piece of its input
}

func (r *page) event(e *stream.Event) {
	switch e.Type {
	case stream.TextDelta, stream.ReasoningDelta:
		r.prose(e.Delta)
	case stream.ReasoningStart, stream.ReasoningEnd:
		r.reasoning = e.Type == stream.ReasoningStart
		r.prose(r.text.from(e.Start)[:e.End-e.Start]) // the tag
	case stream.Section:
		r.advance(e.End)
	case stream.InputStart:
		r.begin()
		if r.follow {
			r.id, r.lead, r.inLine = e.ID, " ", true
			head, _ := r.head(terminal.Calling, terminal.CallMark, terminal.Visible(e.Name))
			r.out.WriteString(head)
		}
	case stream.InputDelta:
		if r.follow {
			r.out.WriteString(r.lead + unseen.Escape(string(e.Delta)))
			r.lead = ""
		}
	case stream.Call, stream.Malformed:
		r.block(e)
	}
}

// prose prints the next piece of the text.
func (r *page) prose(piece []byte) {
	text := r.held + string(piece)
	r.held = ""
	if strings.HasSuffix(text, "\r") {
		r.held = "\r"
	}
	r.print(strings.TrimSuffix(text, "\r"))
	r.advance(r.offset + len(piece))
}

// advance moves on in the text.
func (r *page) advance(offset int) {
	r.offset = offset
	if !r.reasoning {
		r.text.forget(offset)
	}
}

// print prints a piece of prose. It omits whitespace between a block and the end of its
// source line, because the block has ended the line.
func (r *page) print(text string) {
	text = terminal.VisibleText(text)
	if r.fresh {
		text = strings.TrimLeft(text, " \t")
		r.fresh = text == ""
		text = strings.TrimPrefix(text, "\n")
	}
	if text != "" {
		r.out.WriteString(text)
		r.started = true
		r.inLine = !strings.HasSuffix(text, "\n")
	}
}

// begin ends the prose before a block, and its line.
func (r *page) begin() {
	r.print(r.held)
	r.held = ""
	if r.inLine {
		r.out.WriteByte('\n')
		r.inLine = false
	}
}

// block prints a call or a malformed call.
func (r *page) block(e *stream.Event) {
	if r.follow {
		r.id = e.ID
	}
	r.begin()
	switch {
	case e.Err != nil:
		r.malformed(e)
	case r.follow: // the line has the call
		r.doubts(e.Call)
	default:
		head, width := r.head(terminal.Calling, terminal.CallMark, terminal.Visible(e.Name))
		fmt.Fprintf(r.out, "%s %s\n", head, prettyJSON(r.Screen, e.Call.Input, 2, width+1))
		r.doubts(e.Call)
	}
	r.advance(e.End)
	r.started, r.fresh = true, true
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

// doubts prints what to look at before a call is executed.
func (r *page) doubts(call *parse.Call) {
	for _, issue := range call.Issues {
		what := string(issue.Code)
		if issue.Path != "" {
			what += ": " + terminal.Visible(issue.Path)
		}
		expected, fix := lexer.Advice(r.format, issue.Code)
		advice := "expected " + expected + "; " + fix
		if issue.Code == lexer.Repaired {
			advice = cmp.Or(repair.Fix(issue.Path), advice)
		}
		r.doubt("%s at %s: %s", what, r.place(issue.Offset), advice)
	}
	if call.AfterMalformed {
		more := ": confirm it before running it"
		if r.warned {
			more = ""
		}
		r.warned = true
		r.doubt("after a malformed call%s", more)
	}
}

// doubt prints one thing to look at.
func (r *page) doubt(format string, args ...any) {
	what := terminal.DoubtMark + fmt.Sprintf(format, args...)
	r.out.WriteString(terminal.Margin + r.Paint(terminal.Doubt, what) + "\n")
}

// malformed prints where a span is malformed, the place itself, and how to fix it.
func (r *page) malformed(e *stream.Event) {
	name := "malformed call"
	if e.Name != "" {
		name = terminal.Visible(e.Name)
	}
	head, _ := r.head(terminal.Wrong, terminal.MalformedMark, name)
	fmt.Fprintf(r.out, "%s %s at %s\n", head, e.Err.Code, r.place(e.Err.Offset))
	if e.Text != "" {
		r.excerpt(e)
	}
	expected, fix := lexer.Advice(r.format, e.Err.Code)
	found := "the end"
	if e.Err.Found != "" {
		found = terminal.Visible(fmt.Sprintf("%q", e.Err.Found))
	}
	fmt.Fprintf(r.out, "%sexpected %s, found %s\n", terminal.Margin, expected, found)
	fmt.Fprintf(r.out, "%s%s\n", terminal.Margin, fix)
}

// excerpt prints the part of the line that belongs to the malformed span, and points at the fault.
// It shows a fault at the end of input after the last visible character.
func (r *page) excerpt(e *stream.Event) {
	const gutter = 12 // columns for the number of a line and the bar
	width := r.Width - len(terminal.Margin) - gutter
	text := e.Text
	at := min(max(e.Err.Offset-e.Start, 0), len(text))
	if at == len(text) {
		text = strings.TrimRight(text, " \t\r\n")
		at = len(text)
	}
	before := terminal.CutStart(text[strings.LastIndexByte(text[:at], '\n')+1:at], width*2/3)
	rest, _, _ := strings.Cut(text[at:], "\n")
	after := terminal.CutEnd(strings.TrimSuffix(rest, "\r"), width-terminal.Cells(before))

	line, _ := r.text.place(e.Start + at)
	number := strconv.Itoa(line)
	bar := func(number string) string {
		return terminal.Margin + r.Paint(terminal.Dim, number+" │ ")
	}
	fmt.Fprintf(r.out, "%s%s%s\n", bar(number), before, after)
	fmt.Fprintf(r.out, "%s%s%s\n", bar(terminal.Blank(number)), terminal.Blank(before),
		r.Paint(terminal.Wrong, "^"))
}

// place returns a place in the text for people: line, column and byte.
func (r *page) place(offset int) string {
	line, column := r.text.place(offset)
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
	if r.started {
		r.out.WriteByte('\n')
	}
	r.out.WriteString(r.Paint(terminal.Dim, what) + "\n")
}

// source is the end of a text that is read in chunks.
type source struct {
	text  []byte // what is kept
	start int    // its offset

	line, lineStart int // the number and the offset of the line in which it starts
}

// add adds the next chunk.
func (s *source) add(chunk []byte) { s.text = append(s.text, chunk...) }

// from returns the text from an offset on.
func (s *source) from(offset int) []byte { return s.text[offset-s.start:] }

// forget drops the text before an offset.
func (s *source) forget(offset int) {
	line, column := s.place(offset)
	s.text, s.start = s.from(offset), offset
	s.line, s.lineStart = line-1, offset-column+1
}

// place returns the line and the column of an offset, counted from 1. Columns count bytes.
func (s *source) place(offset int) (line, column int) {
	before := s.text[:max(0, offset-s.start)]
	line, lineStart := s.line, s.lineStart
	if n := bytes.Count(before, []byte{'\n'}); n > 0 {
		line, lineStart = line+n, s.start+bytes.LastIndexByte(before, '\n')+1
	}
	return line + 1, max(offset-lineStart, 0) + 1
}
