package fuzz

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/format"
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

// Lists of tokens.
var (
	nearMisses = tokens["near misses"] // constructs of the wire format, halves and lookalikes
	utterances = tokens["utterances"]  // texts that mean something between a JSON value and a tool
	keys       = tokens["keys"]
	regions    = tokens["regions"] // Markdown and reasoning, in several spellings
	near       = tokens["near"]    // openers in other spellings and of other formats
)

// drift has pieces of the mistakes that models make in each kind of body.
var drift = map[format.Body][]string{
	format.Arguments:  tokens["drift arguments"],
	format.Envelope:   tokens["drift envelope"],
	format.Parameters: tokens["drift parameters"],
}
