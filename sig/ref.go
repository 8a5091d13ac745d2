package sig

import (
	"strconv"
	"strings"
)

// resolve returns the schema that the reference in v leads to, or nil. All
// references are resolved within the tool's schema; nothing is fetched.
func (c *compiler) resolve(v *value) *schema {
	target, known := c.targets[v.text]
	if !known {
		if target = c.find(v.text); target == nil {
			target = c.findByName(v)
		}
		c.targets[v.text] = target
	}
	if target == nil {
		c.report(v, UnresolvedRef, "%q has no target in this schema: untyped", v.text)
		return nil
	}
	s := c.schemaAt(target)
	if s.name == "" {
		s.name = definitionName(target, c.root)
	}
	return s
}

// find follows a reference: an optional base, which is an identifier, and after
// "#" a JSON pointer or an anchor.
func (c *compiler) find(ref string) *value {
	base, fragment, _ := strings.Cut(ref, "#")
	start := c.root
	if base != "" {
		if start = c.identified()[base]; start == nil {
			return nil
		}
	}
	switch fragment = percentDecoded(fragment); {
	case fragment == "":
		return start
	case fragment[0] == '/':
		return start.follow(fragment[1:])
	}
	return c.identified()["#"+fragment]
}

// percentDecoded returns the fragment of a URI without its escapes, as %7B; as it is if
// one is none.
func percentDecoded(fragment string) string {
	var b strings.Builder
	for rest := fragment; ; {
		before, after, found := strings.Cut(rest, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		c, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8)
		if err != nil || len(after) < 2 {
			return fragment
		}
		b.WriteByte(byte(c))
		rest = after[2:]
	}
}

// findByName takes the last part of a reference without a target as the name of a
// definition: schemas cut out of a larger document often refer to where their
// definitions were.
func (c *compiler) findByName(v *value) *value {
	name := v.text[strings.LastIndexAny(v.text, "/#")+1:]
	for _, place := range definitionKeywords {
		if d := c.root.get(place).get(name); d != nil {
			c.report(v, MisdirectedRef, "%q has no target in this schema: read as #/%s/%s", v.text, place, name)
			return d
		}
	}
	return nil
}

var definitionKeywords = [...]string{"$defs", "definitions"}

// follow returns the target of the JSON pointer, given without its first slash,
// relative to v, or nil.
func (v *value) follow(pointer string) *value {
	for more := true; more && v != nil; {
		var token string
		token, pointer, more = strings.Cut(pointer, "/")
		token = pointerUnescaper.Replace(token)
		if v.kind == Array {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v.elements) {
				return nil
			}
			v = v.elements[i]
			continue
		}
		v = v.get(token)
	}
	return v
}

var pointerUnescaper = strings.NewReplacer("~0", "~", "~1", "/")

// identified returns the values with an identifier: $id or id as written, $anchor
// or $dynamicAnchor after "#".
func (c *compiler) identified() map[string]*value {
	if c.ids != nil {
		return c.ids
	}
	c.ids = make(map[string]*value)
	name := func(id string, v *value) {
		if _, taken := c.ids[id]; !taken {
			c.ids[id] = v
		}
	}
	for stack := []*value{c.root}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i := len(v.members) - 1; i >= 0; i-- {
			m := v.members[i]
			switch m.key {
			case "$id", "id":
				if m.value.is(String) {
					id, anchor, _ := strings.Cut(m.value.text, "#")
					if id != "" {
						name(id, v)
					}
					if anchor != "" { // an anchor in drafts 4 to 7
						name("#"+anchor, v)
					}
				}
			case "$anchor", "$dynamicAnchor":
				if m.value.is(String) {
					name("#"+m.value.text, v)
				}
			}
			stack = append(stack, m.value)
		}
		for i := len(v.elements) - 1; i >= 0; i-- {
			stack = append(stack, v.elements[i])
		}
	}
	return c.ids
}

// definitionName returns the name under $defs or definitions, or "#" and the JSON
// pointer of a schema elsewhere.
func definitionName(v, root *value) string {
	if v != root && v.parent != nil {
		for _, place := range definitionKeywords {
			if v.parent.token == place && v.parent.parent != nil {
				return v.token
			}
		}
	}
	return "#" + v.pointer(root)
}
