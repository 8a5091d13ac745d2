package grammar

// This file checks the content of a call: its name and its keys. It looks at the
// tokens, which exist even without a tree, so that a fault counts even if there is
// a syntax error after it. Every rule applies once the token after a name, a path
// or a key shows that it is complete.

// A checker tracks the content of a call read so far.
type checker struct {
	known     func(name string) bool
	limit     int   // on the number of arguments
	arguments int   // number of arguments so far
	path      int   // index of the first token of the current path
	paths     paths // of the arguments
	body      bool  // the outermost object is the arguments
	brackets  []set // the keys of every open object; nil for an array
}

// A set is the keys of one object.
type set map[string]bool

// Paths are the paths of the arguments so far: for each key the paths below it, or
// nil if the key has a value.
type paths map[string]paths

// check returns the first fault in the content of the tokens before the offset.
func (r *reader) check(tokens []placed, before int) *fault {
	c := &checker{known: r.options.Known, limit: r.limits.Arguments, paths: paths{}}
	for i := range tokens {
		if tokens[i].start() >= before {
			break
		}
		if fault := c.read(tokens, i); fault != nil {
			return fault
		}
	}
	return nil
}

func (c *checker) read(tokens []placed, i int) *fault {
	t := &tokens[i]
	if t.state == afterName && (t.Type == symSpace || t.Type == symClose || t.is("{")) {
		if name := &tokens[i-1]; c.known != nil && !c.known(name.Value) {
			return &fault{UnknownTool, name.start()}
		}
	}
	switch {
	case t.opensBody():
		c.body = true
		c.brackets = append(c.brackets, set{})
	case t.is("{"):
		c.brackets = append(c.brackets, set{})
	case t.is("["):
		c.brackets = append(c.brackets, nil)
	case t.is("}"), t.is("]"):
		c.brackets = c.brackets[:len(c.brackets)-1]
	case t.is(":"):
		return c.member(&tokens[i-1])
	case t.is("="):
		return c.argument(tokens[c.path:i])
	case t.Type == symKey && !tokens[i-1].is("."):
		c.path = i
	}
	return nil
}

// member checks the key of a member.
//
// Rule: body.duplicate
func (c *checker) member(t *placed) *fault {
	if c.body && len(c.brackets) == 1 {
		if fault := c.count(t); fault != nil {
			return fault
		}
	}
	key := t.Value
	if t.Type == symString {
		key, _ = unescape(key)
	}
	keys := c.brackets[len(c.brackets)-1]
	if keys[key] {
		return &fault{DuplicateKey, t.start()}
	}
	keys[key] = true
	return nil
}

// argument checks the path of an argument, keys separated by dots. Without a
// schema, which may declare a property with dots in its name, every dot nests.
//
// Rule: body.conflict
func (c *checker) argument(path []placed) *fault {
	first, last := &path[0], &path[len(path)-1]
	if fault := c.count(first); fault != nil {
		return fault
	}
	at := c.paths
	for i := 0; i < len(path)-1; i += 2 {
		below, seen := at[path[i].Value]
		switch {
		case !seen:
			below = paths{}
			at[path[i].Value] = below
		case below == nil:
			return &fault{PathConflict, first.start()}
		}
		at = below
	}
	below, seen := at[last.Value]
	switch {
	case !seen:
		at[last.Value] = nil
		return nil
	case below == nil:
		return &fault{DuplicateKey, first.start()}
	}
	return &fault{PathConflict, first.start()}
}

// count counts an argument that begins with t.
func (c *checker) count(t *placed) *fault {
	if c.arguments++; c.arguments > c.limit {
		return &fault{TooManyArguments, t.start()}
	}
	return nil
}
