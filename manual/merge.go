package manual

import "strings"

// Merge returns the system text with the manual added, separated by a blank line. An
// empty part is left out, and a manual that the text already contains is not added
// again, so merging twice is merging once. The system text is kept byte for byte.
func Merge(system, manual string, p Placement) string {
	switch {
	case manual == "" || strings.Contains(system, manual):
		return system
	case system == "":
		return manual
	case p == Last:
		return system + gap(system) + manual
	}
	return manual + gap(manual) + system
}

// gap returns what a blank line after text still needs.
func gap(text string) string {
	switch {
	case strings.HasSuffix(text, "\n\n"):
		return ""
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return "\n\n"
}
