package lexeme

// Near knows the second, third and fourth bytes of tags that begin with the same byte,
// in either case.
type Near [3]byteSet

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(c byte) { s[c>>6] |= 1 << (c & 63) }

func (s *byteSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

// NewNear returns the Near for these tags.
func NewNear(tags ...string) *Near {
	n := new(Near)
	for _, tag := range tags {
		for i := range n {
			if len(tag) <= 1+i { // whatever follows
				n[i] = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
				continue
			}
			n[i].add(tag[1+i] | 0x20)
			n[i].add(tag[1+i] &^ 0x20)
		}
	}
	return n
}

// At reports whether w, which begins with their first byte, may begin with one of the
// tags. A nil Near knows none.
func (n *Near) At(w []byte) bool { return n != nil && n.at(w) }

func (n *Near) at(w []byte) bool {
	for i := range n {
		if 1+i < len(w) && !n[i].has(w[1+i]) {
			return false
		}
	}
	return true
}
