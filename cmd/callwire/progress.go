package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// progressOn returns what shows progress, and what ends that: on a terminal a line
// that changes, elsewhere a line every half minute, so that a log shows life.
func progressOn(w io.Writer) (progress func(done, total, failed int), end func()) {
	if !terminal.Is(w) {
		return progressLines(w, time.Tick(30*time.Second))
	}
	last := time.Time{}
	progress = func(done, total, failed int) {
		if now := time.Now(); done == total || now.Sub(last) > 100*time.Millisecond {
			last = now
			fmt.Fprint(w, "\r\x1b[K", progressLine(done, total, failed))
		}
	}
	return progress, func() { fmt.Fprint(w, "\r\x1b[K") }
}

// progressLines writes a line at each tick.
func progressLines(w io.Writer, ticks <-chan time.Time) (progress func(done, total, failed int), end func()) {
	var line atomic.Value
	line.Store("no check is done yet")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ticks:
				fmt.Fprintln(w, line.Load())
			case <-stop:
				return
			}
		}
	}()
	progress = func(done, total, failed int) { line.Store(progressLine(done, total, failed)) }
	return progress, func() {
		close(stop)
		<-stopped
	}
}

func progressLine(done, total, failed int) string {
	return fmt.Sprintf("%d of %d checks, %d fail", done, total, failed)
}
