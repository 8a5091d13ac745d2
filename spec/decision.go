package spec

import (
	"regexp"
	"strings"
)

// The beginning of a decision in decisions.md, and what follows one.
var (
	decision    = regexp.MustCompile(`(?m)^\*\*([DS][0-9]+)\.`)
	decisionEnd = regexp.MustCompile(`\n(\*\*[DS]|## )`)
)

// decisions returns decisions.md without its title.
func decisions() string {
	data, err := texts.ReadFile("decisions.md")
	if err != nil {
		panic("spec: " + err.Error()) // it is embedded
	}
	_, text, _ := strings.Cut(string(data), "\n")
	return text
}

// decisionIDs returns the ids of the decisions.
func decisionIDs() (ids []string) {
	for _, m := range decision.FindAllStringSubmatch(decisions(), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// appendix returns the decisions as the text of a chapter, each with an anchor.
func appendix() string {
	text := decision.ReplaceAllString(decisions(), `<a id="$1"></a>**$1.`)
	return strings.ReplaceAll(text, "\n## ", "\n### ")
}
