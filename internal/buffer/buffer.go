// Package buffer reuses the memory of large buffers. A long call needs megabytes for a moment;
// growing into fresh memory each time takes longer than reading the call.
package buffer

import "sync"

// small is the capacity, in bytes, up to which a buffer stays with its owner.
const small = 64 << 10

// large has buffers that are not in use, as *[]byte. The garbage collector empties it.
var large sync.Pool

// Grow returns b with room for n more bytes. It never changes b's memory, which may be in use.
func Grow(b []byte, n int) []byte {
	if n <= cap(b)-len(b) {
		return b
	}
	return grow(b, max(len(b)+n, 2*cap(b)))
}

// grow returns a copy of b with room for n bytes in all.
func grow(b []byte, n int) []byte {
	if n > small {
		if p, _ := large.Get().(*[]byte); p != nil && n <= cap(*p) {
			return append((*p)[:0], b...)
		}
	}
	return append(make([]byte, 0, n), b...)
}

// Keep returns b for its owner to use again, emptied. Of a large buffer it returns nil: the next
// long call gets its memory, from Grow.
func Keep(b []byte) []byte {
	if cap(b) <= small {
		return b[:0]
	}
	unused := b // b itself would be allocated for each small buffer too
	large.Put(&unused)
	return nil
}
