"""A reader of callwire calls, with nothing but the standard library.

read(text) gives the events of a whole text, Reader those of a text that comes
in chunks. Run as a program it speaks the protocol of the conformance runner.
"""

import base64
import json
import re
import sys

OPEN, CLOSE, WS = b"<call>", b"</call>", b" \t\r\n"
ALL = frozenset("null boolean number string array object".split())
DIGITS, LETTERS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
HIGH = bytes(range(0x80, 0x100))
NAME_START = frozenset(LETTERS + b"_$@" + HIGH)
NAME = NAME_START | frozenset(DIGITS + b"-./:")
KEY = frozenset(range(0x21, 0x100)) - frozenset(b"=.<>\"'[]{},\x7f")
BARE_KEY = KEY - frozenset(b":")
ESCAPES = dict(zip(b"\"'\\/bfnrt", "\"'\\/\b\f\n\r\t"))
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
HEX = re.compile(rb"\\u([0-9a-fA-F]{4})")
LIMITS = {"bytes": 4 << 20, "depth": 64, "arguments": 1024, "name": 256}


class Incomplete(Exception):
    """More input may still change what was read."""


class Fault(Exception):
    """The call is malformed; skipping goes on at byte skip, in quotes or not."""

    def __init__(self, code, at, skip=None, quote=0):
        self.code, self.at, self.skip, self.quote = code, at, at if skip is None else skip, quote


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


class Value:
    """A value as written: kind is bare, string, array or object."""

    def __init__(self, kind, at, content, end=0, issue=None):
        self.kind, self.at, self.content, self.end, self.issue = kind, at, content, end, issue


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


def begins(text, i, limit):
    """Does a call begin with the opener at i? None: that is not known yet."""
    j = i + len(OPEN)
    while j < len(text) and text[j] in WS and j - i < limit:
        j += 1
    if j - i >= limit:
        return False
    return None if j == len(text) else text[j] in NAME_START or text[j] in b"{["


# Syntax


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


# Typing


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
            return None
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


# Events


class Reader:
    """Reads a text in chunks. feed gives (type, start, end, members)."""

    def __init__(self, tools=None, options=None):
        self.tools = None if tools is None else {t["name"]: t.get("inputSchema", True) for t in tools}
        self.options = options or {}
        self.limit = int(self.options.get("limits", {}).get("bytes", Number(str(LIMITS["bytes"]))).text)
        self.text, self.done, self.seen = b"", 0, 0
        self.in_call, self.damaged = False, False

    def feed(self, chunk, final=False):
        self.text += chunk
        if self.in_call and b">" not in chunk and not final:
            return []
        events = []
        while self.step(events, final):
            pass
        return events

    def step(self, events, final):
        """Takes the next text or call; False when it needs more input."""
        if not self.in_call:
            at = self.text.find(OPEN, self.seen)
            here = None if at < 0 else begins(self.text, at, self.limit)
            if here is False or here is None and at >= 0 and final:
                self.seen = at + 1
                return True
            until = at if at >= 0 else len(self.text) if final else held(self.text)
            if until > self.done:
                events.append(("text", self.done, until, {"text": self.text[self.done:until]}))
            self.done = until
            self.seen = max(self.seen, until)
            self.in_call = bool(here)
            if not here:
                return False
        call = Call(self.text, self.done, self.tools, self.options, final)
        try:
            events.append(self.call(call))
        except Incomplete:
            return False
        self.done = self.seen = events[-1][2]
        self.in_call = False
        return True

    def call(self, call):
        fault = None
        typing, start = Typing(call), call.start
        try:
            call.read()
            end, closed = call.i, call.i > call.close_at
        except Fault as f:
            fault = f
            end, closed = self.skip(call, f)
        out = None
        if call.fault is None and (fault is None or self.options.get("strict")):
            out, groups = typing.arguments()
            if fault is None:
                typing.finish(out, groups)
        issues = sorted(typing.issues, key=lambda issue: issue[2])
        if self.options.get("strict") and issues and (fault is None or issues[0][2] < fault.at):
            call.note(*issues[0][::2])
        fault = call.fault or fault
        damaged, self.damaged = self.damaged, self.damaged or fault is not None
        if not fault and damaged and self.options.get("stopAfterMalformed"):
            fault = Fault("after-malformed", start)
        if fault:
            return "malformed", start, end, {"code": fault.code, "at": fault.at, "closed": closed}
        self.damaged = self.damaged or any(issue[0] == "open-quote" for issue in issues)
        members = {"name": call.name, "input": dump(out)}
        if damaged:
            members["afterMalformed"] = True
        if issues:
            members["issues"] = [dict(zip(("code", "path", "at"), issue)) for issue in issues]
        return "tool-call", start, end, members

    def skip(self, call, fault):
        """The end of the damage."""
        text, i, quote = self.text, fault.skip, fault.quote
        while i < len(text):
            c = text[i]
            if quote:
                i += c == 0x5C
                quote = 0 if c == quote else quote
            elif text.startswith(CLOSE, i):
                return i + len(CLOSE), True
            elif text.startswith(OPEN, i) and i > call.start:
                here = begins(text, i, self.limit)
                if here or here is None and not call.final:
                    if here is None:
                        raise Incomplete
                    return i, False
            elif c in b"\"'" and text[i - 1] in WS + b"=[{(,:":
                quote = c
            i += 1
        if not call.final:
            raise Incomplete
        return len(text), False


def held(text):
    """The offset from which text may become a call, or a whole rune."""
    at = text.rfind(b"<")
    if at >= 0 and OPEN.startswith(text[at:at + len(OPEN)]) and not text[at + len(OPEN):].strip(WS):
        return at
    tail = text[-3:]
    try:
        tail[next((i for i, c in enumerate(tail) if c & 0xC0 != 0x80), 0):].decode()
    except UnicodeDecodeError as e:
        if e.reason == "unexpected end of data":
            return len(text) - len(tail) + e.start + next((i for i, c in enumerate(tail) if c & 0xC0 != 0x80), 0)
    return len(text)


# The protocol of the conformance runner


def encode(text):
    try:
        return text.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(text).decode()}


def event(kind, start, end, members):
    if "text" in members:
        members["text"] = encode(members["text"])
    return {"type": kind, "start": start, "end": end, **members}


def parse(text, tools, options):
    events = []
    for kind, start, end, members in Reader(tools, options).feed(text, True):
        if kind == "text" and events and events[-1][0] == "text":
            last = events.pop()
            start, members = last[1], {"text": last[3]["text"] + members["text"]}
        events.append((kind, start, end, members))
    return [event(*e) for e in events]


def stream(text, tools, options, cuts):
    reader, batches, in_text = Reader(tools, options), [], False
    ends = [*cuts, len(text)]
    chunks = [text[a:b] for a, b in zip([0, *cuts], ends)]
    for i, chunk in enumerate([*chunks, b""]):
        batch = []
        for kind, start, end, members in reader.feed(chunk, i == len(chunks)):
            if kind == "text":
                batch += [] if in_text else [{"type": "text-start"}]
                batch.append({"type": "text-delta", "text": encode(members["text"])})
            else:
                batch += [{"type": "text-end"}] if in_text else []
                e = event(kind, start, end, members)
                if kind == "tool-call":
                    e["id"] = call = f"call-{start}"
                    batch.append({"type": "tool-input-start", "id": call, "name": e["name"]})
                    batch.append({"type": "tool-input-delta", "id": call, "delta": e["input"]})
                    batch.append({"type": "tool-input-end", "id": call})
                batch.append(e)
            in_text = kind == "text"
        batches.append(batch)
    if in_text:
        batches[-1].append({"type": "text-end"})
    return batches


def answer(request):
    text = request.get("text", "")
    text = base64.b64decode(text["b64"]) if isinstance(text, dict) else text.encode()
    tools, options = request.get("tools"), request.get("options", {})
    if request["op"] == "parse":
        return {"events": parse(text, tools, options)}
    if request["op"] == "stream":
        return {"batches": stream(text, tools, options, [int(n.text) for n in request["cuts"]])}
    return {"skip": "this is a reader only"}


def main():
    hello = {"protocol": 1, "name": "callwire-python", "version": "1.0", "spec": "1.0", "ops": ["parse", "stream"]}
    for line in sys.stdin.buffer:
        request = json.loads(line, parse_int=Number, parse_float=Number)
        if request.get("cmd") == "bye":
            return
        reply = hello if request.get("cmd") == "hello" else {"seq": int(request["seq"].text), **answer(request)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
