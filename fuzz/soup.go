package fuzz

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed tokens.txt
var tokenFile string

// tokens has the lists of tokens.txt, by name.
var tokens = func() map[string][]string {
	lists := map[string][]string{}
	name := ""
	for line := range strings.Lines(tokenFile) {
		switch {
		case strings.HasPrefix(line, "// "):
		case strings.HasPrefix(line, "= "):
			name = strings.TrimSpace(line[2:])
		default:
			for _, word := range strings.Fields(line) {
				lists[name] = append(lists[name], token(word))
			}
		}
	}
	return lists
}()

// token returns what a word of tokens.txt means.
func token(word string) string {
	text := strings.NewReplacer("␣", " ", "∅", "", `"`, `\"`).Replace(word)
	text, err := strconv.Unquote(`"` + text + `"`)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", word, err))
	}
	return text
}

// grow returns a word of a list of tokens.txt, in which the names of lists are replaced by words of
// them, nested to at most the given depth.
func grow(s Source, list string, depth int) string {
	switch list {
	case "string":
		return Quote(s, Text(s))
	case "quoted":
		return quoted(s)
	case "object":
		return Object(s, depth)
	case "properties":
		return properties(s, depth)
	}
	words := tokens[list]
	if depth <= 0 {
		nests := func(word string) bool { return strings.Contains(word, "‹") }
		words = slices.DeleteFunc(slices.Clone(words), nests)
	}
	return reference.ReplaceAllStringFunc(oneOf(s, words...), func(ref string) string {
		part := reference.FindStringSubmatch(ref)
		inner := depth
		if part[1] == "‹" {
			inner--
		}
		switch part[3] {
		case "…":
			return strings.Repeat(grow(s, part[2], inner), s.IntN(40))
		case "*":
			text := ""
			for range s.IntN(5) {
				text += grow(s, part[2], inner)
			}
			return text
		}
		return grow(s, part[2], inner)
	})
}

// reference matches the name of a list in a word.
var reference = regexp.MustCompile(`([«‹])([^»›*…]+)([*…]?)[»›]`)

// nearMisses are constructs of the wire format, halves and lookalikes.
var nearMisses = tokens["near misses"]
