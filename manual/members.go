package manual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/parse"
)

// members returns, after a space, the members of a long enum that are most like the
// value that failed to match, otherwise the first ones, and how many more there are.
func members(issue *parse.Issue, s *parse.Segment) string {
	if issue.Type == nil || len(issue.Type.Enum) == 0 {
		return ""
	}
	enum := issue.Type.Enum
	near := newNearest(valueAt(s.Text, issue.Offset-s.Start))
	type candidate struct{ at, distance int }
	var list []candidate
	for i := range enum {
		if len(enum[i].JSON) > longestMember {
			continue
		}
		if d := near.distance(enum[i].Text); d < near.most {
			list = append(list, candidate{i, d})
		}
	}
	byDistance := func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) }
	slices.SortStableFunc(list, byDistance)
	if len(list) == 0 {
		for i := 0; i < len(enum) && len(list) < mostMembers; i++ {
			if len(enum[i].JSON) <= longestMember {
				list = append(list, candidate{at: i})
			}
		}
	}
	var told []string
	for _, c := range list[:min(len(list), mostMembers)] {
		told = append(told, string(enum[c.at].JSON))
	}
	if more := len(enum) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("… and %d more", more))
	}
	return fmt.Sprintf(enumMembers, strings.Join(told, ", "))
}

// valueAt returns the beginning of the value at the offset, as long as it could be a
// name.
func valueAt(text string, at int) string {
	if at < 0 || at >= len(text) {
		return ""
	}
	value := text[at:min(len(text), at+2*longestNear)]
	ends := "\"'<>,]}" + lexeme.Whitespace
	if c := value[0]; c == '"' || c == '\'' {
		value, ends = value[1:], value[:1]
	}
	if end := strings.IndexAny(value, ends); end >= 0 {
		value = value[:end]
	}
	return value
}

// cutLine returns the line, shortened if it is long.
func cutLine(line string) string {
	if len(line) <= longestLine {
		return line
	}
	cut := line[:runeStart(line[:min(len(line), longestLine+utf8.UTFMax)], longestLine)]
	if i := strings.LastIndexAny(cut, " |"); i > longestLine/2 {
		cut = cut[:i+1]
	}
	return fmt.Sprintf("%s… and %d bytes more", cut, len(line)-len(cut))
}
