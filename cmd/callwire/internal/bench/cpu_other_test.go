//go:build !unix

package bench

import "time"

var started = time.Now()

// cpu returns the time that has passed, because there is no processor time in package syscall.
func cpu() time.Duration { return time.Since(started) }
