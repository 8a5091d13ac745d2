package grammar

// A LeafKind is the kind of a leaf; for a bracket, the bracket itself.
type LeafKind string

// The kinds of leaves.
const (
	NameLeaf   LeafKind = "name"
	KeyLeaf    LeafKind = "key"    // a path segment or a bare key of an object
	StringLeaf LeafKind = "string" // a value or a key in quotes
	BareLeaf   LeafKind = "bare"   // a word, an item, or the empty value

	OpenBracketLeaf  LeafKind = "["
	CloseBracketLeaf LeafKind = "]"
	OpenBraceLeaf    LeafKind = "{"
	CloseBraceLeaf   LeafKind = "}"
)

// A Leaf is a name, a key, a scalar value or a bracket. Separators (dots, equals
// signs, colons, commas, whitespace, the tags) are not leaves. The leaves of a call,
// in order, are its whole content.
type Leaf struct {
	Kind       LeafKind
	Start, End int
	Text       string // decoded
}

// Leaves returns the leaves of the call in order of offset.
func (c *Call) Leaves() []Leaf {
	var leaves []Leaf
	for _, t := range c.terminals() {
		text := t.Value
		if t.kind == StringLeaf {
			text, _ = unescape(text)
		}
		at := span(t.Token)
		leaves = append(leaves, Leaf{t.kind, at.Start, at.End, text})
	}
	return leaves
}

// A terminal is a leaf as written.
type terminal struct {
	kind LeafKind
	Token
}

func (c *Call) terminals() []terminal {
	all := []terminal{{NameLeaf, c.Name.Token}}
	if c.Object != nil {
		return c.Object.terminals(all)
	}
	for _, argument := range c.Arguments {
		for _, key := range argument.Path.Keys {
			all = append(all, terminal{KeyLeaf, key.Token})
		}
		all = argument.value().terminals(all)
	}
	return all
}

func (s *String) terminals(all []terminal) []terminal {
	return append(all, terminal{StringLeaf, s.Token})
}

func (b *Bare) terminals(all []terminal) []terminal {
	return append(all, terminal{BareLeaf, b.Token})
}

func (a *Array) terminals(all []terminal) []terminal {
	all = append(all, terminal{OpenBracketLeaf, a.Open})
	for _, item := range a.Items {
		all = item.terminals(all)
	}
	return append(all, terminal{CloseBracketLeaf, a.Close})
}

func (o *Object) terminals(all []terminal) []terminal {
	all = append(all, terminal{OpenBraceLeaf, o.Open})
	for _, member := range o.Members {
		if member.String != nil {
			all = member.String.terminals(all)
		} else {
			all = append(all, terminal{KeyLeaf, member.Key.Token})
		}
		all = member.Value.terminals(all)
	}
	return append(all, terminal{CloseBraceLeaf, o.Close})
}
