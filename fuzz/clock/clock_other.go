//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package clock

import "time"

// Now returns the time since the program began: here is no way to ask for that
// of the process alone.
func Now() time.Duration { return time.Since(start) }
