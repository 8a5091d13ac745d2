//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpu returns the processor time of this process, which other processes don't add to.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
