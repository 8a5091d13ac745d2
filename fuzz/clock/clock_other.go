//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package clock

import "time"

// Now returns the time since the program started, because the processor time of a process is not
// available on this system.
func Now() time.Duration { return time.Since(start) }
