package sig

import "bytes"

// FirstKey returns the length of the first key of a path in an object of type t. It is the
// longest declared key that the path begins with if declared keys contain dots, and otherwise
// everything before the first dot.
func (t *Type) FirstKey(path []byte) int {
	if t != nil && t.Dotted {
		for n := len(path); n > 0; n = bytes.LastIndexByte(path[:n], '.') {
			if t.Field(path[:n]) != nil {
				return n
			}
		}
	}
	if n := bytes.IndexByte(path, '.'); n >= 0 {
		return n
	}
	return len(path)
}
