package clock_test

import (
	"fmt"
	"time"

	"github.com/callwire/callwire/fuzz/clock"
)

// Sleep takes time, and next to none of the processor's.
func ExampleNow() {
	start := clock.Now()
	time.Sleep(time.Millisecond)
	fmt.Println(clock.Now() >= start)
	// Output: true
}
