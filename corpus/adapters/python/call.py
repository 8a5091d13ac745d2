"""Reads one call: what it says, or the first thing that is wrong with it."""

import json
import re

from schema import Schema, literal

OPEN, CLOSE = b"<call>", b"</call>"
HALVES = tuple(tag[:n] for tag in (OPEN, CLOSE) for n in range(1, len(tag)))
SPACE = re.compile(rb"[ \t\r\n]*")
NAME = re.compile(rb"[A-Za-z0-9_$@\-./:\x80-\xff]*")  # the opener has looked at its first byte
KEY = re.compile(rb"""[^\x00- \x7f=.<>"'\[\]{},]*""")
MEMBER = re.compile(rb"""[^\x00- \x7f=.<>"'\[\]{},:]*""")
WORD = re.compile(rb"(?:[^ \t\r\n<]+|<(?!/?call>))*")
ITEM = re.compile(rb"(?:[^\r\n,\]}<]+|<(?!/?call>))*")
QUOTES = {b'"': re.compile(rb'\\.|"', re.DOTALL), b"'": re.compile(rb"\\.|'", re.DOTALL)}
PAIR = r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPE = re.compile(r"""\\(?:["'\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|%s)?""" % PAIR)  # alone: literal
MEANS = {"\\": "\\", "\\'": "'"}  # what is none of JSON
LIMITS = {"bytes": 4194304, "depth": 64, "arguments": 1024, "name": 256}
ANY = Schema(True, [])


def closing(text, i, quote, end):
    """The offset of the quote that closes a string; -1 if there is none before end."""
    return next((m.start() for m in QUOTES[quote].finditer(text, i, end) if m[0] == quote), -1)


def join(path, key):
    """The path of a child. Of a long path only the beginning is ever shown."""
    return (f"{path}[{key}]" if isinstance(key, int) else key if path is None else f"{path}.{key}")[:1001]


class Fault(Exception):
    """The call is malformed. The damage goes on at byte skip, perhaps within quotes."""

    def __init__(self, code, at, skip=None, quote=None):
        self.code, self.at, self.skip, self.quote = code, at, at if skip is None else skip, quote


class Group(dict):
    """An object that paths began, and that later ones may come back to."""

    def __init__(self, schema, path=None):
        self.schema, self.path = schema, path


class Call:
    """The call at start. No byte from the horizon on can be read, whatever it is."""

    def __init__(self, text, start, ill_formed, tools, limits, may_end):
        self.text, self.i, self.tools, self.limits = text, start + len(OPEN), tools, limits
        self.stop = start + limits["bytes"]
        ends = (len(text), 0, "unterminated-call"), (self.stop, 1, "call-too-long"), (ill_formed, 2, "invalid-utf8")
        self.horizon, _, self.beyond = min(ends)
        self.may_end = may_end and self.horizon == len(text) < ill_formed and not text.endswith(HALVES)
        self.depth, self.count, self.groups, self.exact = 0, 0, [], False
        self.fault, self.issues = None, []  # the first fault of meaning; (offset, code, path)

    def read(self):
        """Reads to the end of the call, over its close tag."""
        self.take(SPACE)
        schema = self.tool()
        self.take(SPACE)
        if not self.closes() and self.peek() == b"{":
            self.exact, self.depth = True, -1  # the arguments are no level
            self.out = self.compound(schema, None)
            self.take(SPACE)
            self.need(self.closes(), "expected-close")
        else:
            self.out = self.group(schema, None)
            self.arguments()
        end = min(self.i + len(CLOSE), len(self.text))
        if end > self.stop:
            raise Fault("call-too-long", self.stop, self.i)
        self.i = end

    def peek(self):
        if self.i >= self.horizon:
            raise Fault(self.beyond, self.horizon)
        return self.text[self.i:self.i + 1]

    def take(self, pattern):
        """Takes what matches, perhaps nothing, up to the horizon."""
        begin, self.i = self.i, min(pattern.match(self.text, self.i).end(), self.horizon)
        return self.text[begin:self.i]

    def need(self, truth, code):
        if not truth:
            raise Fault(code, self.i)

    def closes(self):
        """Is here the close tag, or the end of the input where that will do?"""
        if self.i == len(self.text) and self.may_end:
            return True
        self.peek()
        tag = self.text[self.i:self.i + len(CLOSE)]
        if len(tag) < len(CLOSE) and CLOSE.startswith(tag):
            raise Fault("call-too-long" if self.stop < len(self.text) else "unterminated-call",
                        min(self.stop, len(self.text)), self.i)
        return tag == CLOSE

    def note(self, code, at):
        """Notes a fault of meaning: the body is read on."""
        self.fault = self.fault or Fault(code, at)

    def issue(self, code, at, path):
        if len(self.issues) < 1000:
            short = path.encode()[:1000].decode(errors="ignore")
            self.issues.append((at, code, path if path == short else short + "…"))

    def tool(self):
        """Reads the name; the schema of the tool."""
        begin, longest = self.i, self.limits["name"]
        self.need(self.peek() not in b"{[", "expected-name")
        self.take(NAME)
        end = NAME.match(self.text, begin).end()
        if end - begin > longest and begin + longest <= self.horizon and begin + longest < self.stop:
            raise Fault("name-too-long", begin + longest)
        self.need(self.closes() or self.peek() in b" \t\r\n{", "bad-name")
        self.name = self.text[begin:end].decode()
        if self.tools is not None and self.name not in self.tools:
            self.note("unknown-tool", begin)
        return (self.tools or {}).get(self.name, ANY)

    def arguments(self):
        while not self.closes():
            begin, keys = self.i, [self.key(KEY)]
            while self.peek() == b".":
                self.need(len(keys) <= self.limits["depth"], "too-deep")
                self.i += 1
                keys.append(self.key(KEY))
            self.need(self.peek() == b"=", "expected-equals")
            self.i += 1
            self.counted(begin)
            group, key, schema, path = self.place(keys, begin)
            self.depth = len(keys) - 1
            group[key] = self.value(schema, path, WORD)
            self.depth = 0
            self.need(self.closes() or self.take(SPACE), "expected-space")
        for group in self.groups:
            self.missing(group, group.schema, group.path, self.i)

    def key(self, pattern):
        key = self.take(pattern)
        self.peek()
        self.need(key, "expected-key")
        return key.decode()

    def counted(self, at):
        self.count += 1
        if self.count > self.limits["arguments"]:
            self.note("too-many-arguments", at)

    def group(self, schema, path):
        self.groups.append(Group(schema, path))
        return self.groups[-1]

    def place(self, keys, at):
        """Where the value of a path belongs: the object, the key, what is allowed there, the path of issues."""
        group = self.out
        while True:
            n = group.schema.run(keys)
            key, keys, old = ".".join(keys[:n]), keys[n:], group.get(".".join(keys[:n]), self)
            path, schema = join(group.path, key), ANY
            if old is self:  # which no value is
                schema = self.known(group.schema, key, path, at)
            elif not isinstance(old, Group) or not keys:
                self.note("path-conflict" if keys or isinstance(old, Group) else "duplicate-key", at)
            if not keys:
                return group, key, schema, path
            if not isinstance(old, Group):
                old = group[key] = self.group(self.inside(schema, {}, at, path), path)
            group = old

    def known(self, schema, key, path, at):
        child = schema.child(key)
        if child is None:
            self.issue("unknown-argument", at, path)
        return child or ANY

    def inside(self, schema, empty, at, path):
        """What is allowed in an array or object: anything, where it is out of place itself."""
        if path is None or schema.rank(empty):
            return schema
        self.issue("type-mismatch", at, path)
        return ANY

    def missing(self, have, schema, path, at):
        for name in schema.required:
            if name not in have:
                self.issue("missing-argument", at, join(path, name))

    def value(self, schema, path, pattern):
        """A value: within brackets a bare one is an item, behind an equals sign a word."""
        at, c = self.i, b"" if pattern is WORD and self.closes() else self.peek()
        if pattern is ITEM:
            self.need(c not in b",]}" and not self.closes(), "expected-value")
        if c == b"[" or c == b"{":
            return self.compound(schema, path)
        if c == b'"' or c == b"'":
            word, ambiguous = self.string()
            readings, doubt = [word, *literal(word)], "ambiguous-escape" if ambiguous else None
        else:
            word, lost = self.bare(pattern)
            readings, doubt = [*literal(word), word], "open-quote" if lost else None
        if doubt:
            self.issue(doubt, at, path)
        best = readings[0] if self.exact else max(readings, key=schema.rank)  # the first of the best
        if best is not readings[0] and readings[0] is word:
            self.issue("coerced", at, path)
        if schema.rank(best) < 2:
            self.issue("not-in-enum" if schema.rank(best) else "type-mismatch", at, path)
        return best

    def bare(self, pattern):
        """Reads a bare value. Does it seem to have lost a quote?"""
        word = self.take(pattern).rstrip(b" \t")
        if pattern is ITEM:
            self.peek()  # an item needs a byte behind it
        self.need(self.closes() or not self.text.startswith(OPEN, self.i), "nested-call")
        lost = word.count(b'"') % 2 or word.count(b"'") % 2 and re.search(rb"[=[{(,:]'", word)
        return word.decode(), lost

    def string(self):
        """Reads a string. Is it ambiguous: are quotes escaped in it, and does a backslash escape nothing?"""
        begin, quote = self.i + 1, self.peek()
        end = closing(self.text, begin, quote, self.horizon)
        if end < 0:
            raise Fault(self.beyond, self.horizon, begin, quote)
        self.i = end + 1
        raw = self.text[begin:end].decode()
        escapes = set(ESCAPE.findall(raw))
        return ESCAPE.sub(lambda m: MEANS.get(m[0]) or json.loads(f'"{m[0]}"'), raw), "\\" in escapes and not escapes.isdisjoint(("\\'", '\\"'))

    def compound(self, schema, path):
        """Reads an array or an object, over both brackets and the commas."""
        at, (out, closer) = self.i, ([], b"]") if self.peek() == b"[" else ({}, b"}")
        inner = self.inside(schema, out, at, path)
        self.need(self.depth < self.limits["depth"], "too-deep")
        self.depth += 1
        self.step()
        while self.peek() != closer:
            key, below = self.member(out, inner, path) if closer == b"}" else (len(out), inner.child(len(out)))
            value = self.value(below, join(path, key), ITEM)
            if closer == b"}":
                out[key] = value
            else:
                out.append(value)
            self.take(SPACE)
            self.need(self.peek() in (b",", closer), "expected-comma")
            if self.peek() == b",":
                self.step()
        self.i += 1
        self.depth -= 1
        if closer == b"}":
            self.missing(out, inner, path, self.i - 1)
        if path is not None and schema.rank(out) == 1:
            self.issue("not-in-enum", at, path)
        return out

    def step(self):
        """Goes over one byte and the space behind it."""
        self.i += 1
        self.take(SPACE)

    def member(self, out, schema, path):
        """Reads the key of a member, and over its colon; what is allowed behind it."""
        at, quoted = self.i, self.peek() in b"\"'"
        key, ambiguous = self.string() if quoted else (self.key(MEMBER), False)
        self.take(SPACE)
        self.need(self.peek() == b":", "expected-colon")
        self.step()
        if self.depth == 0:
            self.counted(at)
        if key in out:
            self.note("duplicate-key", at)
        if ambiguous:
            self.issue("ambiguous-escape", at, join(path, key))
        return key, self.known(schema, key, join(path, key), at)
