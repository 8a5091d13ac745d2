//go:build linux || darwin || freebsd || netbsd || openbsd

package clock

import (
	"syscall"
	"time"
)

// Now returns the processor time that this process has used, which other
// programs on the machine add nothing to. The collection of garbage, on whatever
// core, is in it.
func Now() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Since(start)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
