package grammar

// This file checks the content of a call: its name and its keys. It looks at the
// tokens, which exist even without a tree, so that a fault counts even if there is
// a syntax error after it. Every rule applies once the token after a name, a path
// or a key shows that it is complete.

// A callChecker tracks the content of a call of the wire format read so far.
type callChecker struct {
	r         *reader
	depth     int     // of brackets and dots
	count     int     // of arguments so far
	path      int     // index of the first token of the current path
	arguments group   // so far
	body      bool    // the outermost object is the arguments
	brackets  keySets // the keys of every open object
	faulty    bool    // a fault was found, and only the first counts
}

func newCallChecker(r *reader) (checker, judge) { return &callChecker{r: r}, nil }

// check implements checker. Content counts as soon as the token after it is reached.
func (c *callChecker) check(tokens []token) (content, stop *fault) {
	t := &tokens[len(tokens)-1]
	if !c.faulty {
		content = c.read(tokens, len(tokens)-1)
	}
	if content != nil {
		content.from = t.start() + 1
		c.faulty = true
	}
	switch {
	case t.name == tokSpace, opensBody(t):
		c.depth = 0
	case t.is("."), t.is("["), t.is("{"):
		c.depth++
	case t.is("]"), t.is("}"):
		c.depth--
	}
	switch {
	case t.name == tokName && len(t.Value) > c.r.limits.Name:
		return content, &fault{code: NameTooLong, at: t.start() + c.r.limits.Name}
	case c.depth > c.r.limits.Depth:
		return content, &fault{code: TooDeep, at: t.start()}
	}
	return content, nil
}

// opensBody reports whether t opens a JSON body.
func opensBody(t *token) bool {
	return t.is("{") && (t.state == "after-name" || t.state == "at-body")
}

func (c *callChecker) read(tokens []token, i int) *fault {
	t := &tokens[i]
	if t.state == "after-name" && (t.isOneOf(tokSpace, tokClose) || t.is("{")) {
		if name := &tokens[i-1]; !c.r.knows(name.Value) {
			return &fault{code: UnknownTool, at: name.start()}
		}
	}
	switch {
	case t.is("{"), t.is("["):
		c.body = c.body || opensBody(t)
		c.brackets.open(t.is("{"))
	case t.is("}"), t.is("]"):
		c.brackets.close()
	case t.is(":"):
		return c.member(&tokens[i-1])
	case t.is("="):
		return c.argument(tokens[c.path:i])
	case t.name == tokKey && !tokens[i-1].is("."):
		c.path = i
	}
	return nil
}

// member checks the key of a member.
//
// Rule: body.duplicate
func (c *callChecker) member(t *token) *fault {
	if c.body && len(c.brackets) == 1 {
		if fault := c.another(t); fault != nil {
			return fault
		}
	}
	key := t.Value
	if t.name == tokString {
		key = Unquote(key)
	}
	if c.brackets.add(key) {
		return &fault{code: DuplicateKey, at: t.start()}
	}
	return nil
}

// argument checks the path of an argument, keys separated by dots. Without a
// schema, which may declare a property with dots in its name, every dot nests.
func (c *callChecker) argument(path []token) *fault {
	first := &path[0]
	if fault := c.another(first); fault != nil {
		return fault
	}
	var keys []string
	for i := 0; i < len(path); i += 2 {
		keys = append(keys, path[i].Value)
	}
	if _, code := c.arguments.put(keys); code != "" {
		return &fault{code: code, at: first.start()}
	}
	return nil
}

// another counts an argument that begins with t.
func (c *callChecker) another(t *token) *fault {
	if c.count++; c.count > c.r.limits.Arguments {
		return &fault{code: TooManyArguments, at: t.start()}
	}
	return nil
}
