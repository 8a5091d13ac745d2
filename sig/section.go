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

// readSections splits the description of a tool into its prose and the entries on
// properties, for which known reports true. It takes time linear in the text.
func readSections(
	text string, known func(name string) bool,
) (prose string, entries map[string]string) {
	lines := strings.SplitAfter(text, "\n")
	var kept []string
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		if !title.MatchString(strings.TrimSpace(line)) {
			kept = append(kept, line)
			continue
		}
		s := sectionReader{title: line, known: known}
		n := s.read(lines[i:])
		if s.entries == nil {
			kept = append(kept, line)
			continue
		}
		if entries == nil {
			entries = make(map[string]string)
		}
		for name, said := range s.entries {
			entries[name] = strings.Join(said, " ")
		}
		if len(s.others) > 0 {
			kept = append(append(kept, line), s.others...)
		}
		i += n
	}
	if entries == nil {
		return text, nil
	}
	return strings.TrimSpace(strings.Join(kept, "")), entries
}

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

// sectionReader reads one section.
type sectionReader struct {
	title   string
	known   func(name string) bool
	entries map[string][]string // lines, by the name of the property
	others  []string            // lines of entries on something else
}

// read reads the lines after the title and returns how many belong to the section.
func (s *sectionReader) read(lines []string) (n int) {
	margin, name := -1, "" // indent of the entries; property of the current entry
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		at := indent(line)
		if margin >= 0 && at > margin { // continues the entry
			if name == "" {
				s.others = append(s.others, line)
			} else {
				s.entries[name] = append(s.entries[name], bare)
			}
			n = i + 1
			continue
		}
		key, said, listed := cutEntry(bare)
		outside := at <= indent(s.title) && !listed
		switch {
		case key == "" || margin >= 0 && at < margin || outside && !s.known(key):
			return n
		case s.known(key) && s.entries[key] == nil:
			if s.entries == nil {
				s.entries = make(map[string][]string)
			}
			s.entries[key], name = []string{said}, key
		default:
			s.others, name = append(s.others, line), ""
		}
		margin, n = at, i+1
	}
	return n
}

// title matches the title of a section on parameters, marked by a colon or as a heading.
var title = regexp.MustCompile(`(?i)^(?:[#*_: ]+(?:args|arguments|params|parameters)[#*_: ]*|` +
	`(?:args|arguments|params|parameters)[#*_: ]+)$`)

// indent returns how far a line is indented.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// entry matches a line such as "- name (type): text".
var entry = regexp.MustCompile("^([-*•] *)?[`*]*([^ \t:(`*]+)[`* \t]*(?:\\([^)]*\\)[`* \t]*)?" +
	"(?::|[-–—] )[`* \t]*(.*)$")

// cutEntry splits the line of an entry. The key is "" if it is not one; listed reports
// whether it has a list marker.
func cutEntry(line string) (key, said string, listed bool) {
	m := entry.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[2], strings.TrimSpace(m[3]), m[1] != ""
}
