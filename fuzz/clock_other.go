//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package fuzz

import "time"

// clock returns the time since the program began: here is no way to ask for that of
// the process alone.
func clock() time.Duration { return time.Since(begun) }
