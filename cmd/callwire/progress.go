package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// progressOn returns a function that shows progress, and one that ends that: on a terminal a line
// that changes, elsewhere a line every half minute, so that a log shows life.
func progressOn(w io.Writer) (show func(done, total, failed int), end func()) {
	if !terminal.Is(w) {
		return progressLines(w, time.Tick(30*time.Second))
	}
	p := terminal.NewProgress(w, "checks", 0)
	show = func(done, total, failed int) {
		p.What = fmt.Sprintf("checks, %d fail", failed)
		p.At(done, total)
	}
	return show, p.End
}

// progressLines writes a line at each tick.
func progressLines(
	w io.Writer, ticks <-chan time.Time,
) (show func(done, total, failed int), end func()) {
	var mu sync.Mutex
	line := "no check is done yet"
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ticks:
				mu.Lock()
				fmt.Fprintln(w, line)
				mu.Unlock()
			case <-stop:
				return
			}
		}
	}()
	show = func(done, total, failed int) {
		mu.Lock()
		defer mu.Unlock()
		line = fmt.Sprintf("%d of %d checks, %d fail", done, total, failed)
	}
	return show, func() {
		close(stop)
		<-stopped
	}
}
