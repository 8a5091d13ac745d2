package sig

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
)

// resolve returns the schema that the reference in v leads to, or nil. All
// references are resolved within the tool's schema; nothing is fetched.
func (c *compiler) resolve(v *value) *schema {
	ref := v.text
	if decoded, err := url.PathUnescape(ref); err == nil {
		ref = decoded
	}
	target, known := c.targets[ref]
	if !known {
		target = c.find(ref)
		if target == nil {
			target = c.findByName(v, ref)
		}
		c.targets[ref] = target
	}
	if target == nil {
		c.report(v, "unresolved-ref", "%q has no target in this schema: untyped", v.text)
		return nil
	}
	s := c.schemaAt(target)
	s.name = cmp.Or(s.name, ref[strings.LastIndexAny(ref, "/#.")+1:])
	return s
}

// find follows a reference: an optional base, which is an identifier, and after
// "#" a JSON pointer or an anchor.
func (c *compiler) find(ref string) *value {
	base, fragment, _ := strings.Cut(ref, "#")
	start := c.root
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
// id as written, $anchor or $dynamicAnchor after "#", and reports repeated keys.
func (c *compiler) survey(v *value) {
	identify := func(id string) {
		if c.ids[id] == nil && strings.Trim(id, "#") != "" {
			c.ids[id] = v
		}
	}
	for _, b := range v.below {
		switch text := b.str(); b.token {
		case "$id", "id":
			id, anchor, _ := strings.Cut(text, "#")
			identify(id)
			identify("#" + anchor) // an anchor in drafts 4 to 7
		case "$anchor", "$dynamicAnchor":
			identify("#" + text)
		}
		if b.repeated {
			c.report(b, "repeated-key", "the key %q is repeated: the last value counts", b.token)
		}
		c.survey(b)
	}
}
