"""A reader of callwire calls. Run as a program it speaks the protocol of the conformance runner."""

import base64
import json
import math
import re
import sys

from call import CLOSE, OPEN, STRING, Call, Fault
from schema import Place, dump, load

BEGIN = re.compile(rb"<call>[ \t\r\n]*(?=[A-Za-z_$@\x80-\xff{\[])")
QUOTED = rb"(?<=[ \t\r\n=\[{(,:])(?:%b|[\"'].*)" % STRING.pattern  # to the end, if it never closes
DAMAGE = re.compile(rb"</call>|%b|%b" % (BEGIN.pattern, QUOTED), re.DOTALL)
LIMITS = {"bytes": 4194304, "depth": 64, "arguments": 1024, "name": 256}


def parse(text, tools=None, options=None):
    """The events of a text in bytes, by the tools and options of a case of the corpus."""
    options = options or {}
    limits = {**LIMITS, **{name: int(n.digits) for name, n in options.get("limits", {}).items()}}
    if tools is not None:
        tools = {tool["name"]: Place(tool["inputSchema"], [tool["inputSchema"]]) for tool in tools}
    events, done, ill, damaged = [], 0, -1, False
    for found in BEGIN.finditer(text):
        start = found.start()
        if start < done or len(found[0]) >= limits["bytes"]:
            continue
        ill = ill if ill > start else ill_formed(text, start)
        call = Call(text, start, ill, tools, limits, options.get("acceptAtEnd"))
        events += prose(text, done, start)
        events.append({"start": start, **outcome(call, start, options, damaged)})
        done = events[-1]["end"]
        damaged |= "code" in events[-1] or any(code == "open-quote" for _, code, _ in call.notes)
    return events + prose(text, done, len(text))


def prose(text, start, end):
    """The event of text outside calls, none where it is empty; base64 where it is no UTF-8."""
    span = {"type": "text", "start": start, "end": end}
    try:
        return [{**span, "text": text[start:end].decode()}] if start < end else []
    except UnicodeDecodeError:
        return [{**span, "text": {"b64": base64.b64encode(text[start:end]).decode()}}]


def outcome(call, start, options, damaged):
    """Reads a call: it is delivered, or malformed by the first of its faults."""
    faults = []
    try:
        call.read()
        end, closed = call.i, call.text.endswith(CLOSE, 0, call.i)
    except Fault as fault:
        code, at, begin = fault.args
        faults.append((at, code))
        end, closed = skip(call.text, begin, call.limits["bytes"])
    notes = sorted(call.notes, key=lambda note: note[0])
    faults += [note[:2] for note in notes if note[2] is None or options.get("strict")]
    if not faults and damaged and options.get("stopAfterMalformed"):
        faults.append((start, "after-malformed"))
    if faults:
        at, code = min(faults, key=lambda fault: fault[0])
        return {"type": "malformed", "end": end, "code": code, "at": at, "closed": closed}
    issues = [{"code": code, "path": path, "at": at} for at, code, path in notes]
    said = {"name": call.name, "input": dump(call.input), "issues": issues}
    return {"type": "tool-call", "end": end, **said, "afterMalformed": damaged}


def skip(text, begin, limit):
    """Where the damage ends, and whether with a close tag."""
    for found in DAMAGE.finditer(text, begin):
        if found[0] == CLOSE:
            return found.end(), True
        if found[0].startswith(OPEN) and len(found[0]) < limit:
            return found.start(), False
    return len(text), False


def ill_formed(text, start):
    """The first byte from start on that makes the text no UTF-8, infinity if there is none."""
    try:
        text[start:].decode()
    except UnicodeDecodeError as error:
        return start + (error.start if error.reason == "invalid start byte" else error.end)
    return math.inf


def answer(request):
    if request.get("cmd") == "hello":
        return {"protocol": 1, "name": "callwire-python", "version": "3.0", "spec": "1.0",
                "ops": ["parse"]}
    text = request["text"]
    text = base64.b64decode(text["b64"]) if isinstance(text, dict) else text.encode()
    events = parse(text, request.get("tools"), request.get("options"))
    return {"seq": int(request["seq"].digits), "events": events}


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        request = load(line.decode())
        if request.get("cmd") == "bye":
            break
        print(json.dumps(answer(request)), flush=True)
