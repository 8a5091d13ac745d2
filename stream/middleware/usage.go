package middleware

import (
	"bytes"
	"strconv"

	"github.com/callwire/callwire/internal/rawjson"
)

// addUsage returns the usage of two messages together: numbers are added, objects
// member by member, and everything else comes from the later one. Either may be nil.
func addUsage(earlier, later []byte) []byte {
	switch {
	case rawjson.IsNull(earlier):
		return later
	case rawjson.IsNull(later):
		return earlier
	}
	m, errM := strconv.ParseInt(string(earlier), 10, 64)
	n, errN := strconv.ParseInt(string(later), 10, 64)
	if errM == nil && errN == nil {
		return strconv.AppendInt(nil, m+n, 10)
	}
	a, b := rawjson.ParseObject(earlier), rawjson.ParseObject(later)
	if a == nil || b == nil {
		return later
	}
	known := make(map[string][]byte, len(b))
	for _, m := range b {
		known[m.Key] = m.Value
	}
	for i := range a {
		a[i].Value = addUsage(a[i].Value, known[a[i].Key])
	}
	return merge(b, a).Append(nil)
}

// spending is the usage of the messages of one exchange.
type spending struct {
	before []byte // by messages that were sent back; JSON, or nil
	now    []byte // by the one being read, as far as it is known
}

// note takes the usage that an event reports for the message so far.
func (s *spending) note(usage []byte) {
	if len(usage) > 0 && usage[0] == '{' {
		s.now = bytes.Clone(usage)
	}
}

// restart announces that another message replaces this one.
func (s *spending) restart() {
	s.before, s.now = s.sum(), nil
}

// sum returns the usage of all messages.
func (s *spending) sum() []byte { return addUsage(s.before, s.now) }
