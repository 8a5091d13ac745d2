"""JSON values, what a JSON Schema allows, and the typing of what a call says."""

import json
import re

ALL = frozenset("null boolean number string array object".split())
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")


class Number:
    """A JSON number by its digits."""

    def __init__(self, text):
        self.text = text

    def value(self):
        """Sign, digits without zeros at the ends, and exponent."""
        number, _, exponent = self.text.lower().partition("e")
        whole, _, fraction = number.lstrip("-").partition(".")
        digits = (whole + fraction).lstrip("0")
        short = digits.rstrip("0")
        scale = int(exponent or 0) - len(fraction) + len(digits) - len(short)
        return (number[0] == "-", short, scale) if short else (False, "", 0)

    def __eq__(self, other):
        return isinstance(other, Number) and self.value() == other.value()


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def dump(v):
    if isinstance(v, Number):
        return v.text
    if isinstance(v, list):
        return "[" + ",".join(map(dump, v)) + "]"
    if isinstance(v, dict):
        return "{" + ",".join(dump(k) + ":" + dump(x) for k, x in v.items()) + "}"
    return json.dumps(v, ensure_ascii=False)


class Schema:
    """What a JSON Schema allows: alternatives of types and perhaps an enum."""

    def __init__(self, node=True, root=None, deep=0):
        self.forms, self.root = [(ALL, None)], node if root is None else root
        self.properties, self.patterns, self.required = {}, {}, []
        self.items, self.more, self.closed, self.deep = None, None, False, deep
        if isinstance(node, dict) and deep < 32:
            self.load(node)

    @staticmethod
    def of(node):
        return Schema(True if node is None else node)

    def sub(self, node):
        return Schema(node, self.root, self.deep + 1)

    def load(self, node):
        types = node.get("type")
        if types is not None:
            self.narrow([(frozenset([types] if isinstance(types, str) else types), None)])
        members = [node["const"]] if "const" in node else node.get("enum")
        if members is not None:
            if node.get("nullable") is True:
                members = members + [None]
            kinds = frozenset(kind for kind in ALL if any(fits(m, (kind,)) for m in members))
            self.forms = [(t & kinds or kinds, members) for t, _ in self.forms]
        if node.get("nullable") is True:
            self.forms = [(t | {"null"}, e) for t, e in self.forms]
        self.properties = dict(node.get("properties", {}))
        self.closed = "properties" in node
        self.patterns = dict(node.get("patternProperties", {}))
        self.required = list(node.get("required", []))
        self.items = node.get("items")
        self.more = node.get("additionalProperties")
        if "$ref" in node:
            self.merge([self.sub(self.find(node["$ref"]))])
        for part in node.get("allOf", []):
            self.merge([self.sub(part)])
        for word in ("anyOf", "oneOf"):
            if node.get(word):
                self.merge([self.sub(part) for part in node[word]], False)

    def find(self, ref):
        node = self.root
        for part in ref.lstrip("#").split("/")[1:]:
            node = node.get(part.replace("~1", "/").replace("~0", "~"), True) if isinstance(node, dict) else True
        return node

    def narrow(self, forms):
        both = []
        for a, x in self.forms:
            for b, y in forms:
                types = a & b | ({"integer"} if "integer" in a | b and "number" in a | b else set())
                enum = y if x is None else x if y is None else [v for v in x if any(same(v, w) for w in y)]
                if types:
                    both.append((types, enum))
        self.forms = both or self.forms

    def merge(self, others, every=True):
        self.narrow([form for other in others for form in other.forms])
        for other in others:
            for name, node in other.properties.items():
                mine = self.properties.get(name)
                word = "allOf" if every else "anyOf"
                self.properties[name] = node if mine is None or mine == node else {word: [mine, node]}
            self.patterns.update(other.patterns)
            self.required += [r for r in other.required if every and r not in self.required]
            self.items = other.items if self.items is None else self.items
            self.more = other.more if self.more is None else self.more
            self.closed = self.closed or other.closed

    def types(self):
        return frozenset().union(*(t for t, _ in self.forms))

    def silent(self):
        return any(t >= ALL and e is None for t, e in self.forms)

    def rank(self, v):
        best = 0
        for types, enum in self.forms:
            if fits(v, types):
                best = max(best, 2 if enum is None or any(same(v, e) for e in enum) else 1)
        return best

    def child(self, key):
        """The schema of a property, or None for one that is unknown."""
        if key in self.properties:
            return self.sub(self.properties[key])
        for pattern, node in self.patterns.items():
            if re.search(pattern, key):
                return self.sub(node)
        if self.more is False or self.more is None and self.closed and not self.patterns:
            return self.sub(True) if key in self.required else None
        return self.sub(True if self.more is None else self.more)

    def resolve(self, keys):
        """Joins the segments of a path where a dotted property is declared."""
        schema, out = self, []
        while keys:
            n = next((n for n in range(len(keys), 1, -1) if ".".join(keys[:n]) in schema.properties), 1)
            out.append(".".join(keys[:n]))
            keys, schema = keys[n:], schema.child(out[-1]) or Schema()
        return out


def fits(v, types):
    if v is None:
        return "null" in types
    if isinstance(v, bool):
        return "boolean" in types
    if isinstance(v, Number):
        return "number" in types or "integer" in types and v.value()[2] >= 0
    return {str: "string", list: "array", dict: "object"}[type(v)] in types


WORDS = {"null": None, "true": True, "false": False}


def literal(word):
    """The values that a word has as a JSON literal: one or none."""
    return [WORDS[word]] if word in WORDS else [Number(word)] if NUMBER.match(word) else []


class Typing:
    """Turns what a call says into JSON, and collects the issues."""

    def __init__(self, call):
        self.call, self.issues, self.unknown = call, [], set()

    def issue(self, code, path, at):
        self.issues.append((code, path, at))

    def arguments(self):
        out, groups = {}, {(): self.call.schema}
        for keys, at, issue, value in self.call.entries:
            here, path, schema = out, "", self.call.schema
            for n, key in enumerate(keys):
                path += ("." if path else "") + key
                schema = self.member(schema, key, path, at)
                if n < len(keys) - 1:
                    if tuple(keys[:n + 1]) not in groups and not schema.rank({}):
                        self.issue("type-mismatch", path, at)
                    groups.setdefault(tuple(keys[:n + 1]), schema)
                    here = here.setdefault(key, {})
            if issue:
                self.issue(issue, path, at)
            here[keys[-1]] = self.value(value, schema, path, self.call.body)
        return out, groups

    def finish(self, out, groups):
        """What is missing, once the call is known to be complete."""
        end = self.call.close_at
        if self.call.body:
            end = self.call.text.rfind(b"}", 0, end)
        for keys, schema in groups.items():
            here = out
            for key in keys:
                here = here[key]
            self.missing(schema, here, ".".join(keys), end)

    def member(self, schema, key, path, at):
        child = schema.child(key)
        if child is None and path not in self.unknown:
            self.unknown.add(path)
            self.issue("unknown-argument", path, at)
        return child or Schema()

    def missing(self, schema, have, path, at):
        for name in schema.required:
            if name not in have:
                self.issue("missing-argument", (path + "." if path else "") + name, at)

    def value(self, v, schema, path, exact):
        if v.issue:
            self.issue(v.issue, path, v.at)
        if v.kind in ("bare", "string"):
            return self.scalar(v, schema, path, exact)
        allowed, mark = schema, len(self.issues)
        if v.kind not in schema.types():
            schema = Schema()
        if v.kind == "array":
            items = schema.sub(True if schema.items is None else schema.items)
            out = [self.value(x, items, f"{path}[{i}]", exact) for i, x in enumerate(v.content)]
        else:
            out = {}
            for (key,), at, issue, x in v.content:
                inner = path + "." + key
                child = self.member(schema, key, inner, at)
                if issue:
                    self.issue(issue, inner, at)
                out[key] = self.value(x, child, inner, exact)
            self.missing(schema, out, path, v.end - 1)
        inner, self.issues = self.issues[mark:], self.issues[:mark]
        self.check(out, allowed, path, v.at)
        self.issues += inner
        return out

    def check(self, v, schema, path, at):
        rank = schema.rank(v)
        if rank < 2:
            self.issue("not-in-enum" if rank else "type-mismatch", path, at)
        return v

    def scalar(self, v, schema, path, exact):
        word, bare = v.content, v.kind == "bare"
        if exact or schema.silent():
            plain = (literal(word) + [word])[0] if bare else word
            return self.check(plain, schema, path, v.at)
        readings = literal(word) + [word] if bare else [word] + literal(word)
        best = max(readings, key=schema.rank)  # the first of the best
        if not schema.rank(best):
            best = readings[0] if bare else word
        elif not bare and best is not word:
            self.issue("coerced", path, v.at)
        return self.check(best, schema, path, v.at)
