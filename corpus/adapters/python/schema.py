"""JSON values whose numbers keep their digits, and what a JSON Schema allows at one place."""

import json
import re
from itertools import product

NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
IMPLIED = {"properties": "object", "patternProperties": "object", "required": "object",
           "additionalProperties": "object", "items": "array", "prefixItems": "array"}


class Number:
    """A JSON number: written with the digits it came with, and compared by value."""

    def __init__(self, digits):
        sign, whole, fraction, exponent = NUMBER.fullmatch(digits).groups("")
        significant = (whole + fraction).rstrip("0")
        power = int(exponent[:999] or 0) + len(whole) - len(significant)  # int takes no more digits
        self.digits, self.integral = digits, power >= 0 or not significant
        self.value = (sign, significant.lstrip("0"), power) if significant else 0

    def __eq__(self, other):
        return isinstance(other, Number) and self.value == other.value


TYPES = {type(None): "null", bool: "boolean", Number: "number", str: "string", list: "array",
         dict: "object"}


load = json.JSONDecoder(parse_int=Number, parse_float=Number).decode


def dump(value):
    if isinstance(value, Number):
        return value.digits
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{dump(key)}:{dump(value[key])}" for key in value) + "}"
    return json.dumps(value, ensure_ascii=False)


def fits(value, types):
    name = TYPES[type(value)]
    return name in types or name == "number" and "integer" in types and value.integral


def rank(schema, value):
    """2: the value fits the type and the enum of the schema; 1: the type alone; 0: neither."""
    types = schema.get("type", TYPES.values())
    types = [types] if isinstance(types, str) else types
    listed = schema.get("enum", [schema["const"]] if "const" in schema else [])
    members = [member for member in listed if fits(member, types)]
    if listed and not members:  # the schema is wrong in itself: the enum decides
        members, types = listed, TYPES.values()
    if not fits(value, types):
        return 0
    return 2 if not members or value in members else int(type(value) in map(type, members))


class Way(list):
    """Schemas that hold together, of which only what they say of one value and below it counts."""

    def said(self, keyword):
        return [schema[keyword] for schema in self if keyword in schema]

    def rank(self, value):
        if any(map(self.said, ("type", "enum", "const"))):
            return min(rank(schema, value) for schema in self)
        said = [(word, said) for word in IMPLIED for said in self.said(word)]
        implied = {IMPLIED[word] for word, said in said if isinstance(said, (list, dict))}
        return 2 if not implied or fits(value, implied) else 0

    def closed(self):
        more = self.said("additionalProperties")
        open_to_others = more or self.said("patternProperties")
        return False in more or not open_to_others and bool(self.said("properties"))

    def below(self, key):
        """The schemas of a property, or of the element at an index."""
        if isinstance(key, int):
            lists = [[*s.get("prefixItems", [])[key:key + 1], s.get("items")] for s in self]
            return [schemas[0] for schemas in lists if schemas[0] is not None]
        found = [properties[key] for properties in self.said("properties") if key in properties]
        for patterns in self.said("patternProperties"):
            found += [patterns[pattern] for pattern in patterns if re.search(pattern, key)]
        more = [] if self.closed() else self.said("additionalProperties")
        return found or [schema for schema in more if isinstance(schema, dict)]


class Place:
    """A place in the arguments: what holds there is any one of its ways."""

    def __init__(self, root, *unions):
        self.root = root
        self.ways = [Way(sum(way, [])) for all_of in unions
                     for way in product(*map(self.expand, all_of))]
        self.objects = [way for way in self.ways if way.rank({})]
        names = [name for way in self.objects for some in way.said("properties") for name in some]
        needed = [sum(way.said("required"), []) for way in self.objects]
        needed = [name for name in sum(needed[:1], []) if all(name in some for some in needed)]
        self.declared = dict.fromkeys(names + needed)
        self.required = [name for name in self.declared if name in needed]

    def expand(self, schema, above=()):
        """The ways of one schema: references, allOf, anyOf, oneOf and nullable multiplied out."""
        if not isinstance(schema, dict):
            return [[{"type": []}]] if schema is False else [[]]
        choices = [schema[word] for word in ("anyOf", "oneOf") if word in schema]
        if any(schema is other for other in above):  # a circle: it says nothing new
            return [] if choices else [[]]
        choices += [[one] for one in schema.get("allOf", [])]
        choices += [[self.find(schema[word])] for word in ["$ref"] if word in schema]
        above = (*above, schema)
        choices = [sum((self.expand(one, above) for one in choice), []) for choice in choices]
        ways = [sum(way, [schema]) for way in product(*choices)]
        return ways + [[{"type": "null"}]] if schema.get("nullable") is True else ways

    def find(self, reference):
        """The schema that a JSON pointer leads to."""
        schema = self.root
        for key in reference.split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            schema = schema[int(key)] if isinstance(schema, list) else schema[key]
        return schema

    def rank(self, value):
        return max((way.rank(value) for way in self.ways), default=0)

    def child(self, key):
        """The place of a property, None if that is unknown; or that of an element."""
        index = isinstance(key, int)
        ways = [way for way in self.ways if way.rank([])] if index else self.objects
        unions = [union for union in (way.below(key) for way in ways) if union]
        if unions:
            return Place(self.root, *{tuple(map(id, union)): union for union in unions}.values())
        known = index or key in self.declared or not all(way.closed() for way in ways)
        return ANY if known else None


ANY = Place(True, [])
