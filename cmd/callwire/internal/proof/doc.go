// Package proof proves of a text that it reads the same in any chunks, by reading it at
// one split after another.
package proof
