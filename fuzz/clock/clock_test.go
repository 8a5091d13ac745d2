package clock

import "testing"

// TestClock: the clock goes on while there is work, and never back.
func TestClock(t *testing.T) {
	last, sum := Now(), 0
	for begun := last; last < begun+5e6; { // 5 ms
		for i := range 10_000 {
			sum += i
		}
		now := Now()
		if now < last {
			t.Fatalf("back from %v to %v", last, now)
		}
		last = now
	}
	if sum == 0 {
		t.Error("no work")
	}
}
