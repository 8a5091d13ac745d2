package stream

import "strconv"

// idTable holds the ids of one prefix up to 999, one after the other, by their number
// of digits: such an id is part of a string, so returning it allocates nothing.
type idTable struct {
	prefix string
	ids    [3]string // of one, two and three digits
}

var callIDs, textIDs, reasoningIDs = newIDTable("call-"), newIDTable("text-"), newIDTable("reasoning-")

func newIDTable(prefix string) *idTable {
	t := &idTable{prefix: prefix}
	for d, from := 0, 1; d < len(t.ids); d, from = d+1, 10*from {
		var ids []byte
		for n := from; n < 10*from; n++ {
			ids = strconv.AppendInt(append(ids, prefix...), int64(n), 10)
		}
		t.ids[d] = string(ids)
	}
	return t
}

// id returns the id of n, which counts from 1.
func (t *idTable) id(n int) string {
	d, from := 0, 1
	switch {
	case n >= 1000:
		return string(strconv.AppendInt(append(make([]byte, 0, 32), t.prefix...), int64(n), 10))
	case n >= 100:
		d, from = 2, 100
	case n >= 10:
		d, from = 1, 10
	}
	width := len(t.prefix) + d + 1
	at := (n - from) * width
	return t.ids[d][at : at+width]
}
