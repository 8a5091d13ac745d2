"""One call, read by recursive descent: a name and arguments, or a fault and its damage."""
import re

from schema import decode

OPEN, CLOSE = b'<call>', b'</call>'
START = re.compile(rb'%b[ \t\r\n]*(?=[A-Za-z_$@{\[\x80-\xFF])|\Z' % OPEN)  # or the end
STRING = rb'"[^"\\]*(?:\\.?[^"\\]*)*("?)'  # no second quote where the input ends
STRINGS = {quote: re.compile(STRING.replace(b'"', quote), re.S) for quote in (b'"', b"'")}
DAMAGE = re.compile(b'(%b)|(%b)|(?<=[ \t\r\n=[{(,:])(?:%b|%b)' % (
    CLOSE, START.pattern, STRINGS[b'"'].pattern, STRINGS[b"'"].pattern), re.S)
# What can be taken at a place, which may be nothing. A bare value ends before a tag, cut or whole.
BARE = rb'[^%b]*?(?=[%b]|</?(?:call>|(?:c(?:al?l?)?)?\Z)|\Z)'
WORD, ITEM = (re.compile(BARE % (ends, ends)) for ends in (rb' \t\r\n', rb'\r\n,\]}'))
NOTHING, SPACE, NAME, KEY, MEMBER_KEY, SIGN, COLON, COMMA = map(re.compile, (
    b'', rb'[ \t\r\n]*', rb'(?:[A-Za-z_$@\x80-\xFF][A-Za-z0-9_$@./:\x80-\xFF-]*)?',
    rb'[^\0-\x20\x7F=.<>"\'\[\]{},]*', rb'[^\0-\x20\x7F=.<>"\'\[\]{},:]*',
    b'[.=]?', rb'(?::[ \t\r\n]*)?', b',?'))
ESCAPE = re.compile(r'\\(["\'\\/bfnrt]|u(?![dD][89a-fA-F])X{4}|'
                    r'u[dD][89abAB]X{2}\\u[dD][c-fC-F]X{2})|\\.'.replace('X', '[0-9a-fA-F]'), re.S)
LITERAL = re.compile(r'null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?')
BRACKETS = {b'[': (b']', []), b'{': (b'}', {})}  # with the least value of the kind

class Fault(Exception):
    """A code, an offset, and where skipping begins if that is elsewhere."""

def unescape(unit):
    plain = {None: unit[0], "'": "'"}  # a backslash that begins no escape is literal
    return plain.get(unit[1]) or decode(f'"{unit[0]}"')

class Call:
    """The call at an opener. No token is read beyond the wall, and no byte there looked at."""
    def __init__(self, data, at, wall, accepted_end, find_tool, limits):
        self.data, self.at, self.wall, self.accepted_end = data, at, wall, accepted_end
        self.limits, self.notes = limits, []
        self.groups = {}  # the objects that paths began; none in a JSON body, which is exact
        try:
            self.read(find_tool)
        except Fault as fault:
            self.notes.insert(0, (*fault.args[:2], None))
            self.at = fault.args[-1]
        for token in DAMAGE.finditer(data, self.at):  # where nothing is damaged, the closing tag
            self.at, self.closed = token.end() if token[1] else token.start(), bool(token[1])
            if self.closed or token[2] and len(token[2]) < limits['bytes']:
                break

    def note(self, code, at, place=None):
        """Notes an issue of the place, or else a fault after which reading goes on."""
        self.notes.append((code, at, place and place.path))
    def here(self, skipped=NOTHING, size=1):
        """The bytes that decide what comes next."""
        self.take(skipped)
        if self.at >= self.wall[1]:
            raise Fault(*self.wall)
        return self.data[self.at:self.at + size]
    def take(self, pattern, code=None):
        token = pattern.match(self.data, self.at, self.wall[1])
        if code and not token[0] and self.here():
            raise Fault(code, self.at)
        self.at = token.end()
        return token[0].decode(errors='replace')
    def ends(self):
        """Whether the closing tag comes next, or the input ends and is allowed to."""
        self.take(SPACE)
        tag = CLOSE if self.at == self.accepted_end else self.here(size=len(CLOSE))
        if tag != CLOSE and CLOSE.startswith(tag):
            raise Fault(*self.wall, self.at)  # the input cuts the tag
        return tag == CLOSE

    def read(self, find_tool):
        begin, count = self.at, 0
        self.name = self.take(NAME, 'expected-name')
        most = begin + self.limits['name']  # a byte there is too much, even if it isn't UTF-8
        if NAME.match(self.data, begin, most + 1).end() > most:
            if (most, 'invalid-utf8') <= self.wall[::-1]:
                raise Fault('name-too-long', most)
        if not self.take(SPACE) and not self.ends() and self.here() != b'{':
            raise Fault('bad-name', self.at)
        place = find_tool(self.name)
        if place.unknown:
            self.note('unknown-tool', begin)
        exact = not self.ends() and self.here() == b'{'
        self.arguments = self.brackets(place, 0) if exact else {}
        self.groups = {} if exact else {(): (self.arguments, place)}
        while not self.ends():
            if exact or self.data[self.at - 1] not in b' \t\r\n':
                raise Fault('expected-close' if exact else 'expected-space', self.at)
            count += 1
            self.argument(count)
        if self.at != self.accepted_end and self.at + len(CLOSE) > self.wall[1]:
            raise Fault(*self.wall, self.at)
        for group in self.groups.values():
            self.missing(*group)

    def argument(self, count):
        """A path and a value. The path may lead on from objects that earlier paths began."""
        begin, keys, path, sign = self.at, [], (), '.'
        while sign == '.':
            if len(keys) > self.limits['depth']:
                raise Fault('too-deep', self.at - 1)
            keys.append(self.take(KEY, 'expected-key'))
            sign = self.take(SIGN, 'expected-equals')
        if count > self.limits['arguments']:
            self.note('too-many-arguments', begin)
        level = len(keys)
        while keys:
            members, outer = self.groups[path]
            runs = ('.'.join(keys[:length]) for length in range(len(keys), 0, -1))
            key = next((run for run in runs if run in outer.declared), keys[0])
            keys, place, path = keys[key.count('.') + 1:], outer.below(key), (*path, key)
            if keys and path in self.groups:
                continue
            self.enter(members, key, begin, place, keys or path in self.groups)
            if keys and not place.rank({}):
                self.note('type-mismatch', begin, place)
            members[key] = {} if keys else self.value(place, level, WORD)
            if keys:
                self.groups[path] = members[key], place

    def enter(self, members, key, at, place, conflict=False):
        if key in members:
            self.note('path-conflict' if conflict else 'duplicate-key', at)
        elif place.unknown:
            self.note('unknown-argument', at, place)
    def missing(self, members, place):
        for key, required in place.declared.items():
            if not required or key in members:
                continue
            if place.below(key).optional:
                members[key] = None
            else:
                self.note('missing-argument', self.at, place.below(key))

    def value(self, place, level, bare=ITEM):
        begin, first = self.at, self.data[self.at:self.at + 1]
        if first in BRACKETS:
            return self.brackets(place, level)
        if first in STRINGS:
            readings = [self.string(place)]
        else:
            word = self.bare(bare)
            literal = decode(word) if LITERAL.fullmatch(word) else word
            readings = [literal, word] if self.groups else [literal]
            if word.count('"') % 2 or word.count("'") % 2 and re.search(r"[=\[{(,:]'", word):
                self.note('open-quote', begin, place)
        best = max(readings, key=place.rank)
        if place.rank(best) < 2:
            self.note(('type-mismatch', 'not-in-enum')[place.rank(best)], begin, place)
        return best

    def bare(self, pattern):
        word = self.take(pattern).rstrip(' \t')
        if pattern is WORD and self.at == self.accepted_end:
            return word
        if self.here() == b'<' and not self.data.startswith(CLOSE, self.at):
            nested = self.data.startswith(OPEN, self.at)  # or else a tag that the input cuts
            raise Fault(*('nested-call', self.at) if nested else self.wall, self.at)
        if pattern is ITEM and not word:
            raise Fault('expected-value', self.at)
        return word

    def string(self, place, is_key=False):
        begin, pattern = self.at, STRINGS[self.here()]
        if not pattern.match(self.data, begin, self.wall[1])[1]:
            raise Fault(*self.wall, pattern.match(self.data, begin).end())
        escaped = self.take(pattern)[1:-1]
        text, escapes = ESCAPE.sub(unescape, escaped), set(ESCAPE.findall(escaped))
        if '' in escapes and escapes & {'"', "'"}:
            self.note('ambiguous-escape', begin, place.below(text) if is_key else place)
        return text

    def brackets(self, place, level):
        """An array or an object; the keys of an array are its indices."""
        begin, members, (close, empty) = self.at, {}, BRACKETS[self.here()]
        if level > self.limits['depth']:
            raise Fault('too-deep', begin)
        if not place.rank(empty):
            self.note('type-mismatch', begin, place)
        self.at += 1
        while self.here(SPACE) != close:
            key = len(members) if close == b']' else self.member_key(members, place, level)
            members[key] = self.value(place.below(key), level + 1)
            if self.here(SPACE) != close:
                self.take(COMMA, 'expected-comma')
        result = [*members.values()] if close == b']' else members
        if place.rank(result) == 1:
            self.note('not-in-enum', begin, place)
        if close == b'}':
            self.missing(members, place)
        self.at += 1
        return result

    def member_key(self, members, place, level):
        begin, quoted, before = self.at, self.here() in STRINGS, len(self.notes)
        key = self.string(place, is_key=True) if quoted else self.take(MEMBER_KEY, 'expected-key')
        try:
            self.here(SPACE)
            self.take(COLON, 'expected-colon')
        except Fault:
            del self.notes[before:]  # an issue of a key counts once its colon is read
            raise
        if level == 0 and len(members) == self.limits['arguments']:
            self.note('too-many-arguments', begin)
        self.enter(members, key, begin, place.below(key))
        return key
