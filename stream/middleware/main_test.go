package middleware

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a quarter of the time is garbage
	os.Exit(m.Run())
}
