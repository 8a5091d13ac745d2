package stream

import (
	"fmt"
	"testing"
)

// Ids are the prefix and the number, whatever is in the table.
func TestIDs(t *testing.T) {
	table := newIDTable("id-")
	for n := 1; n <= 12000; n++ {
		if got, want := table.id(n), fmt.Sprintf("id-%d", n); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if got := callIDs.id(1) + " " + textIDs.id(1); got != "call-1 text-1" {
		t.Errorf("the first ids are %s", got)
	}
}

// The ids of usual messages are no memory of their own.
func TestIDsDoNotAllocate(t *testing.T) {
	n := 0
	if got := testing.AllocsPerRun(998, func() { n++; _ = callIDs.id(n) }); got != 0 {
		t.Errorf("%v allocations an id", got)
	}
	if n != 999 {
		t.Errorf("%d ids", n)
	}
}
