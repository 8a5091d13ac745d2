"""JSON values, and what a JSON Schema allows at one place."""

import json
import re

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
WORDS = {"null": None, "true": True, "false": False}


class Number:
    """A JSON number: its digits are kept, and compared by value."""

    def __init__(self, digits):
        self.digits = digits
        number, _, exponent = digits.lower().partition("e")
        whole, _, fraction = number.lstrip("-").partition(".")
        significant = (whole + fraction).rstrip("0")
        power = int(exponent.lstrip("+-").lstrip("0")[:999] or 0)  # no more digits than int takes
        power = (-power if exponent.startswith("-") else power) + len(whole) - len(significant)
        significant = significant.lstrip("0")
        self.value = (number[0] == "-", significant, power) if significant else (False, "", 0)

    def __eq__(self, other):
        return isinstance(other, Number) and self.value == other.value


KINDS = {type(None): "null", bool: "boolean", Number: "number", str: "string", list: "array", dict: "object"}


def dump(value):
    """The value as JSON text, numbers with the digits they came with."""
    if isinstance(value, Number):
        return value.digits
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(dump(key) + ":" + dump(value[key]) for key in value) + "}"
    return json.dumps(value, ensure_ascii=False)


def literal(word):
    """What the word is as a JSON literal: a list of one value, or of none."""
    return [WORDS[word]] if word in WORDS else [Number(word)] if NUMBER.fullmatch(word) else []


def said(node, keyword, otherwise=()):
    """What a node says under a keyword that holds an object or a list."""
    value = node.get(keyword) if isinstance(node, dict) else None
    return value if isinstance(value, (dict, list)) else otherwise


def fits(value, types):
    kind = KINDS[type(value)]
    return kind in types or kind == "number" and "integer" in types and value.value[2] >= 0


def rank(node, value):
    """2: the value fits type and enum of the node; 1: the type alone; 0: neither."""
    types = node.get("type", KINDS.values())
    types = [types] if isinstance(types, str) else types
    if value is None and node.get("nullable") is True:
        return 2
    if "const" not in node and "enum" not in node:
        return 2 if fits(value, types) else 0
    members = [node["const"]] if "const" in node else node["enum"]
    if not any(fits(member, types) for member in members):
        types = KINDS.values()  # the schema is wrong in itself: the enum decides
    if not fits(value, types):
        return 0
    return 2 if value in members else int(any(type(m) is type(value) and fits(m, types) for m in members))


def matches(pattern, key):
    try:
        return re.search(pattern, key) is not None
    except re.error:  # written for another dialect
        return False


def below(node, key):
    """What the node itself says of a property, or of the element at an index: a list of nodes."""
    if isinstance(key, int):
        first = said(node, "prefixItems")
        return [first[key]] if key < len(first) else [node.get("items", True)]
    found = [said(node, "properties")[key]] if key in said(node, "properties") else []
    found += [node["patternProperties"][p] for p in said(node, "patternProperties") if matches(p, key)]
    more = node.get("additionalProperties")
    return found or ([more] if isinstance(more, dict) and key not in said(node, "required") else [])


class Schema:
    """Allows what all of its parts allow and, of each of its choices, any one."""

    def __init__(self, root, nodes, above=(), choices=()):
        self.root, self.parts, self.circular, todo = root, [], False, list(nodes)
        for node in todo:  # which grows meanwhile
            self.circular = self.circular or any(node is other for other in above)  # it allows nothing new
            node = {"enum": []} if node is False else node
            if isinstance(node, dict) and node.get("nullable") is True:
                node = {"anyOf": [{word: node[word] for word in node if word != "nullable"}, {"type": "null"}]}
            if isinstance(node, dict) and not self.circular and not any(node is part for part in self.parts):
                self.parts += [node] if set(node) != {"$ref"} else []
                todo += [*said(node, "allOf"), *([self.find(node["$ref"])] if "$ref" in node else [])]
        unions = [said(part, word) for part in self.parts for word in ("anyOf", "oneOf") if said(part, word)]
        unions = [[Schema(root, [node], (*above, *self.parts)) for node in union] for union in unions]
        self.choices = [*choices, *([one for one in union if not one.circular] for union in unions)]
        objects = [[one for one in choice if one.rank({})] for choice in self.choices]
        self.objects = [choice for choice in objects if choice]  # what is said of the members of an object
        self.required = [name for part in self.parts for name in said(part, "required")]
        order = list(dict.fromkeys(name for part in self.parts for name in said(part, "properties")))
        self.required.sort(key=lambda name: order.index(name) if name in order else len(order))
        for first, *rest in self.objects:
            self.required += [name for name in first.required if all(name in one.required for one in rest)]
        names = [name for part in self.parts for name in said(part, "properties")]
        self.properties = set(names).union(*(one.properties for choice in self.objects for one in choice))
        self.declared = self.properties | set(self.required)
        words = {word for part in self.parts for word in part}
        self.closed = "properties" in words and not words & {"additionalProperties", "patternProperties"}
        self.closed |= any(part.get("additionalProperties") is False for part in self.parts)
        self.closed |= any(all(one.closed for one in choice) for choice in self.objects)

    def find(self, ref):
        """The node that a JSON pointer leads to; true where it leads nowhere."""
        node = self.root
        for key in (key.replace("~1", "/").replace("~0", "~") for key in ref.split("/")[1:]):
            node = dict(enumerate(node)).get(int(key)) if isinstance(node, list) else said(node, key, True)
        return node

    def rank(self, value):
        ranks = [rank(part, value) for part in self.parts]
        return min(ranks + [max((one.rank(value) for one in c), default=2) for c in self.choices], default=2)

    def child(self, key):
        """The schema of an element or of a property; None for an unknown one."""
        nodes, choices = [node for part in self.parts for node in below(part, key)], []
        for choice in self.choices if isinstance(key, int) else self.objects:
            ways = [way for way in (one.child(key) for one in choice) if way and way.parts + way.choices]
            choices.append(list({tuple(map(id, way.parts)): way for way in ways}.values()))  # each once
        known = nodes or isinstance(key, int) or key in self.declared or not self.closed
        return Schema(self.root, nodes, (), filter(None, choices)) if known else None

    def run(self, keys):
        """How many of a path's keys, joined by dots, are one declared property; or else one."""
        return next((n for n in range(len(keys), 1, -1) if ".".join(keys[:n]) in self.declared), 1)
