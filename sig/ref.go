package sig

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
)

// reference is the text of a reference within a schema with an identifier, or nil.
type reference struct {
	base *value
	text string
}

// resolve returns the schema that the reference in v leads to, or nil. All
// references are resolved within the tool's schema; nothing is fetched.
func (c *compiler) resolve(v *value) *schema {
	ref := v.text
	if decoded, err := url.PathUnescape(ref); err == nil {
		ref = decoded
	}
	key := reference{c.bases[v], ref}
	target, known := c.targets[key]
	if !known {
		target = cmp.Or(c.find(key.base, ref), c.find(c.root, ref))
		if target == nil {
			target = c.findByName(v, ref)
		}
		c.targets[key] = target
	}
	if target == nil {
		c.report(v, "unresolved-ref", "%q has no target in this schema: untyped", v.text)
		return nil
	}
	s := c.schemaAt(target)
	s.name = cmp.Or(s.name, ref[strings.LastIndexAny(ref, "/#.")+1:])
	return s
}

// find follows a reference in a schema that begins at start: an optional base, which is an
// identifier, and after "#" a JSON pointer or an anchor.
func (c *compiler) find(start *value, ref string) *value {
	base, fragment, _ := strings.Cut(ref, "#")
	if base != "" {
		start = c.ids[base]
	}
	pointer, isPointer := strings.CutPrefix(fragment, "/")
	switch {
	case start == nil || fragment == "":
		return start
	case isPointer:
		return start.follow(pointer)
	}
	return c.ids["#"+fragment]
}

// findByName takes the last part of a reference without a target as the name of a
// definition: schemas cut out of a larger document often refer to where their
// definitions were.
func (c *compiler) findByName(v *value, ref string) *value {
	name := ref[strings.LastIndexAny(ref, "/#")+1:]
	for _, place := range [...]string{"$defs", "definitions"} {
		if d := c.root.get(place).get(name); d != nil {
			c.report(v, "misdirected-ref",
				"%q has no target in this schema: read as #/%s/%s", v.text, place, name)
			return d
		}
	}
	return nil
}

// follow returns the target of the JSON pointer, given without its first slash,
// relative to v, or nil.
func (v *value) follow(pointer string) *value {
	for _, token := range strings.Split(pointer, "/") {
		token = pointerUnescaper.Replace(token)
		if !v.is(Array) {
			v = v.get(token)
			continue
		}
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v.below) {
			return nil
		}
		v = v.below[i]
	}
	return v
}

var pointerUnescaper = strings.NewReplacer("~0", "~", "~1", "/")

// survey prepares for compiling the schema v: it collects the values with an identifier, $id or
// id as written, $anchor or $dynamicAnchor after "#", and the references in them, and reports
// repeated keys. base is the value with an identifier around v, if that is not the root.
func (c *compiler) survey(v, base *value) {
	isLiteral := v.parent.is(Array) && v.parent.token == "enum"
	identify := func(id string) {
		if c.ids[id] == nil && strings.Trim(id, "#") != "" && !isLiteral {
			c.ids[id] = v
		}
	}
	id := cmp.Or(v.get("$id").str(), v.get("id").str())
	if v != c.root && id != "" && id[0] != '#' {
		base = v
	}
	for _, b := range v.below {
		switch text := b.str(); b.token {
		case "$id", "id":
			id, anchor, _ := strings.Cut(text, "#")
			identify(id)
			identify("#" + anchor) // an anchor in drafts 4 to 7
		case "$anchor", "$dynamicAnchor":
			identify("#" + text)
		case "$ref", "$dynamicRef", "$recursiveRef":
			if base != nil {
				c.bases[b] = base
			}
		}
		if b.repeated {
			c.report(b, "repeated-key", "the key %q is repeated: the last value counts", b.token)
		}
		c.survey(b, base)
	}
}
