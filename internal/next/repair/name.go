package repair

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// nameKeys are the keys under which models write the name of a tool.
var nameKeys = []string{"name", "tool", "tool_name", "function", "function_name"}

// namespaces are what models write before the name of a tool.
var namespaces = []string{"functions", "function", "tools", "tool", "default_api", "api"}

// name reads the name of the tool: t, "t", name=t, tool: "t", or one of them with a comma.
func (r *reader) name() {
	if r.isMark() {
		r.note("name", r.i)
		r.call.Guessed = true
		r.setTool(r.markedName())
		return
	}
	name, at := r.nameWord()
	key := strings.TrimSuffix(name, ":")
	sign := r.skip(r.i)
	assigned := key < name || r.at(sign) == '='
	switch {
	case assigned && slices.Contains(nameKeys, key) && r.tools.lookup(key) == nil:
		if key == name {
			r.i = sign + 1
		}
		r.space()
		name, at = r.markedName()
		r.note("name-attribute", at)
		if r.at(r.i) == ',' {
			r.i++
			r.isSeparated = true
		}
	case r.at(r.i) == ',': // t, a=x
		r.note("name", r.i)
		r.i++
	}
	r.setTool(name, at)
}

// nameWord reads the bytes of a name. It returns them and where they begin.
func (r *reader) nameWord() (name string, at int) {
	at = r.i
	for hasClass(r.at(r.i), lexeme.Name) && !r.has(r.i, "/>") {
		r.i++
	}
	return string(r.Text[at:r.i]), at
}

// markedName reads a name, with the same marks on both sides or without any.
func (r *reader) markedName() (name string, at int) {
	from := r.i
	for r.isMark() {
		r.i++
	}
	marks := string(r.Text[from:r.i])
	name, at = r.nameWord()
	r.expect(marks)
	return name, at
}

// isMark reports whether a quote, a backquote, or a star comes next.
func (r *reader) isMark() bool {
	return r.i < r.end && strings.IndexByte("\"'`*", r.Text[r.i]) >= 0
}

// setTool records the tool with the name, which is at an index.
func (r *reader) setTool(name string, at int) {
	r.tool = r.tools.lookup(name)
	if r.tool == nil {
		r.note("name", at)
		r.tool = r.tools.Meant(name)
	}
	if r.tool == nil || name == "" || !r.JSON && !lexeme.IsName(name) {
		r.refuse()
		return
	}
	r.call.Name = r.tool.Name
	if r.call.Name == "" { // any name is that of a tool
		r.call.Name = name
	}
}

// Tools finds tools by names that differ from theirs.
type Tools struct {
	catalog *sig.Catalog
	folded  map[string]*sig.Tool // by folded name; nil if several tools have it
}

// NewTools returns the tools of a catalog.
func NewTools(catalog *sig.Catalog) *Tools {
	t := &Tools{catalog, make(map[string]*sig.Tool, catalog.Len())}
	for _, tool := range catalog.Tools() {
		key := fold(tool.Name)
		if _, taken := t.folded[key]; taken {
			tool = nil
		}
		t.folded[key] = tool
	}
	return t
}

// lookup returns the tool with exactly that name, or nil.
func (t *Tools) lookup(name string) *sig.Tool { return t.catalog.Lookup([]byte(name)) }

// Meant returns the only tool that an unknown name can mean, or nil: one whose name differs in
// case, hyphens, underscores, and dots, follows a namespace, or is in quotes.
func (t *Tools) Meant(name string) *sig.Tool {
	name = strings.TrimRight(Unquoted(name), ":")
	i := strings.IndexAny(name, ".:/")
	if i > 0 && slices.Contains(namespaces, strings.ToLower(name[:i])) {
		name = withoutNumber(name[i+1:])
		if tool := t.lookup(name); tool != nil && tool.Name != "" {
			return tool
		}
	}
	return t.folded[fold(name)]
}

// Unquoted returns a name or key without the quotes around it.
func Unquoted[T string | []byte](word T) T {
	n := len(word) - 1
	if n > 1 && (word[0] == '"' || word[0] == '\'') && word[n] == word[0] {
		return word[1:n]
	}
	return word
}

// withoutNumber returns name without the number of the call: t for t:0.
func withoutNumber(name string) string {
	i := strings.LastIndexByte(name, ':')
	if i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		return name[:i]
	}
	return name
}

// fold returns name in lower case, without hyphens, underscores, and dots. Only ASCII letters
// change.
func fold(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'A' <= c && c <= 'Z':
			return c | 0x20
		case c == '-' || c == '_' || c == '.':
			return -1
		}
		return c
	}, name)
}
