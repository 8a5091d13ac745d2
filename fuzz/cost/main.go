// Command cost prints the cost of the adversaries of package fuzz for a decoder: time
// and memory per byte of text, and how both grow with it.
//
//	go run ./fuzz/cost                          # 1 and 8 MiB, chunks of 4096 bytes and of one
//	go run ./fuzz/cost -only 'enum|missing'     # the families that match
//	go run ./fuzz/cost -sizes 512,4096          # sizes in KiB
//	go run ./fuzz/cost -limits none             # without limits instead of with the default ones
//
// 8 MiB are over the limit on the bytes of a call, so that most rows measure two states:
// the call, and the damage after the limit. With -limits none they measure one.
//
// An exponent of 1 is linear growth. Rows that exceed the goals, one microsecond and
// forty bytes per byte and an exponent of 1.1, end with what they exceed. Times are as
// noisy as the machine, so the tests of package fuzz count steps instead.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/lexer"
)

// The goals.
const (
	mostTime     = 1.0 // microseconds per byte
	mostMemory   = 40.0
	mostExponent = 1.1

	// Below so much time per byte, caches decide what a size costs, and not the reader.
	leastTime = 0.001
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// run prints the table for these arguments.
func run(args []string, out io.Writer) error {
	f := flag.NewFlagSet("cost", flag.ContinueOnError)
	only := f.String("only", "", "families whose name matches this `expression`")
	sizes := f.String("sizes", "1024,8192", "lengths of the texts, in `KiB`")
	chunks := f.String("chunks", "4096,1", "lengths of the chunks, in `bytes`")
	count := f.Int("count", 3, "how many times each text is read: the shortest time counts")
	limits := f.String("limits", "default", "default or none")
	if err := f.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	kib, err := numbers(*sizes)
	if err != nil {
		return err
	}
	cuts, err := numbers(*chunks)
	if err != nil {
		return err
	}
	var under lexer.Limits
	switch *limits {
	case "none":
		under = fuzz.Boundless
	case "default":
	default:
		return fmt.Errorf("limits %q: want none or default", *limits)
	}
	head(out, kib)
	dear := 0
	for _, a := range fuzz.Adversaries {
		if !wanted.MatchString(a.Name) {
			continue
		}
		for _, size := range cuts {
			if !row(out, a, kib, size, *count, under) {
				dear++
			}
		}
	}
	fmt.Fprintf(out, "%d rows cost more than is aimed at\n", dear)
	return nil
}

// numbers reads a list of positive numbers.
func numbers(list string) ([]int, error) {
	var all []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("%q is not a list of positive numbers", list)
		}
		all = append(all, n)
	}
	return all, nil
}

// head prints the names of the columns.
func head(out io.Writer, kib []int) {
	fmt.Fprintf(out, "%-42s %6s", "", "chunk")
	for _, k := range kib {
		fmt.Fprintf(out, " %14s", fmt.Sprint(k, " KiB"))
	}
	fmt.Fprintf(out, " %9s\n%-42s %6s", "exponent", "family", "bytes")
	for range kib {
		fmt.Fprintf(out, " %7s %6s", "us/B", "B/B")
	}
	fmt.Fprintf(out, " %4s %4s\n", "time", "mem")
}

// row prints the cost of a family in chunks of one size, and reports whether it meets
// the goals.
func row(out io.Writer, a fuzz.Adversary, kib []int, size, count int, limits lexer.Limits) bool {
	fmt.Fprintf(out, "%-42s %6d", a.Name, size)
	var costs []fuzz.Cost
	slow, large := false, false
	for _, k := range kib {
		c := a.Cost(k<<10, size, limits)
		for range count - 1 {
			c.Time = min(c.Time, a.Cost(k<<10, size, limits).Time)
		}
		us, memory := float64(c.Time.Nanoseconds())/1000/float64(c.Bytes), float64(c.Allocated)/float64(c.Bytes)
		fmt.Fprintf(out, " %7.3f %6.1f", us, memory)
		slow, large = slow || us > mostTime, large || memory > mostMemory
		costs = append(costs, c)
	}
	first, last := costs[0], costs[len(costs)-1]
	growth := math.Log(float64(last.Bytes) / float64(first.Bytes))
	time := math.Log(float64(last.Time)/float64(first.Time)) / growth
	memory := math.Log(float64(last.Allocated+1)/float64(first.Allocated+1)) / growth
	fmt.Fprintf(out, " %4.2f %4.2f", time, memory)
	grows := time > mostExponent && float64(last.Time.Nanoseconds())/1000/float64(last.Bytes) > leastTime
	for _, e := range []struct {
		is   bool
		what string
	}{{slow, "time"}, {large, "memory"}, {grows, "growth"}} {
		if e.is {
			fmt.Fprintf(out, " %s", e.what)
		}
	}
	fmt.Fprintln(out)
	return !slow && !large && !grows
}
