package fuzz

import (
	"fmt"
	"iter"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// A family of texts takes a careless reader more than linear work or bounded memory.
type family struct {
	name             string
	setup            Setup
	head, unit, tail string
}

// families yields those of testdata/families.txt; without -long a sixth of them. A catalog can be
// garbage once its families have been read: each collection would take as long as all of them.
func families(t *testing.T) iter.Seq[family] {
	t.Helper()
	text, err := os.ReadFile("testdata/families.txt")
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(family) bool) {
		var words []string
		var setup *Setup // of the words, made for the first family that is yielded
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			switch {
			case line[0] == '#':
			case line[0] == '=':
				words, setup = strings.Fields(line)[1:], nil
			case *long || i%6 == 0:
				if setup == nil {
					setup = setupNamed(t, words)
				}
				if !yield(familyOf(t, line, *setup)) {
					return
				}
			}
		}
	}
}

// familyOf reads a line of testdata/families.txt.
func familyOf(t *testing.T, line string, s Setup) family {
	t.Helper()
	columns := strings.Split(line, "\t")
	var parts [3]string
	for i, column := range columns[1:] {
		text, err := strconv.Unquote(column)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		parts[i] = multiplied(text)
	}
	return family{s.Format.Name + ": " + columns[0], s, parts[0], parts[1], parts[2]}
}

// setupNamed returns the setup of a format, the name of a catalog, and options.
func setupNamed(t *testing.T, words []string) *Setup {
	t.Helper()
	s := &Setup{Catalog: sig.AnyTool}
	s.Format = protocol.Lookup(words[0], yaml.XML)
	s.AllowAfterMalformed = true
	for _, word := range words[1:] {
		switch word {
		case "any":
		case "strict":
			s.Strict = true
		case "repair":
			s.Repair, s.Reasoning = true, parse.TaggedReasoning
		default:
			make := catalogs[word]
			if make == nil {
				t.Fatalf("no catalog %q", word)
			}
			s.Catalog = make()
		}
	}
	return s
}

var multiple = regexp.MustCompile(`⟨(\d+) ([^⟩]*)⟩`)

// multiplied returns text with each ⟨n text⟩ written out.
func multiplied(text string) string {
	return multiple.ReplaceAllStringFunc(text, func(m string) string {
		parts := multiple.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[1])
		return strings.Repeat(parts[2], n)
	})
}

// text returns about n bytes of the family.
func (f family) text(n int) string {
	var b strings.Builder
	b.WriteString(f.head)
	units := 0
	for ; units == 0 || b.Len() < n; units++ {
		unit := f.unit
		if strings.ContainsAny(unit, "%#") {
			unit = strings.ReplaceAll(unit, "%", fmt.Sprintf("%08d", units))
			unit = strings.ReplaceAll(unit, "#", strconv.Itoa(first+units*7919%members))
		}
		b.WriteString(unit)
	}
	if mirror, ok := strings.CutPrefix(f.tail, "×]"); ok {
		return b.String() + strings.Repeat("]", units) + mirror
	}
	return b.String() + f.tail
}

// together are all formats as one.
var together = protocol.Any(yaml.XML, protocol.All()...)

// setups returns the setup of the family, and ones in which calls can grow with the text, one of
// them with all formats.
func (f family) setups() []Setup {
	boundless, repaired, short := f.setup, f.setup, f.setup
	const most = 1 << 30
	boundless.Limits = parse.Limits{Bytes: most, Depth: most, Arguments: most, Name: most}
	repaired.Limits, repaired.Repair = boundless.Limits, true
	short.Limits.Bytes = 1000
	all := repaired
	all.Format = together
	if all.Catalog == sig.AnyTool {
		all.Catalog = types
	}
	return []Setup{f.setup, boundless, repaired, short, all}
}

// TestLinearWork counts the steps of reading the families: twice the text takes at most 2.2 times
// the work, at any size of chunks.
func TestLinearWork(t *testing.T) {
	const n = 1 << 13
	for f := range families(t) {
		for _, s := range f.setups() {
			for _, size := range []int{1, 61, 4096} {
				once := s.Steps(Sized([]byte(f.text(n)), size))
				twice := s.Steps(Sized([]byte(f.text(2*n)), size))
				if float64(twice) > 2.2*float64(once)+2000 {
					t.Errorf("%s, chunks of %d, %+v: %d steps, twice the text %d",
						f.name, size, s.Options, once, twice)
				}
			}
		}
	}
}

// catalogs are those of the families, by name.
var catalogs = map[string]func() *sig.Catalog{
	"types":    func() *sig.Catalog { return types },
	"tagged":   func() *sig.Catalog { return tagged },
	"needy":    needy,
	"roomy":    roomy,
	"prefixed": prefixed,
	"listed":   listed,
	"matching": matching,
}

// members is the number of literals of each enum, and first the number in the first.
const members, first = 10000, 10000

// allOf returns n literals; # in one is its number.
func allOf(literal string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(multiplied(literal), "#", strconv.Itoa(first+i))
	}
	return strings.Join(all, ",")
}

// needy is a catalog with a tool that requires more arguments than a call may have issues, at the
// top level, in the objects of a list and in paths.
func needy() *sig.Catalog {
	return mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"$ref": "#/$defs/o", "$defs": {
		"o": {"type": "object", "required": [%s], "properties": {
			"o": {"$ref": "#/$defs/p"}, "l": {"type": "array", "items": {"$ref": "#/$defs/o"}}}},
		"p": {"type": "object", "required": ["x"], "additionalProperties": {"$ref": "#/$defs/p"},
			"properties": {"a": {}}}}}}]`,
		allOf(`"property#"`, 1100)))
}

// roomy is a catalog of objects with thousands of optional properties.
func roomy() *sig.Catalog {
	properties := allOf(`"property#":{"type":"integer"}`, members)
	return mustCompile(`[{"name": "t", "inputSchema": {"properties": {"l": {"type": "array",
		"items": {"type": "object", "properties": {` + properties + `}}}}}}]`)
}

// prefixed is a catalog of names that differ only in their last bytes.
func prefixed() *sig.Catalog {
	return mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"properties": {%s}}}]`,
		allOf(`"⟨60 p⟩000#":{"type":"integer"}`, 200)))
}

// listed is a catalog of lists of enum members, of each kind and of all kinds, such as countries,
// ids and articles.
func listed() *sig.Catalog {
	const text, number, array, object = `"article-#"`, `#.5`, `[#,"x"]`, `{"id":#,"tags":[true]}`
	var all []string
	for _, literal := range []string{text, number, array, object} {
		all = append(all, allOf(literal, members/4))
	}
	enum := func(literals string) string { return `{"enum": [` + literals + `]}` }
	list := func(literals string) string { return `{"type": "array", "items": ` + enum(literals) + `}` }
	return mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {
		"one": ` + enum(allOf(text, members)) + `, "s": ` + list(allOf(text, members)) + `,
		"n": ` + list(allOf(number, members)) + `, "a": ` + list(allOf(array, members)) + `,
		"o": ` + list(allOf(object, members)) + `, "all": ` + list(strings.Join(all, ",")) + `,
		"u": {"type": "array", "items": {"anyOf": [` + enum(all[0]) + `, ` +
		enum(all[1]+","+all[2]) + `, ` + enum(all[3]) + `, {"type": "boolean"}]}}, "deep": {"$ref": "#/$defs/deep"}},
		"$defs": {"deep": {"type": "array", "items": {"$ref": "#/$defs/deep"},
			"enum": [` + allOf("⟨50 [⟩#⟨50 ]⟩", members/2) + `,` + allOf("[#]", members/2) +
		`]}}}}]`)
}

// matching is a catalog of objects with as many patterns as are run, and of nested arrays.
func matching() *sig.Catalog {
	arrays := func(n int, typ string) string {
		open, close := strings.Repeat(`{"type":"array","items":`, n), strings.Repeat("}", n)
		return open + `{"type":"` + typ + `"}` + close
	}
	return mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"type": "object",
		"patternProperties": {"^[ab]*a[ab]{50}$": {}}, "properties": {
		"p": {"type": "array", "items": {"type": "object", "patternProperties": {%s}}},
		"l": {"type": "object", "patternProperties": {"(a|b)*a(a|b){15}$": {}}},
		"four": {"type": "array", "items": %s}, "sixty": {"type": "array", "items": %s},
		"endless": {"$ref": "#/$defs/endless"}},
		"$defs": {"endless": {"type": "array", "items": {"$ref": "#/$defs/endless"}}}}}]`,
		allOf(`"^a#":{}`, 10), arrays(4, "string"), arrays(60, "string")))
}
