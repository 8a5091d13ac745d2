//go:build linux || darwin || freebsd || netbsd || openbsd

package clock

import (
	"syscall"
	"time"
)

// Now returns the processor time that this process has used, including garbage collection on all
// cores. Other programs on the machine do not affect it.
func Now() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Since(start)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
