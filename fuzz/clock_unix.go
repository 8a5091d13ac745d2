//go:build linux || darwin || freebsd || netbsd || openbsd

package fuzz

import (
	"syscall"
	"time"
)

// clock returns the processor time that this process has used, which other programs
// on the machine add nothing to.
func clock() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Since(begun)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
