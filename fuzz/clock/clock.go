// Package clock measures the processor time of a program.
package clock

import "time"

// start is when the program started.
var start = time.Now()
