package manual

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"
)

// Every sentence that a model reads. Each costs tokens in every request, so a rule is here only if
// models break it, and it appears only if the tools make that possible.
const (
	introduction = "Answer directly if you need no tool. Otherwise write calls " +
		"like these, one per tag, then stop and wait for results:"
	shapeOfWire = "%s, the name of the tool, key=value for each argument, %s" // without examples
	shapeOfJSON = "%s, the name of the tool, one JSON object of the arguments, %s"

	ruleSpaces   = "Spaces separate arguments." // unless an example shows that
	ruleQuotes   = "Quote values with spaces or quotes as in JSON."
	ruleNest     = "Nest with dots: %s"
	ruleList     = "Lists are JSON: %s"
	ruleNestList = "Nest with dots, lists are JSON: %s %s"
	ruleSomeJSON = "Only tools shown as name {…} take one JSON object."
	ruleAllJSON  = "Arguments are one JSON object."
	ruleOptional = "Omit optional (?) arguments, never write null."

	legendOfMarks = "Tools%s:"
	markString    = "string unless typed"
	markDefault   = "= gives the default"
	markAnyKey    = "* is any other key"
	markRepeated  = "@x repeats a type"

	loaderDescription = "Show the parameters of tools that are listed without them."
	loaderQuery       = "words to search for, or /regexp/"
	loadFirst         = "More tools. Load their parameters before you call them"
	searchFirst       = "More tools are not listed. " +
		"Search for them by what they do before you call them"
	loadBy = ", with %s."

	firstNames  = "Only the first %d names were looked up. Ask for the others in another call."
	unknownTool = "There is no tool %s."
	nameTools   = "Name the tools to load."
	badQuery    = "The query is not a regular expression: %s."
	hardQuery   = "This regular expression takes too long. Search for words."
	notFound    = "No tool was found for %s."
	moreFound   = "%d more tools match. Describe the tool more exactly to see them."
	allLoaded   = "All tools are loaded. Call them as their signatures show."
	searchAgain = "Search by what a tool does. %s"
	writeNames  = "Write %s with one or more of these names:"
	callByNames = "Call %s with one or more of these names:"

	notExecuted = "This call was not executed."
	expectedFix = "%s: expected %s; %s."
	openString  = "%s: a string is not closed; " +
		"end it with the same quote, and write the whole call again."
	wasRepaired   = "%s: the call was read as it was meant; %s."
	moreIssues    = "…and %d more issues."
	leaveOut      = " Leave the argument out instead of writing null."
	enumMembers   = " Members: %s."
	moreMembers   = "… and %d more"
	didYouMean    = " Did you mean %s?"
	faultAt       = "At: %s"
	writeThis     = "Write: %s"
	signatureIs   = "Signature: %s"
	suchAs        = "Such as: %s"
	toolsAre      = "Tools: %s"
	notWellFormed = "(Malformed call to %s removed. Arguments: %s)"
	notShown      = "(Attachment not shown: %s)"
	userRefused   = "The user did not allow this call: "
)

// What a list of tools in another format than the wire format shows.
const (
	noParameters = `{"type":"object","properties":{}}`
	exampleName  = "example_function_name"
	exampleInput = `{"example_parameter":"value"}`
)

// loaderSchema is the schema of the loader's arguments.
const loaderSchema = `{"type":"object","properties":{` +
	`"names":{"type":"array","items":{"type":"string"}},` +
	`"query":{"type":"string","description":"` + loaderQuery + `"}}}`

// intro returns the first sentence. If no example follows, it shows the form of a call.
func (m *Manual) intro(examples []string) string {
	if len(examples) > 0 {
		return introduction
	}
	shape := shapeOfWire // what follows the open tag cannot be a call
	if !m.announces(false) {
		shape = shapeOfJSON
	}
	return introduction + "\n" + fmt.Sprintf(shape, m.format.Call.Open, m.format.Call.Close)
}

// announces reports whether a tool is announced in JSON, or one in key=value.
func (m *Manual) announces(inJSON bool) bool {
	return slices.ContainsFunc(m.shown, func(p sig.Plan) bool { return p.JSON == inJSON })
}

// rules returns the rules that calls of these tools could break, beyond what the examples show.
func (m *Manual) rules(examples []string) (rules []string) {
	hasWire, hasJSON := m.announces(false), m.announces(true)
	hasTwo := func(call string) bool { return strings.Count(call, "=") > 1 }
	if hasWire && !slices.ContainsFunc(examples, hasTwo) {
		rules = append(rules, ruleSpaces)
	}
	if hasWire {
		rules = append(rules, ruleQuotes)
	}
	switch nest, list := m.fragments(); {
	case nest != "" && list != "":
		rules = append(rules, fmt.Sprintf(ruleNestList, nest, list))
	case nest != "":
		rules = append(rules, fmt.Sprintf(ruleNest, nest))
	case list != "":
		rules = append(rules, fmt.Sprintf(ruleList, list))
	}
	switch {
	case hasJSON && hasWire:
		rules = append(rules, ruleSomeJSON)
	case hasJSON:
		rules = append(rules, ruleAllJSON)
	}
	return rules
}

// legend returns what the marks that occur in signatures mean.
func legend(s sig.SignatureOptions, occurs map[string]bool) string {
	var meanings []string
	if !s.Classic {
		meanings = append(meanings, markString)
	}
	if occurs["="] && !s.HideDefaults {
		meanings = append(meanings, markDefault)
	}
	if occurs["*:"] {
		meanings = append(meanings, markAnyKey)
	}
	if occurs["@"] {
		meanings = append(meanings, markRepeated)
	}
	if meanings == nil {
		return fmt.Sprintf(legendOfMarks, "")
	}
	return fmt.Sprintf(legendOfMarks, " ("+strings.Join(meanings, ", ")+")")
}

// notNotation matches what in a signature isn't notation: strings, JSON in backquotes, comments and
// the description after the dash.
var notNotation = regexp.MustCompile(
	`"(?:[^"\\]|\\.)*"?|` + "`[^`]*`" + `| \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)| (?:-|—) .*`)

// marksIn returns the marks that occur in the notation of signatures. Few signatures are matched,
// which takes as long as writing them.
func marksIn(signatures []string) map[string]bool {
	occurs := make(map[string]bool)
	for _, s := range signatures {
		for _, mark := range []string{"?", "=", "*:", "@"} {
			if !occurs[mark] && strings.Contains(s, mark) {
				occurs[mark] = strings.Contains(notNotation.ReplaceAllString(s, ""), mark)
			}
		}
	}
	return occurs
}
