"""What JSON Schemas allow at the place of a value."""
import decimal
import json
import re
from functools import cached_property
from itertools import chain, product
from urllib.parse import unquote

IMPLIED = {'properties': 'object', 'required': 'object', 'patternProperties': 'object',
           'additionalProperties': 'object', 'items': 'array', 'prefixItems': 'array'}
EXACT = decimal.Context(decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[])

class Number:
    """The digits as they are written, and their exact value."""
    def __init__(self, digits):
        self.digits, self.value = digits, EXACT.create_decimal(digits)
    def __eq__(self, other):
        return isinstance(other, Number) and self.value == other.value

TYPES = {'null': type(None), 'boolean': bool, 'integer': Number, 'number': Number,
         'string': str, 'array': list, 'object': dict}
PROBES = None, True, Number('1'), Number('1.5'), '', [], {}
decode = json.JSONDecoder(parse_int=Number, parse_float=Number).decode

def fits(value, names):
    return any(name in names for name, kind in TYPES.items() if isinstance(value, kind)
               and (name != 'integer' or value.value == value.value.to_integral_value()))

def members_of(schema):
    return [schema['const']] if 'const' in schema else schema.get('enum')

def rank(schema, value):
    """2 if one schema by itself allows the value, 1 if its type alone, 0 if neither."""
    types, members = schema.get('type', TYPES), members_of(schema)
    fitting = [member for member in members or () if fits(member, types)]  # if none, all count
    if members is None or fitting and not fits(value, types):
        return 2 * fits(value, types)
    alike = any(isinstance(value, type(member)) for member in fitting or members)
    return 2 if value in members else int(alike)

def follow(reference, place):
    for step in unquote(reference).split('/')[1:]:
        step = step.replace('~1', '/').replace('~0', '~')
        if isinstance(place, list):
            place = dict(zip(map(str, range(len(place))), place))
        place = place.get(step) if isinstance(place, dict) else None
    return place

def matches(pattern, name):
    try:
        return re.search(pattern, name)
    except re.error:
        return True

def alternatives(schema, root, outer=()):
    """The alternatives that a schema leaves, each a list of schemas that hold together."""
    if not isinstance(schema, dict) or any(schema is other for other in outer):
        return [[]] * (schema is not False)
    choices = [[part] for part in schema.get('allOf', ())]
    choices += [[follow(schema[word], root)] for word in schema if word == '$ref']
    choices += [schema[word] for word in schema if word in ('anyOf', 'oneOf')]
    inner = (*outer, schema)
    each = [chain(*(alternatives(part, root, inner) for part in choice)) for choice in choices]
    null = [[{'type': 'null'}]] * (schema.get('nullable') is True)
    return [[schema, *chain(*parts)] for parts in product(*each)] + null

def with_implied(way):
    """Where schemas name no type, their keywords imply one; enums have members in common."""
    enums = [members for members in map(members_of, way) if members is not None]
    if len(enums) > 1:
        way = [*way, {'enum': [each for each in enums[0] if all(each in other for other in enums)]}]
    implied = [IMPLIED[word] for schema in way for word in schema.keys() & IMPLIED.keys()
               if word != 'additionalProperties' or isinstance(schema[word], dict)]
    named = any(schema.keys() & {'type', 'enum', 'const'} for schema in way)
    return way if named or not implied else [*way, {'type': implied}]

def closes(way):
    words = set(chain(*way))
    listing = 'properties' in words and not words & {'additionalProperties', 'patternProperties'}
    return listing or any(schema.get('additionalProperties') is False for schema in way)

def below(schema, step):
    """The schemas that a schema has for an element or a property."""
    if isinstance(step, int):
        said, rest = schema.get('prefixItems', [])[step:step + 1], schema.get('items')
    else:
        said = [part for key, part in schema.get('properties', {}).items() if key == step]
        patterns = schema.get('patternProperties', {})
        said += [patterns[pattern] for pattern in patterns if matches(pattern, step)]
        rest = schema.get('additionalProperties') or None  # false closes, and adds nothing
    return said or [rest] * (rest not in (None, True))

class Place:
    """The place of a value: its path, and the alternatives of schemas that apply there."""
    def __init__(self, schema, root, path='', unknown=False):
        self.root, self.path, self.unknown = root, path[:1002], unknown  # longer paths are cut
        self.ways = [with_implied(way) for way in alternatives(schema, root)]
    def rank(self, value):
        return max([min([rank(schema, value) for schema in way] + [2]) for way in self.ways] + [0])
    def allowing(self, probe):
        return [way for way in self.ways if all(rank(schema, probe) for schema in way)]

    @property
    def optional(self):
        """Whether null is allowed besides other values, but not every value."""
        if self.rank(None) < 2:
            return False
        return 1 < sum(self.rank(value) > 0 for value in PROBES) < len(PROBES)

    @cached_property
    def declared(self):
        """The properties that are listed or required, and whether they are required."""
        ways = self.allowing({})
        lists = [[key for schema in way for key in schema.get('required', ())] for way in ways]
        required = [key for key in chain(*lists[:1]) if all(key in names for names in lists)]
        listed = [key for schema in chain(*ways) for key in schema.get('properties', ())]
        return {key: key in required for key in listed + required}

    def below(self, step):
        """The place of an element or a property, which may be unknown."""
        is_key = isinstance(step, str)
        ways = self.allowing({} if is_key else [])
        said = [[part for schema in way for part in below(schema, step)] for way in ways]
        parts = [{'allOf': schemas} for schemas in said if schemas]
        closed = is_key and ways and all(closes(way) for way in ways)
        unknown = closed and not parts and step not in self.declared
        path = self.path + (f'.{step}' if is_key else f'[{step}]')
        return Place({'anyOf': parts} if parts else True, self.root, path, unknown)
