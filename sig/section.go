package sig

import (
	"regexp"
	"slices"
	"strings"
)

// A tool generated from a function often explains its parameters in its own
// description, in a section of the docstring:
//
//	Get the weather.
//
//	Args:
//	    location: a city, or lat,lon
//	    days (int): how many,
//	        16 at most
//
// An entry that names a property is read as a description of that property, and
// removed from the tool's own. Everything else stays.

// title matches the title of a section on parameters, marked by a colon or as a heading.
var title = regexp.MustCompile(`(?i)^(?:[#*_: ]+(?:args|arguments|params|parameters)[#*_: ]*|` +
	`(?:args|arguments|params|parameters)[#*_: ]+)$`)

// entry matches a line such as "- name (type): text".
var entry = regexp.MustCompile("^([-*•] *)?[`*]*([^ \t:(`*]+)[`* \t]*(?:\\([^)]*\\)[`* \t]*)?" +
	"(?::|[-–—] )[`* \t]*(.*)$")

// readSections splits the description of a tool into its prose and the entries on
// properties, for which known reports true. It takes time linear in the text.
func readSections(
	text string, known func(name string) bool,
) (prose string, entries map[string]string) {
	lines := strings.SplitAfter(text, "\n")
	var kept []string
	for i := 0; i < len(lines); i++ {
		if !title.MatchString(strings.TrimSpace(lines[i])) {
			kept = append(kept, lines[i])
			continue
		}
		found, others, n := readSection(lines[i], lines[i+1:], known)
		if len(found) == 0 || len(others) > 0 {
			kept = append(kept, lines[i])
		}
		if len(found) == 0 {
			continue
		}
		kept = append(kept, others...)
		i += n
		if entries == nil {
			entries = make(map[string]string)
		}
		for name, said := range found {
			entries[name] = strings.Join(said, " ")
		}
	}
	if entries == nil {
		return text, nil
	}
	return strings.TrimSpace(strings.Join(kept, "")), entries
}

// readSection reads the n lines after the title that belong to the section: the lines of
// entries by the name of the property, and those of entries on something else.
func readSection(title string, lines []string, known func(name string) bool) (
	entries map[string][]string, others []string, n int,
) {
	entries = make(map[string][]string)
	margin, name := -1, "" // indent of the entries; property of the current entry
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		at := indent(line)
		if margin < 0 || at <= margin { // otherwise it continues the entry
			m := entry.FindStringSubmatch(bare)
			if m == nil || at < margin {
				break
			}
			isOutside := at <= indent(title) && m[1] == ""
			if isOutside && !known(m[2]) {
				break
			}
			margin, name, bare = at, m[2], strings.TrimSpace(m[3])
			if !known(name) || entries[name] != nil {
				name = ""
			}
		}
		if name == "" {
			others = append(others, line)
		} else {
			entries[name] = append(entries[name], bare)
		}
		n = i + 1
	}
	return entries, others, n
}

// indent returns how far a line is indented.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// Summary returns the description of the tool without its section on parameters.
func (t *Tool) Summary() string {
	roots := rootsOf(t.Args)
	prose, _ := readSections(t.Description, func(name string) bool { return hasField(roots, name) })
	return prose
}

// hasField reports whether one of the types has a property with that name.
func hasField(types []*Type, name string) bool {
	return slices.ContainsFunc(types, func(t *Type) bool { return t.Field([]byte(name)) != nil })
}
