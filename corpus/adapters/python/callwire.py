"""A reader of callwire calls, with nothing but the standard library.

A Reader reads a text in chunks. Run as a program it speaks the protocol of the
conformance runner.
"""

import base64
import json
import sys

from schema import Number, Typing, dump
from syntax import CLOSE, LIMITS, OPEN, WS, Call, Fault, Incomplete, begins


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
