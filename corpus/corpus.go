package corpus

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Version is the version of the wire format that the cases describe.
const Version = "1.0"

// What a case asks for.
const (
	Parse  = "parse"  // read Text, want Want.Events
	Format = "format" // write Name and Input, want Want.Text or Want.Error
	Sig    = "sig"    // write the signatures of Tools, want Want.Lines
	Manual = "manual" // write the manual of Tools, want Want.Text
)

// Core is what every reader accepts and every writer writes; Extended is the
// relaxed rest, for readers that forgive what models get nearly right.
const (
	Core     = "core"
	Extended = "extended"
)

//go:embed cases/*.json cases/more/*.json cases/protocols/*.json
//go:embed rules.json schema.json ids.txt README.md LICENSE
var files embed.FS

// Files returns the files of the corpus, for those who read them in another
// language: cases, schema.json, rules.json, ids.txt, README.md and LICENSE.
func Files() fs.FS { return files }

// A Rule is a part of the format that cases refer to by its id.
type Rule struct {
	ID   string `json:"id"`   // group.name, stable
	Text string `json:"text"` // the rule in one sentence
}

// Cases returns all cases of the wire format, by topic in alphabetical order and within
// a topic in the order of its file. Every call returns a new slice. Its cases share their data,
// which the caller must not change.
func Cases() []Case { return wire.read("cases/*.json") }

// ProtocolCases returns all cases of other formats, in the same order; the topic is the
// name of the format.
func ProtocolCases() []Case { return protocols.read("cases/protocols/*.json") }

// MoreCases returns the cases that ask with more than a text and options, in the same
// order: tags are of other tags, large are of texts that [Case.Whole] writes out.
func MoreCases() []Case { return more.read("cases/more/*.json") }

// decoded are cases that are decoded on first use. No variable refers to the files, so the linker
// drops them from programs that don't use the cases.
type decoded struct {
	once  sync.Once
	cases []Case
}

var wire, protocols, more decoded

func (d *decoded) read(pattern string) []Case {
	d.once.Do(func() { d.cases = casesOf(pattern) })
	return slices.Clone(d.cases)
}

func casesOf(pattern string) []Case {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic("corpus: " + err.Error())
	}
	var all []Case
	for _, name := range names {
		var file struct {
			Version string `json:"version"`
			Topic   string `json:"topic"`
			Cases   []Case `json:"cases"`
		}
		load(name, &file)
		all = append(all, file.Cases...)
	}
	return all
}

// RuleURL returns where the specification states a rule: those of signatures, of
// manuals and of other protocols are in its second document.
func RuleURL(id string) string {
	file, group := "SPEC.md", id[:strings.IndexByte(id, '.')+1]
	inPrompts := []string{"signature.", "manual.", "protocol.",
		// In the wire format, only writers fail so.
		"error.invalid-json", "error.invalid-yaml", "error.not-an-object", "error.unwritable-value"}
	if slices.Contains(inPrompts, group) || slices.Contains(inPrompts, id) {
		file = "PROMPTS.md"
	}
	return "https://github.com/callwire/callwire/blob/main/spec/" + file + "#" + id
}

// Rules returns all rules, in the order in which they are best read.
func Rules() []Rule {
	var file struct {
		Version string `json:"version"`
		Rules   []Rule `json:"rules"`
	}
	load("rules.json", &file)
	return file.Rules
}

// load reads an embedded file. It panics on a broken file, because the tests read all of them.
func load(name string, to any) {
	data, err := files.ReadFile(name)
	if err == nil {
		err = decode(data, to)
	}
	if err != nil {
		panic(fmt.Sprintf("corpus: %s: %v", name, err))
	}
}

// decode reads one JSON value and refuses members that to does not have.
func decode(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(to)
}
