package repair

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// namespaces are what models write before the name of a tool.
var namespaces = []string{"functions", "function", "tools", "tool", "default_api", "api"}

// name reads the bytes of a name. It returns them and where they begin.
func (r *reader) name() (name string, at int) {
	at = r.i
	for hasClass(r.at(r.i), lexeme.Name) && !r.has(r.i, "/>") {
		r.i++
	}
	return string(r.Text[at:r.i]), at
}

// setTool records the tool with the name, which is at an index.
func (r *reader) setTool(name string, at int) {
	r.tool = r.tools.lookup(name)
	if r.tool == nil {
		r.note("name", at)
		r.tool = r.tools.Meant(name)
	}
	if r.tool == nil || name == "" || !r.json && !lexeme.IsName(name) {
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
	t := &Tools{catalog, make(map[string]*sig.Tool, len(catalog.Tools()))}
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
	name = Unquote(name)
	i := strings.IndexAny(name, ".:/")
	if i > 0 && slices.Contains(namespaces, strings.ToLower(name[:i])) {
		name = name[i+1:]
		if tool := t.lookup(name); tool != nil && tool.Name != "" {
			return tool
		}
	}
	return t.folded[fold(name)]
}

// Unquote returns a word without the quotes around it, if it has any.
func Unquote[W string | []byte](word W) W {
	n := len(word) - 1
	if n < 2 || word[0] != word[n] || word[0] != '"' && word[0] != '\'' {
		return word
	}
	return word[1:n]
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
