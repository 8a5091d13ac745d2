package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// screen is what is known of where readable output goes.
type screen struct {
	colour bool
	width  int  // columns
	redraw bool // a line can be drawn again in its place
}

// pageWidth is the width where there is no terminal to ask.
const pageWidth = helpWidth

// screenOf looks at out.
func screenOf(out io.Writer, mode colorMode) screen {
	s := screen{colour: mode == colorAlways, width: pageWidth}
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.redraw = os.Getenv("TERM") != "dumb"
	if mode == colorAuto {
		s.colour = os.Getenv("NO_COLOR") == "" && s.redraw
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.width = max(width, 40)
	}
	return s
}

// isTerminal reports whether out is one.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth returns the width of a terminal, and 0 of anything else.
func terminalWidth(out io.Writer) int {
	if !isTerminal(out) {
		return 0
	}
	return screenOf(out, colorNever).width
}

// colorMode says when to use colour. It is a flag value.
type colorMode string

const (
	colorAuto   colorMode = "auto" // on a terminal, unless NO_COLOR is set
	colorAlways colorMode = "always"
	colorNever  colorMode = "never"
)

var colorModes = []string{string(colorAuto), string(colorAlways), string(colorNever)}

func (m *colorMode) String() string { return string(*m) }

func (m *colorMode) Type() string { return "mode" }

func (m *colorMode) Set(s string) error {
	switch c := colorMode(s); c {
	case colorAuto, colorAlways, colorNever:
		*m = c
		return nil
	}
	return fmt.Errorf("want one of %q", colorModes)
}

// A style is how a terminal shows a piece of text: the parameters of an SGR
// sequence.
type style string

const (
	plain   style = ""
	dim     style = "2"
	calling style = "1;32" // the name of a tool that is called
	key     style = "36"   // the key of an argument
	wrong   style = "1;31" // a malformed call
	doubt   style = "33"   // a call that is delivered, with something to look at
)

// paint returns text in a style.
func (s screen) paint(st style, text string) string {
	if !s.colour || st == plain || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}
