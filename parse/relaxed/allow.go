package relaxed

import "strings"

// Allow is a set of deviations from RFC 8259. The zero value allows none.
type Allow uint16

// The deviations. Each is read only where nothing else can be meant.
const (
	SingleQuotes   Allow = 1 << iota // 'text', with \' in it
	BareKeys                         // {key: 1}: letters, digits, _ $ - and all from U+0080 up
	Comments                         // // to the end of the line, and /* … */
	TrailingCommas                   // [1,] and {"a":1,}
	PythonLiterals                   // True, False, None
	RawControls                      // control characters in strings, such as line ends
	LooseEscapes                     // \' in double quotes; before anything else a backslash that begins no escape is text

	All = SingleQuotes | BareKeys | Comments | TrailingCommas | PythonLiterals | RawControls | LooseEscapes
)

var allowNames = [...]string{
	"single-quotes", "bare-keys", "comments", "trailing-commas", "python-literals", "raw-controls", "loose-escapes",
}

// String returns the names of the deviations, joined by "|".
func (a Allow) String() string {
	var names []string
	for i, name := range allowNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}
