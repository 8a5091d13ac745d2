package manual

import "strings"

// Merge returns the system text with the manual in it, a blank line between
// them. What is empty is left out, and a manual that the text contains already
// is not added again, so merging twice is merging once. It keeps the system text
// byte for byte.
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

// gap returns what is missing to a blank line after text.
func gap(text string) string {
	switch {
	case strings.HasSuffix(text, "\n\n"):
		return ""
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return "\n\n"
}
