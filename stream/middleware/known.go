package middleware

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"

	"github.com/callwire/callwire/manual"
)

// A conversation grows at its end: all but the last messages of a request were in the
// request before. Their rewritten form is found again by their bytes, so the work for a
// conversation grows with its length, not with its square. This decides nothing itself:
// unless the messages before and after a mark are certainly independent, everything is
// rewritten.

// known is the beginning of a conversation and its rewritten form.
type known struct {
	key   [32]byte // of all else that it was made of
	raw   []byte   // of the request, up to the end of a message; shared, and never written to
	list  int      // offset in raw of the first byte of the conversation
	out   []byte   // the messages, rewritten, as an array without its end
	all   []byte   // of the request being rewritten: out, the messages after the last mark, and the end
	marks []mark
	ids   map[string]int // of the calls, and the offset in raw after the message of each
	uses  bool           // there are calls or results
}

// mark is a place between two messages at which a conversation can be resumed.
type mark struct {
	raw, out int    // offsets
	count    int    // messages before it
	role     string // of the rewritten message before it
}

// last returns the mark at which k ends, the zero mark if it is empty.
func (k *known) last() mark {
	if len(k.marks) == 0 {
		return mark{}
	}
	return k.marks[len(k.marks)-1]
}

// cut reduces k to what the request also begins with. It reports whether anything is
// left.
func (k *known) cut(data []byte) bool {
	same := commonPrefix(k.raw, data)
	n := len(k.marks)
	for n > 0 {
		if m := k.marks[n-1]; m.raw <= same {
			if i := space(data, m.raw); i < len(data) && data[i] == ',' {
				break
			}
		}
		n--
	}
	if k.marks = k.marks[:n]; n == 0 {
		return false
	}
	k.raw, k.out = k.raw[:k.last().raw], k.out[:k.last().out]
	return true
}

// commonPrefix returns how many bytes a and b begin with in common.
func commonPrefix(a, b []byte) int {
	n, block := min(len(a), len(b)), 4096
	for i := 0; i < n; i += block {
		end := min(i+block, n)
		if bytes.Equal(a[i:end], b[i:end]) {
			continue
		}
		for a[i] == b[i] {
			i++
		}
		return i
	}
	return n
}

// keyOf returns a hash of everything that decides how the messages of a request are
// rewritten.
func (d *dialect) keyOf(want *demand, set *toolset) (key [32]byte) {
	h := sha256.New()
	for _, list := range [][][]byte{{[]byte(d.name)}, want.tools, want.native, {[]byte(want.manual(set))}} {
		for _, part := range list {
			h.Write(part)
			h.Write([]byte{0}) // none of them contains it
		}
		h.Write([]byte{0})
	}
	return [32]byte(h.Sum(nil))
}

// read cuts a request that begins with k: the conversation's member has no value, and
// the messages are those after k. It reports false if data is not a JSON object. It
// writes to data, and restores it.
func (k *known) read(d *dialect, data []byte) (r request, ok bool) {
	if len(k.marks) == 0 {
		if r, ok = cutRequest(data, d.messages); ok && r.messages == nil {
			r.messages = d.conversation(r.body)
			r.objects = readObjects(r.messages)
		}
		return r, ok
	}
	const stump, nothing = `{"":[0`, `0}` // in place of what is known, and of a conversation
	head, rest := data[:k.list+len(nothing)], data[k.last().raw-len(stump):]
	before := string(head[k.list:])
	copy(head[k.list:], nothing)
	body := readObject(nil, head)
	copy(head[k.list:], before)

	before = string(rest[:len(stump)])
	copy(rest, stump)
	r, ok = cutRequest(rest, "")
	copy(rest, before)
	if !ok {
		return r, false
	}
	body[len(body)-1].value = nil
	r.body, r.messages, r.objects = append(body, r.body[1:]...), r.messages[1:], r.objects[1:]
	return r, true
}

// follows reports whether these messages can be rewritten without those of k: the first
// one is a turn of its own, and no result answers an earlier call.
func (k *known) follows(messages []manual.Message) bool {
	if len(k.marks) == 0 {
		return true
	}
	if first := &messages[0]; !opensTurn(first) || first.Role == k.last().role {
		return false
	}
	calls := make(map[string]bool)
	for i := range messages {
		for _, p := range messages[i].Parts {
			switch {
			case p.Kind == manual.Result && !calls[p.ID]:
				return false
			case p.Kind == manual.Call:
				if at, known := k.ids[p.ID]; known && at <= k.last().raw {
					return false
				}
				calls[p.ID] = true
			}
		}
	}
	return true
}

// opensTurn reports whether a message is not merged into the one before it.
func opensTurn(m *manual.Message) bool {
	return m.Role != manual.User && m.Role != manual.ToolRole && len(m.Parts) > 0
}

// span says which messages a rewritten one comes from.
type span struct{ first, last int }

// extend adds to k what was made of the messages after it, which are parts of data.
func (k *known) extend(data []byte, raws [][]byte, messages []manual.Message, natives map[string]bool, out [][]byte, roles []string, spans []span) {
	at := func(part []byte) int { return cap(data) - cap(part) } // no slice of data was capped
	if len(k.marks) == 0 {
		k.list = bytes.LastIndexByte(data[:at(raws[0])], '[')
	}
	if k.ids == nil {
		k.ids = make(map[string]int)
	}
	for i := range messages {
		for _, p := range messages[i].Parts {
			if p.Kind == manual.Call && p.ID != "" {
				k.ids[p.ID] = at(raws[i]) + len(raws[i])
			}
		}
	}
	for id := range natives {
		k.ids[id] = 0
	}
	closed, from := closedPlaces(messages), k.last()
	add := func(count int, role string) {
		last := raws[count-1]
		k.marks = append(k.marks, mark{raw: at(last) + len(last), out: len(k.out), count: from.count + count, role: role})
	}
	size := len("[]") + len(out)
	for _, o := range out {
		size += len(o)
	}
	if k.out = slices.Grow(k.out, size); len(k.out) == 0 {
		k.out = append(k.out, '[')
	}
	next := 0 // message of which nothing is in k.out
	for i, s := range spans {
		if s.first == next && next > 0 && closed[next] && opensTurn(&messages[next]) {
			add(next, roles[i-1])
		}
		if len(k.out) > 1 {
			k.out = append(k.out, ',')
		}
		k.out = append(k.out, out[i]...)
		next = max(next, s.last+1)
	}
	if next == len(raws) {
		add(next, roles[len(roles)-1])
	}
	k.raw = data[:k.last().raw]
	k.all, k.out = append(k.out, ']'), k.out[:k.last().out]
}

// closedPlaces says of the place before each message whether no result after it answers
// a call before it.
func closedPlaces(messages []manual.Message) []bool {
	called := make(map[string]int)
	open := make([]int, len(messages)+1) // how many more results cross this place than the one before
	for i := range messages {
		for _, p := range messages[i].Parts {
			if p.Kind == manual.Call {
				called[p.ID] = i
			}
			if c, known := called[p.ID]; p.Kind == manual.Result && known && c < i {
				open[c+1]++
				open[i+1]--
			}
		}
	}
	closed := make([]bool, len(messages))
	n := 0
	for i := range closed {
		n += open[i]
		closed[i] = n == 0
	}
	return closed
}

// knownLimit bounds the bytes of all conversations that are kept, and of each one;
// those of fewer than knownLeast bytes are not worth keeping. At most maxKnown are
// kept.
const (
	knownLimit = 16 << 20
	knownLeast = 4 << 10
	maxKnown   = 64
)

// knownCache keeps the conversations that were rewritten last. The zero value is
// ready.
type knownCache struct {
	mu    sync.Mutex
	order list.List // of *known; the one used last is the first
	bytes int
}

func (k *known) size() int { return cap(k.raw) + cap(k.out) + 64*cap(k.marks) }

// take returns what is known of a request, empty if nothing is. It belongs to the
// caller.
func (c *knownCache) take(data []byte) *known {
	c.mu.Lock()
	var best *list.Element
	most := 0
	for e := c.order.Front(); e != nil; e = e.Next() {
		k := e.Value.(*known)
		if half := len(k.raw) / 2; len(data) < len(k.raw)/2+knownLeast/4 || !bytes.Equal(data[half:half+knownLeast/4], k.raw[half:half+knownLeast/4]) {
			continue // the cheapest way to tell most of the others
		}
		if n := commonPrefix(data, k.raw); n > most {
			best, most = e, n
		}
	}
	if best == nil {
		c.mu.Unlock()
		return &known{}
	}
	k := best.Value.(*known)
	if 2*most < len(k.raw) { // the others go on too
		k = &known{key: k.key, raw: k.raw[:most], list: k.list, out: k.out, marks: slices.Clone(k.marks), ids: maps.Clone(k.ids), uses: k.uses}
		k.out = bytes.Clone(k.out)
	} else {
		c.bytes -= k.size()
		c.order.Remove(best)
	}
	c.mu.Unlock()
	if !k.cut(data) {
		return &known{}
	}
	return k
}

// put keeps what is known of a request.
func (c *knownCache) put(k *known) {
	if len(k.raw) < knownLeast || k.size() > knownLimit/2 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.PushFront(k)
	c.bytes += k.size()
	for c.bytes > knownLimit || c.order.Len() > maxKnown {
		c.bytes -= c.order.Remove(c.order.Back()).(*known).size()
	}
}
