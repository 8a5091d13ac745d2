"""A reader of callwire calls. Run as a program it speaks the protocol of the conformance runner."""

import base64
import codecs
import json
import math
import re
import sys
from bisect import bisect

from call import CLOSE, LIMITS, OPEN, Call, Fault, closing
from schema import Number, Schema, dump

OPENER = rb"<call>[ \t\r\n]*(?=[A-Za-z_$@\x80-\xff{\[])"
BEGIN = re.compile(OPENER)
DAMAGE = re.compile(rb"</call>|" + OPENER + rb"|(?<=[ \t\r\n=\[{(,:])[\"']")


def parse(text, tools=None, options=None):
    """The events of a text in bytes, by the tools and options of a case of the corpus."""
    options = options or {}
    limits = {**LIMITS, **{name: int(n.digits) for name, n in options.get("limits", {}).items()}}
    if tools is not None:
        tools = {t["name"]: Schema(t.get("inputSchema"), [t.get("inputSchema")]) for t in tools}
    events, i, damaged, wrong = [], 0, False, [*ill_formed(text), (math.inf, math.inf)]
    while i < len(text):
        openers = (m.start() for m in BEGIN.finditer(text, i) if m.end() - m.start() < limits["bytes"])
        start = next(openers, len(text))
        if i < start:
            events.append({"type": "text", "start": i, "end": start, "text": encode(text[i:start])})
        if start == len(text):
            break
        call = Call(text, start, wrong[bisect(wrong, (start,))][1], tools, limits, options.get("acceptAtEnd"))
        events.append({"start": start, **outcome(call, options, damaged)})
        i = events[-1]["end"]
        damaged = damaged or "code" in events[-1] or any(code == "open-quote" for _, code, _ in call.issues)
    return events


def ill_formed(text):
    """Where text is no UTF-8: where a sequence begins, and the byte that cannot go on with it."""
    found = []

    def note(error):
        found.append((error.start, error.start if error.reason == "invalid start byte" else error.end))
        return "", error.end

    codecs.register_error("note", note)
    text.decode("utf-8", "note")
    return found


def outcome(call, options, damaged):
    """Reads a call: it is delivered, or malformed by the first of its faults."""
    start, fault = call.i - len(OPEN), None
    try:
        call.read()
        end, closed = call.i, call.text.endswith(CLOSE, 0, call.i)
    except Fault as syntax:
        fault = syntax
        end, closed = skip(call.text, fault.skip, fault.quote, call.limits["bytes"])
    fault, issues = call.fault or fault, sorted(call.issues, key=lambda issue: issue[0])
    if options.get("strict") and issues and (fault is None or issues[0][0] < fault.at):
        fault = Fault(issues[0][1], issues[0][0])
    if fault is None and damaged and options.get("stopAfterMalformed"):
        fault = Fault("after-malformed", start)
    if fault:
        return {"type": "malformed", "end": end, "code": fault.code, "at": fault.at, "closed": closed}
    issues = [{"code": code, "path": path, "at": at} for at, code, path in issues]
    said = {"name": call.name, "input": dump(call.out), "issues": issues, "afterMalformed": damaged}
    return {"type": "tool-call", "end": end, **said}


def skip(text, i, quote, limit):
    """The end of the damage from byte i on, and whether a close tag ends it. Strings keep what is in them."""
    while True:
        i = closing(text, i, quote, len(text)) + 1 if quote else i
        found = DAMAGE.search(text, i) if i else None  # 0: the string has no end
        if not found:
            return len(text), False
        if found[0] == CLOSE:
            return found.end(), True
        quote = found[0] if found[0] in (b'"', b"'") else None
        if not quote and len(found[0]) < limit:
            return found.start(), False
        i = found.end()


def encode(text):
    try:
        return text.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(text).decode()}


def answer(request):
    if request.get("cmd") == "hello":
        return {"protocol": 1, "name": "callwire-python", "version": "2.0", "spec": "1.0", "ops": ["parse"]}
    seq = {"seq": int(request["seq"].digits)}
    if request["op"] != "parse":
        return {**seq, "skip": "a reader of whole texts only"}
    text = request["text"]
    text = base64.b64decode(text["b64"]) if isinstance(text, dict) else text.encode()
    return {**seq, "events": parse(text, request.get("tools"), request.get("options"))}


def main():
    for line in sys.stdin.buffer:
        request = json.loads(line, parse_int=Number, parse_float=Number)
        if request.get("cmd") == "bye":
            break
        print(json.dumps(answer(request)), flush=True)


if __name__ == "__main__":
    main()
