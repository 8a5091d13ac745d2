package terminal

import (
	"errors"
	"io"
	"strings"

	"github.com/callwire/callwire/internal/unseen"
)

// spaces replaces what would break a line.
var spaces = strings.NewReplacer("\n", " ", "\t", " ")

// Visible returns text as one line that is safe to print.
func Visible[T ~string | ~[]byte](text T) string {
	return unseen.Escape(spaces.Replace(string(text)))
}

// VisibleText returns text of several lines that is safe to print.
func VisibleText(text string) string {
	return unseen.EscapeLines(strings.ReplaceAll(text, "\r\n", "\n"))
}

// Lines escapes invisible characters in whole lines of text with backslash escapes, such as JSON.
type Lines struct{ Out io.Writer }

// Write writes whole lines.
func (w Lines) Write(lines []byte) (int, error) {
	if _, err := io.WriteString(w.Out, unseen.EscapeLines(string(lines))); err != nil {
		return 0, err
	}
	return len(lines), nil
}

// Cause returns the innermost error, for messages that name the address which those around it
// repeat.
func Cause(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}
