"""The syntax of a call: what it says, or the first thing that is wrong with it."""

import re

from schema import Schema

OPEN, CLOSE, WS = b"<call>", b"</call>", b" \t\r\n"
DIGITS, LETTERS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
HIGH = bytes(range(0x80, 0x100))
NAME_START = frozenset(LETTERS + b"_$@" + HIGH)
NAME = NAME_START | frozenset(DIGITS + b"-./:")
KEY = frozenset(range(0x21, 0x100)) - frozenset(b"=.<>\"'[]{},\x7f")
BARE_KEY = KEY - frozenset(b":")
ESCAPES = dict(zip(b"\"'\\/bfnrt", "\"'\\/\b\f\n\r\t"))
HEX = re.compile(rb"\\u([0-9a-fA-F]{4})")
LIMITS = {"bytes": 4 << 20, "depth": 64, "arguments": 1024, "name": 256}


class Incomplete(Exception):
    """More input may still change what was read."""


class Fault(Exception):
    """The call is malformed; skipping goes on at byte skip, in quotes or not."""

    def __init__(self, code, at, skip=None, quote=0):
        self.code, self.at, self.skip, self.quote = code, at, at if skip is None else skip, quote


class Value:
    """A value as written: kind is bare, string, array or object."""

    def __init__(self, kind, at, content, end=0, issue=None):
        self.kind, self.at, self.content, self.end, self.issue = kind, at, content, end, issue


def begins(text, i, limit):
    """Does a call begin with the opener at i? None: that is not known yet."""
    j = i + len(OPEN)
    while j < len(text) and text[j] in WS and j - i < limit:
        j += 1
    if j - i >= limit:
        return False
    return None if j == len(text) else text[j] in NAME_START or text[j] in b"{["


class Call:
    """Reads one call, which starts at byte start."""

    def __init__(self, text, start, tools, options, final):
        self.text, self.start, self.final = text, start, final
        self.tools, self.options = tools, options
        self.limits = {**LIMITS, **{k: int(v.text) for k, v in options.get("limits", {}).items()}}
        self.stop = start + self.limits["bytes"]
        self.fault = None  # the first one that is not of syntax
        self.name, self.entries, self.depth = "", [], 0
        self.body = False
        self.bad = self.invalid()
        self.i = start + len(OPEN)

    def invalid(self):
        """The first byte that makes UTF-8 ill-formed, or -1."""
        self.cut = False
        try:
            self.text[self.start:].decode()
        except UnicodeDecodeError as e:
            self.cut = e.reason == "unexpected end of data"
            if not self.cut:
                return self.start + (e.start if "start byte" in e.reason else e.end)
        return -1

    def peek(self, quote=0, skip=None):
        """The next byte, or None where the input may end."""
        if self.i >= self.stop and self.i < len(self.text):
            raise Fault("call-too-long", self.stop, skip, quote)
        if self.i == self.bad:
            raise Fault("invalid-utf8", self.i, None, quote)
        if self.i < len(self.text):
            return self.text[self.i]
        if not self.final:
            raise Incomplete
        if self.cut:  # within a character
            raise Fault("unterminated-call", self.i, None, quote)
        return None

    def must(self, quote=0, skip=None):
        c = self.peek(quote, skip)
        if c is None:
            raise Fault("unterminated-call", self.i, None, quote)
        return c

    def ahead(self, *tags):
        """The tag that stands here. Half a tag at the end is none yet."""
        rest = self.text[self.i:self.i + len(CLOSE)]
        for tag in tags:
            if rest.startswith(tag):
                if tag == CLOSE and self.i < self.stop < self.i + len(CLOSE):
                    raise Fault("call-too-long", self.stop, self.i)
                return tag
            if rest and self.i + len(rest) == len(self.text) and tag.startswith(rest):
                if not self.final:
                    raise Incomplete
                raise Fault("unterminated-call", len(self.text))
        return None

    def note(self, code, at):
        if not self.fault:
            self.fault = Fault(code, at)

    def space(self):
        while self.peek() is not None and self.text[self.i] in WS:
            self.i += 1

    def read(self):
        """Reads to the end of the call and over its close tag."""
        self.space()
        begin = self.i
        if self.must() in b"{[":
            raise Fault("expected-name", begin)
        while (c := self.peek()) is not None and c in NAME:
            if self.i - begin >= self.limits["name"]:
                raise Fault("name-too-long", self.i)
            self.i += 1
        c = self.end()
        if c is not None and c not in WS and c != 0x7B:
            raise Fault("bad-name", self.i)
        self.name = self.text[begin:self.i].decode()
        if self.tools is not None and self.name not in self.tools:
            self.note("unknown-tool", begin)
        self.schema = Schema.of((self.tools or {}).get(self.name))
        self.space()
        if self.peek() == 0x7B:
            self.body = True
            self.entries = self.object(top=True).content
            self.space()
            if self.end() is not None:
                raise Fault("expected-close", self.i)
        else:
            self.arguments()
        self.close_at = self.i
        self.i += len(CLOSE) if self.i < len(self.text) else 0

    def end(self):
        """None at the end of the call, or else the byte that stands there."""
        c = self.peek()
        if c is None:
            if self.options.get("acceptAtEnd"):
                return None
            raise Fault("unterminated-call", self.i)
        return None if self.ahead(CLOSE) else c

    def arguments(self):
        tree = {}
        while self.end() is not None:
            begin, keys = self.i, [self.key()]
            while self.must() == 0x2E:
                if len(keys) > self.limits["depth"]:
                    raise Fault("too-deep", self.i)
                self.i += 1
                keys.append(self.key())
            if self.text[self.i] != 0x3D:
                raise Fault("expected-equals", self.i)
            self.i += 1
            self.depth = len(keys) - 1
            keys, group = self.schema.resolve(keys), tree
            if len(self.entries) >= self.limits["arguments"]:
                self.note("too-many-arguments", begin)
            for key in keys[:-1]:
                group = group.setdefault(key, {})
                if group is None:
                    self.note("path-conflict", begin)
                    group = {}
            if keys[-1] in group:
                self.note("duplicate-key" if group[keys[-1]] is None else "path-conflict", begin)
            group[keys[-1]] = None
            self.entries.append((keys, begin, None, self.value()))
            self.depth = 0
            c = self.end()
            if c is not None and c not in WS:
                raise Fault("expected-space", self.i)
            self.space()

    def key(self):
        begin = self.i
        while self.must() in KEY:
            self.i += 1
        if self.i == begin:
            raise Fault("expected-key", begin)
        return self.text[begin:self.i].decode()

    def value(self):
        c = self.peek()
        if c is not None and c in b"\"'":
            return self.string()
        if c is not None and c in b"[{":
            return self.array() if c == 0x5B else self.object()
        return self.bare(WS)

    def bare(self, stops):
        begin = self.i
        while (c := self.peek()) is not None and c not in stops:
            tag = self.ahead(CLOSE, OPEN) if c == 0x3C else None
            if tag == OPEN:
                raise Fault("nested-call", self.i)
            if tag:
                break
            self.i += 1
        word = self.text[begin:self.i]
        word = word if stops is WS else word.rstrip(b" \t")
        double, single = word.count(b'"') % 2, word.count(b"'") % 2
        lost = double or single and re.search(rb"[=[{(,:]'", word)
        return Value("bare", begin, word.decode(), self.i, "open-quote" if lost else None)

    def string(self):
        begin, quote = self.i, self.text[self.i]
        out, plain, escaped = bytearray(), False, False
        self.i += 1
        while (c := self.must(quote)) != quote:
            unit, said = 1, None
            if c == 0x5C:
                unit, said = self.escape(quote)
                plain = plain or said is None
                escaped = escaped or said in ('"', "'")
            at = self.i
            for self.i in range(at, at + unit):
                self.must(quote, at)
            self.i = at + unit
            out += self.text[at:at + unit] if said is None else said.encode()
        self.i += 1
        return Value("string", begin, out.decode(), self.i, "ambiguous-escape" if plain and escaped else None)

    def escape(self, quote):
        """The length of the escape here, and what it says if it is one."""
        c = self.text[self.i + 1:self.i + 2]
        if c and c[0] in ESCAPES:
            return 2, ESCAPES[c[0]]
        first = HEX.match(self.text, self.i)
        if not first:
            return 2, None
        unit, second = int(first[1], 16), HEX.match(self.text, self.i + 6)
        if not 0xD800 <= unit < 0xE000:
            return 6, chr(unit)
        low = int(second[1], 16) if second else 0
        if unit < 0xDC00 <= low < 0xE000:
            return 12, chr(0x10000 + (unit - 0xD800 << 10) + low - 0xDC00)
        return 6, None

    def nest(self):
        if self.depth >= self.limits["depth"]:
            raise Fault("too-deep", self.i)
        self.depth += 1
        self.i += 1

    def item(self):
        """A value within brackets."""
        c = self.must()
        if c in b",]}" or c == 0x3C and self.ahead(CLOSE):
            raise Fault("expected-value", self.i)
        return self.value() if c in b"\"'[{" else self.bare(b",]}\r\n")

    def more(self, closer):
        """After a value: is there a comma? Else there is the closer."""
        self.space()
        c = self.must()
        if c != 0x2C and c != closer:
            raise Fault("expected-comma", self.i)
        self.i += c == 0x2C
        self.space()
        return self.must() != closer

    def array(self):
        begin, items = self.i, []
        self.nest()
        self.space()
        more = self.must() != 0x5D
        while more:
            items.append(self.item())
            more = self.more(0x5D)
        self.i += 1
        self.depth -= 1
        return Value("array", begin, items, self.i)

    def object(self, top=False):
        begin, members, seen = self.i, [], set()
        self.depth -= top  # the arguments are no level
        self.nest()
        self.space()
        more = self.must() != 0x7D
        while more:
            at, issue = self.i, None
            if self.must() in b"\"'":
                key = self.string()
                key, issue = key.content, key.issue
            else:
                while self.must() in BARE_KEY:
                    self.i += 1
                if self.i == at:
                    raise Fault("expected-key", at)
                key = self.text[at:self.i].decode()
            self.space()
            if self.must() != 0x3A:
                raise Fault("expected-colon", self.i)
            self.i += 1
            if top and len(members) >= self.limits["arguments"]:
                self.note("too-many-arguments", at)
            if key in seen:
                self.note("duplicate-key", at)
            seen.add(key)
            self.space()
            members.append(([key], at, issue, self.item()))
            more = self.more(0x7D)
        self.i += 1
        self.depth -= not top
        return Value("object", begin, members, self.i)
