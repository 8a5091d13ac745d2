"""Reads one call, by recursive descent: what it says, or the first thing that is wrong with it."""

import json
import re

from schema import ANY, load

OPEN, CLOSE = b"<call>", b"</call>"
HALVES = tuple(tag[:n] for tag in (OPEN, CLOSE) for n in range(1, len(tag)))
SPACE = re.compile(rb"[ \t\r\n]*")
NAME = re.compile(rb"[A-Za-z0-9_$@\-./:\x80-\xff]*")  # its first byte was looked at with the opener
KEY = re.compile(rb"""[^\x00- \x7f=.<>"'\[\]{},]*""")
MEMBER = re.compile(rb"""[^\x00- \x7f=.<>"'\[\]{},:]*""")
EQUALS, BRACKET = re.compile(rb"=?"), re.compile(rb"[\[{][ \t\r\n]*")
COLON, COMMA = re.compile(rb"(?::[ \t\r\n]*)?"), re.compile(rb"(?:,[ \t\r\n]*)?")
WORD = re.compile(rb"(?:[^ \t\r\n<]+|<(?!/?call>))*")
ITEM = re.compile(rb"(?:[^\r\n,\]}<]+|<(?!/?call>))*")
STRING = re.compile(rb""""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'""", re.DOTALL)
PAIR = r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPE = re.compile(r"""\\(?:["'\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|%s)?""" % PAIR)
NOT_JSON = {"\\": "\\", "\\'": "'"}  # a backslash that begins no escape, and the escape of our own
LITERAL = re.compile(r"null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class Fault(Exception):
    """The call is malformed: the code, the offset, and where skipping begins."""


class Group(dict):
    """An object that paths began, and that later ones may come back to."""

    def __init__(self, place, path, groups):
        self.place, self.path = place, path
        groups.append(self)


class Call:
    """The call at byte i. From the horizon on no byte can be read, whatever it is."""

    def __init__(self, text, i, ill_formed, tools, limits, may_end):
        self.text, self.i, self.tools, self.limits = text, i + len(OPEN), tools, limits
        self.stop, end = i + limits["bytes"], len(text)
        self.horizon, _, self.beyond = min((end, 0, "unterminated-call"),
                                           (self.stop, 1, "call-too-long"),
                                           (ill_formed, 2, "invalid-utf8"))
        self.may_end = may_end and self.horizon == end < ill_formed and not text.endswith(HALVES)
        self.depth, self.count, self.groups, self.exact = 0, 0, [], False
        self.notes = []  # issues, and faults of meaning, which have no path: (offset, code, path)

    def read(self):
        """Reads to the end of the call, over its close tag."""
        self.take(SPACE)
        self.need(self.peek() not in b"{[", "expected-name")
        begin, over = self.i, self.i + self.limits["name"]
        if over < self.stop and over <= self.horizon and NAME.match(self.text, begin).end() > over:
            raise Fault("name-too-long", over, over)
        self.name = self.take(NAME)
        self.need(self.closes() or self.peek() in b" \t\r\n{", "bad-name")
        place = ANY if self.tools is None else self.tools.get(self.name)
        place = self.check(place, "unknown-tool", begin) or ANY
        self.take(SPACE)
        if not self.closes() and self.peek() == b"{":
            self.exact, self.depth = True, -1  # nothing is retyped, and the arguments are no level
            self.input = self.brackets(place, "")
            self.take(SPACE)
            self.need(self.closes(), "expected-close")
        else:
            self.input = Group(place, "", self.groups)
            while not self.closes():
                self.argument()
                self.need(self.closes() or self.take(SPACE), "expected-space")
            for group in self.groups:
                self.complete(group, group.place, group.path)
        if self.i < len(self.text):
            if self.i + len(CLOSE) > self.stop:
                raise Fault(self.beyond, self.stop, self.i)
            self.i += len(CLOSE)

    def need(self, truth, code):
        if not truth:
            raise Fault(code, self.i, self.i)

    def peek(self):
        if self.i >= self.horizon:
            raise Fault(self.beyond, self.horizon, self.horizon)
        return self.text[self.i:self.i + 1]

    def take(self, pattern, code=None):
        """Takes what matches, up to the horizon; with a code that must be something."""
        begin, self.i = self.i, min(pattern.match(self.text, self.i).end(), self.horizon)
        self.need(not code or self.i > begin or not self.peek(), code)
        return self.text[begin:self.i].decode(errors="ignore")  # cut only where a fault follows

    def closes(self):
        """Is here the close tag, or the end of the input where that will do?"""
        if self.may_end and self.i == len(self.text):
            return True
        self.peek()
        tag = self.text[self.i:self.i + len(CLOSE)]
        if len(tag) < len(CLOSE) and CLOSE.startswith(tag):
            raise Fault(self.beyond, self.horizon, self.i)
        return tag == CLOSE

    def check(self, truth, code, at, path=None):
        """Notes the code of what is not so, if it is not; reading goes on."""
        if not truth and (path is None or len(self.notes) < 1000):
            short = path and path.encode()[:1000].decode(errors="ignore")
            self.notes.append((at, code, path if path == short else short + "…"))
        return truth

    def fits(self, value, place, at, path, least=2):
        rank = place.rank(value)
        return self.check(rank >= least, "not-in-enum" if rank else "type-mismatch", at, path)

    def complete(self, have, place, path):
        for name in place.required:
            self.check(name in have, "missing-argument", self.i, join(path, name))

    def argument(self):
        begin, keys = self.i, [self.take(KEY, "expected-key")]
        while self.peek() == b".":
            self.need(len(keys) <= self.limits["depth"], "too-deep")
            self.i += 1
            keys.append(self.take(KEY, "expected-key"))
        self.take(EQUALS, "expected-equals")
        self.count += 1
        self.check(self.count <= self.limits["arguments"], "too-many-arguments", begin)
        group, key, place, path = self.locate(self.input, keys, begin)
        self.depth = len(keys) - 1
        group[key] = self.value(place, path, WORD)
        self.depth = 0

    def locate(self, group, keys, at):
        """Where the value of a path belongs: an object, the key in it, its place and its path."""
        joined = [".".join(keys[:n]) for n in range(len(keys), 0, -1)]
        key = next((key for key in joined if key in group.place.declared), keys[0])
        keys = keys[len(joined) - joined.index(key):]
        path, begun = join(group.path, key), isinstance(group.get(key), Group)
        if begun and keys:
            return self.locate(group[key], keys, at)
        self.check(key not in group, "path-conflict" if begun or keys else "duplicate-key", at)
        place = self.check(group.place.child(key), "unknown-argument", at, path) or ANY
        if not keys:
            return group, key, place, path
        place = place if self.fits({}, place, at, path, 1) else ANY
        group[key] = Group(place, path, self.groups)
        return self.locate(group[key], keys, at)

    def value(self, place, path, pattern):
        """Reads a value: behind an equals sign a bare one is a word, within brackets an item."""
        at, c = self.i, b"" if pattern is WORD and self.closes() else self.peek()
        if c in (b"[", b"{"):
            return self.brackets(place, path)
        quoted = c in (b'"', b"'")
        word, doubt = self.string() if quoted else self.bare(pattern)
        self.check(not doubt, doubt, at, path)
        literal = not quoted and LITERAL.fullmatch(word)
        readings = [load(word), word] if literal else [word]
        best = readings[0] if self.exact else max(readings, key=place.rank)  # the first of the best
        self.fits(best, place, at, path)
        return best

    def bare(self, pattern):
        """Reads a bare value; the issue where it seems to have lost a quote."""
        word = self.take(pattern).rstrip(" \t")
        if not (self.may_end and self.i == self.horizon):
            self.peek()  # only the byte behind it completes a bare value
        self.need(not self.text.startswith(OPEN, self.i), "nested-call")
        self.need(word or pattern is WORD, "expected-value")
        odd = word.count("'") % 2 and re.search(r"[=[{(,:]'", word) or word.count('"') % 2
        return word, "open-quote" if odd else None

    def string(self):
        """Reads a string; the issue where it may have been meant without escapes."""
        match = STRING.match(self.text, self.i, self.horizon)
        if not match:
            raise Fault(self.beyond, self.horizon, self.i)
        self.i = match.end()
        raw = match[0][1:-1].decode()
        means = {e: NOT_JSON.get(e) or json.loads(f'"{e}"') for e in set(ESCAPE.findall(raw))}
        doubt = "\\" in means and means.keys() & {"\\'", '\\"'}
        return ESCAPE.sub(lambda m: means[m[0]], raw), "ambiguous-escape" if doubt else None

    def brackets(self, place, path):
        """Reads an array or an object. The key of an element is its index."""
        at, closer = self.i, {b"[": b"]", b"{": b"}"}[self.peek()]
        self.need(self.depth < self.limits["depth"], "too-deep")
        fits = not path or self.fits([] if closer == b"]" else {}, place, at, path, 1)
        inner, out = place if fits else ANY, {}
        self.depth += 1
        self.take(BRACKET)
        while self.peek() != closer:
            begin, key, doubt = self.i, len(out), None
            if closer == b"}":
                quoted = self.peek() in b"\"'"
                key, doubt = self.string() if quoted else (self.take(MEMBER, "expected-key"), None)
                self.take(SPACE)
                self.take(COLON, "expected-colon")
            below, enough = join(path, key), len(out) < self.limits["arguments"] or self.depth > 0
            self.check(enough, "too-many-arguments", begin)
            self.check(key not in out, "duplicate-key", begin)
            self.check(not doubt, doubt, begin, below)
            child = self.check(inner.child(key), "unknown-argument", begin, below) or ANY
            out[key] = self.value(child, below, ITEM)
            self.take(SPACE)
            if self.peek() != closer:
                self.take(COMMA, "expected-comma")
        if closer == b"}":
            self.complete(out, inner, path)
        out = list(out.values()) if closer == b"]" else out
        self.depth -= 1
        self.i += 1
        if path and fits:
            self.fits(out, place, at, path)
        return out


def join(path, key):
    return f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}" if path else key
