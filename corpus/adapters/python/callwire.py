"""A reader of the callwire format at the core level: chunks to events, asked over a pipe."""
import json
import re
import sys
from base64 import b64decode, b64encode
from bisect import bisect
from operator import itemgetter

from call import OPEN, START, Call
from schema import Number, Place, decode

LIMITS = {'bytes': 4194304, 'depth': 64, 'arguments': 1024, 'name': 256}
# A byte that cannot go on with the UTF-8 before it; the end, if it is inside a character.
INSIDE = rb'(?:(?<=[\xC2-\xF4])|(?<=[\xE0-\xF4][\x80-\xBF])|(?<=[\xF0-\xF4][\x80-\xBF]{2}))'
ILL_FORMED = re.compile(rb'%b(?:[^\x80-\xBF]|\Z)|(?!%b)[\x80-\xC1\xF5-\xFF]|(?<=\xE0)[\x80-\x9F]|'
                        rb'(?<=\xED)[\xA0-\xBF]|(?<=\xF0)[\x80-\x8F]|(?<=\xF4)[\x90-\xBF]'
                        % (INSIDE, INSIDE))

def ill_formed(data):
    try:
        data.decode()  # which is much faster
        return []
    except UnicodeDecodeError:
        return [byte.start() for byte in ILL_FORMED.finditer(data)]

# What text may end in and not give out yet: the beginning of a call, or of a character.
TAIL = re.compile(rb'<(?:c(?:a(?:ll?)?)?)?\Z|<call>[ \t\r\n]*\Z')
HALF = re.compile(rb'[\xC2-\xF4][\x80-\xBF]{0,2}\Z')

def to_json(value):
    if isinstance(value, dict):
        return '{%s}' % ','.join(f'{to_json(key)}:{to_json(value[key])}' for key in value)
    if isinstance(value, list):
        return '[%s]' % ','.join(map(to_json, value))
    return value.digits if isinstance(value, Number) else json.dumps(value)

def to_issue(code, at, path):
    cut = path[1:].encode()[:1000].decode(errors='ignore')  # a path begins with a dot
    return {'code': code, 'path': cut if cut == path[1:] else cut + '…', 'at': at}

class Stream:
    """The events of a text that comes in chunks, each as soon as it is certain."""
    def __init__(self, find_tool, options):
        self.settings = find_tool, options
        self.limits = {**LIMITS, **options.get('limits', {})}
        self.data, self.base = bytearray(), 0  # what is still to be given out, and its offset
        self.marked = self.in_text = False
        self.calls = 0

    def feed(self, chunk):
        before, self.data = self.data, self.data + chunk
        # A call that is open ends with a tag, or with what a second opener opens.
        waits = before.startswith(OPEN) and b'>' not in chunk
        if not waits or before.rstrip(b' \t\r\n').endswith(OPEN):
            yield from self.read(final=False)

    def read(self, final=True):
        find_tool, options = self.settings
        data, base, end, done = bytes(self.data), self.base, len(self.data), 0
        bad = ill_formed(data) + [end]
        inside = bad.count(end) > 1
        accepted_end = end if final and options.get('acceptAtEnd') and not inside else None
        tail = not final and (TAIL.search(data) or inside and HALF.search(data))
        for opener in START.finditer(data):
            begin = opener.start()
            if begin < done or begin < end and len(opener[0]) >= self.limits['bytes']:
                continue
            text = data[done:tail.start() if tail and begin == end else begin]
            if text:
                said = {'b64': b64encode(text).decode()} if ILL_FORMED.search(text) else text.decode()
                done += len(text)
                yield {'type': 'text', 'start': base + done - len(text), 'end': base + done, 'text': said}
            if begin == end:
                break
            wall = min(('unterminated-call', end), ('call-too-long', begin + self.limits['bytes']),
                       ('invalid-utf8', bad[bisect(bad, begin)]), key=itemgetter(1))
            call = Call(data, opener.end(), wall, accepted_end, find_tool, self.limits)
            if call.at == end and not (final or call.closed):
                break  # what follows may still belong to it
            done = call.at
            yield self.outcome(call, begin, options)
        self.data, self.base = self.data[done:], base + done

    def outcome(self, call, begin, options):
        base, marked = self.base, self.marked
        event = {'type': 'malformed', 'start': base + begin, 'end': base + call.at}
        faults = [note for note in call.notes if options.get('strict') or note[2] is None]
        if faults or marked and options.get('stopAfterMalformed'):
            code, at, _ = min(faults, key=itemgetter(1), default=('after-malformed', begin, None))
            event.update(code=code, at=base + at, closed=call.closed)
        else:
            notes = sorted(call.notes[:1000], key=itemgetter(1))
            issues = [to_issue(code, base + at, path) for code, at, path in notes]
            event.update(type='tool-call', name=call.name, input=to_json(call.arguments),
                         issues=issues, afterMalformed=marked)
        self.marked |= bool(faults) or any(note[0] == 'open-quote' for note in call.notes)
        return event

    def steps(self, events, final=False):
        """The events as a stream has them: text in pieces, a call with its life."""
        for event in events:
            kind = event['type']
            if (kind == 'text') != self.in_text:
                self.in_text = not self.in_text
                yield {'type': 'text-start' if self.in_text else 'text-end'}
            if kind == 'text':
                event = {'type': 'text-delta', 'text': event['text']}
            elif kind == 'tool-call':
                self.calls += 1
                event['id'] = name = f'call-{self.calls}'
                yield {'type': 'tool-input-start', 'id': name, 'name': event['name']}
                yield {'type': 'tool-input-delta', 'id': name, 'delta': event['input']}
                yield {'type': 'tool-input-end', 'id': name}
            yield event
        if final and self.in_text:
            yield {'type': 'text-end'}

STREAMS = {}

def stream_of(request, tools):
    places = {tool['name']: Place(tool['inputSchema'], tool['inputSchema']) for tool in tools or ()}
    for name, place in places.items():
        if not place.rank({}):
            places[name] = Place(True, True)  # what allows no object did not mean arguments
    other = Place(True, True, unknown=tools is not None)
    return Stream(lambda name: places.get(name, other), request.get('options', {}))

def events_of(request, tools):
    text = request.get('text', '')
    data = text.encode() if isinstance(text, str) else b64decode(text['b64'])
    if 'repeat' in request:
        start, end, times = itemgetter('start', 'end', 'times')(request['repeat'])
        data = data[:start] + data[start:end] * times + data[end:]
    if request['op'] == 'parse':
        stream = stream_of(request, tools)
        stream.data = data
        return stream.read()
    name = request['id']
    if request['op'] == 'close':
        stream = STREAMS.pop(name)
        return stream.steps(stream.read(), final=True)
    if request['op'] == 'reset':
        STREAMS[name] = Stream(*STREAMS[name].settings)
        return []
    if name not in STREAMS:
        STREAMS[name] = stream_of(request, tools)
    stream = STREAMS[name]
    return stream.steps(stream.feed(data))

def answer(request, tools):
    if request.get('cmd') == 'hello':
        return dict(protocol=min(request['protocol'], 2), name='callwire-py', version='1.0',
                    spec='1.0', ops=['parse', 'feed'])
    if request['op'] not in ('parse', 'feed', 'close', 'reset'):
        return {'seq': request['seq'], 'skip': 'this reader does not ' + request['op']}
    if request.get('delims') or request.get('protocol'):
        return {'seq': request['seq'], 'skip': 'this reader knows the default tags only'}
    if {'salvage', 'reasoning', 'code'} & set(request.get('options', {})):
        return {'seq': request['seq'], 'skip': 'this reader reads the format as specified'}
    return {'seq': request['seq'], 'events': list(events_of(request, tools))}

if __name__ == '__main__':
    for line in sys.stdin:
        request = json.loads(line)
        if request.get('cmd') == 'bye':
            break
        tools = decode(line)['tools'] if 'tools' in request else None  # with exact numbers
        print(json.dumps(answer(request, tools)), flush=True)
