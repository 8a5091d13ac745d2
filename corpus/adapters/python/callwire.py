"""A reader of the callwire format at the core level: text to events, asked over a pipe."""
import json
import re
import sys
from base64 import b64decode, b64encode
from bisect import bisect
from operator import itemgetter

from call import START, Call
from schema import Number, Place, decode

LIMITS = {'bytes': 4194304, 'depth': 64, 'arguments': 1024, 'name': 256}
# A byte that cannot go on with the UTF-8 before it; the end, if it is inside a character.
INSIDE = rb'(?:(?<=[\xC2-\xF4])|(?<=[\xE0-\xF4][\x80-\xBF])|(?<=[\xF0-\xF4][\x80-\xBF]{2}))'
ILL_FORMED = re.compile(rb'%b(?:[^\x80-\xBF]|\Z)|(?!%b)[\x80-\xC1\xF5-\xFF]|(?<=\xE0)[\x80-\x9F]|'
                        rb'(?<=\xED)[\xA0-\xBF]|(?<=\xF0)[\x80-\x8F]|(?<=\xF4)[\x90-\xBF]'
                        % (INSIDE, INSIDE))

def to_json(value):
    if isinstance(value, dict):
        return '{%s}' % ','.join(f'{to_json(key)}:{to_json(value[key])}' for key in value)
    if isinstance(value, list):
        return '[%s]' % ','.join(map(to_json, value))
    return value.digits if isinstance(value, Number) else json.dumps(value)

def to_issue(code, at, path):
    cut = path[1:].encode()[:1000].decode(errors='ignore')  # a path begins with a dot
    return {'code': code, 'path': cut if cut == path[1:] else cut + '…', 'at': at}

def read(data, find_tool, options):
    end, done, marked = len(data), 0, False
    limits = {**LIMITS, **options.get('limits', {})}
    bad = [byte.start() for byte in ILL_FORMED.finditer(data)] + [end]
    accepted_end = end if options.get('acceptAtEnd') and bad.count(end) == 1 else None
    for opener in START.finditer(data):
        begin = opener.start()
        if begin < done or begin < end and len(opener[0]) >= limits['bytes']:
            continue
        if done < begin:
            text = data[done:begin]
            text = {'b64': b64encode(text).decode()} if ILL_FORMED.search(text) else text.decode()
            yield {'type': 'text', 'start': done, 'end': begin, 'text': text}
        if begin == end:
            break
        wall = min(('unterminated-call', end), ('call-too-long', begin + limits['bytes']),
                   ('invalid-utf8', bad[bisect(bad, begin)]), key=itemgetter(1))
        call = Call(data, opener.end(), wall, accepted_end, find_tool, limits)
        done, event = call.at, {'type': 'malformed', 'start': begin, 'end': call.at}
        faults = [note for note in call.notes if options.get('strict') or note[2] is None]
        if faults or marked and options.get('stopAfterMalformed'):
            code, at, _ = min(faults, key=itemgetter(1), default=('after-malformed', begin, None))
            event.update(code=code, at=at, closed=call.closed)
        else:
            issues = [to_issue(*note) for note in sorted(call.notes[:1000], key=itemgetter(1))]
            event.update(type='tool-call', name=call.name, input=to_json(call.arguments),
                         issues=issues, afterMalformed=marked)
        yield event
        marked |= bool(faults) or any(note[0] == 'open-quote' for note in call.notes)

def answer(request, tools):
    if request.get('cmd') == 'hello':
        return dict(protocol=1, name='callwire-py', version='1.0', spec='1.0', ops=['parse'])
    if request['op'] != 'parse':
        return {'seq': request['seq'], 'skip': 'this reader parses whole texts only'}
    text = request['text']
    places = {tool['name']: Place(tool['inputSchema'], tool['inputSchema']) for tool in tools or ()}
    other = Place(True, True, unknown=tools is not None)
    data = text.encode() if isinstance(text, str) else b64decode(text['b64'])
    events = read(data, lambda name: places.get(name, other), request.get('options', {}))
    return {'seq': request['seq'], 'events': list(events)}

if __name__ == '__main__':
    for line in sys.stdin:
        request = json.loads(line)
        if request.get('cmd') != 'bye':
            print(json.dumps(answer(request, decode(line).get('tools'))), flush=True)
