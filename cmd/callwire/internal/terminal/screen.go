package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Screen describes the terminal or file that readable output goes to.
type Screen struct {
	Color  bool
	Width  int  // columns
	Redraw bool // a line can be drawn again in its place
}

// PageWidth is the width without a terminal.
const PageWidth = 80

// ScreenOf returns the screen of out.
func ScreenOf(out io.Writer, mode ColorMode) Screen {
	s := Screen{Color: mode == ColorAlways, Width: PageWidth}
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.Redraw = os.Getenv("TERM") != "dumb"
	if mode == ColorAuto {
		s.Color = os.Getenv("NO_COLOR") == "" && s.Redraw
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.Width = max(width, 40)
	}
	return s
}

// ColorMode is when to use color.
type ColorMode string

// The modes.
const (
	ColorAuto   ColorMode = "auto" // on a terminal, unless NO_COLOR is set
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// A Style is how a terminal shows a piece of text: the parameters of an SGR
// sequence.
type Style string

// The styles.
const (
	Plain   Style = ""
	Dim     Style = "2"
	Calling Style = "1;32" // the name of a tool that is called
	Key     Style = "36"   // the key of an argument
	Wrong   Style = "1;31" // a malformed call
	Doubt   Style = "33"   // a call that is delivered, with something to look at
)

// Paint returns text in a style.
func (s Screen) Paint(st Style, text string) string {
	if !s.Color || st == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}

// The marks that make calls and errors visible in prose.
const (
	CallMark      = "▶ "
	MalformedMark = "✗ "
	DoubtMark     = "! "
	Margin        = "    " // of what is said about a call
)
