// Command lab says how good the corpus is at finding mistakes. It makes them:
// small changes of the readers in corpus/adapters, and alterations of what a
// reader says while it streams. Each is judged by the corpus, and one that passes
// is a mistake that the corpus does not see.
//
//	go run ./corpus/lab                        all mistakes; takes long
//	go run ./corpus/lab -sample 20 python      some of one reader
//	go run ./corpus/lab -list javascript       what would be changed
//
// The parts of the lab are mistakes (bugs) and changed classes of bytes (classes)
// of python and javascript, and stream. A change that changes no answer, because
// it makes code of the same meaning, is listed in equivalent.txt with its reason,
// and does not count.
//
// Exit codes: 0 when every score is reached, 1 when one is not, 2 when the lab
// cannot work.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
)

// The shares that must be found, in percent. Of a small sample it is less: one
// that is missed weighs more there.
var (
	wanted   = map[string]float64{"bugs": 97, "classes": 97, "stream": 100}
	ofSample = map[string]float64{"bugs": 75, "classes": 75, "stream": 100}
)

// A reader is one of the shipped ones.
type reader struct {
	name, dir string
	command   []string // the last is the file, in dir
}

var readers = []reader{
	{"python", "corpus/adapters/python", []string{"python3", "callwire.py"}},
	{"javascript", "corpus/adapters/javascript", []string{"node", "callwire.mjs"}},
}

// A mistake is something to be found.
type mistake struct {
	kind    string // bugs, classes or stream
	name    string // says what it is
	command func(dir string) ([]string, error)
	streams bool // it shows while streaming only
	cases   []corpus.Case
}

func main() {
	if len(os.Args) > 3 && os.Args[1] == "proxy" {
		if err := proxy(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, "lab proxy:", err)
			os.Exit(2)
		}
		return
	}
	sample := flag.Int("sample", 0, "judge only `N` mistakes of each kind")
	seed := flag.Uint64("seed", 1, "of the sample")
	list := flag.Bool("list", false, "list the mistakes and judge none")
	jobs := flag.Int("jobs", max(1, runtime.NumCPU()/2), "mistakes at a time")
	root := flag.String("root", ".", "the folder of the module")
	flag.Parse()
	os.Unsetenv("PYTHONUNBUFFERED") // with it, an answer that is not flushed comes all the same
	if err := work(*root, flag.Args(), *sample, *seed, *jobs, *list); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		if err == errMissed {
			os.Exit(1)
		}
		os.Exit(2)
	}
}

var errMissed = fmt.Errorf("a score is not reached")

func work(root string, parts []string, sample int, seed uint64, jobs int, list bool) error {
	if len(parts) == 0 {
		parts = []string{"python", "javascript", "stream"}
	}
	known, err := readEquivalents(filepath.Join(root, "corpus/lab/equivalent.txt"))
	if err != nil {
		return err
	}
	missed := false
	for _, part := range parts {
		var all []mistake
		i := slices.IndexFunc(readers, func(r reader) bool { return r.name == part })
		switch {
		case i >= 0:
			all, err = mistakesOf(root, readers[i])
		case part == "stream":
			all, err = alterationsOf(root)
		default:
			err = fmt.Errorf("there is no part %s", part)
		}
		if err != nil {
			return err
		}
		for _, kind := range []string{"bugs", "classes", "stream"} {
			some := slices.DeleteFunc(slices.Clone(all), func(m mistake) bool { return m.kind != kind || known[m.name] })
			if sample > 0 && len(some) > sample {
				rand.New(rand.NewPCG(seed, 0)).Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
				some = some[:sample]
			}
			if len(some) == 0 {
				continue
			}
			if list {
				for _, m := range some {
					fmt.Println(m.kind, m.name)
				}
				continue
			}
			if i >= 0 {
				cases, err := passed(root, readers[i])
				if err != nil {
					return err
				}
				for j := range some {
					some[j].cases = cases
				}
			}
			found, left := judgeAll(some, jobs)
			score := 100 * float64(found) / float64(len(some))
			want := wanted[kind]
			if sample > 0 {
				want = ofSample[kind]
			}
			fmt.Printf("%s %s: %d of %d found, %.1f %% (want %.0f %%)\n", part, kind, found, len(some), score, want)
			for _, name := range left {
				fmt.Println("  not found:", name)
			}
			missed = missed || score < want
		}
	}
	if missed {
		return errMissed
	}
	return nil
}

// judgeAll judges mistakes and returns how many were found, and which were not.
func judgeAll(all []mistake, jobs int) (found int, left []string) {
	var mu sync.Mutex
	var wait sync.WaitGroup
	next := make(chan mistake)
	for range jobs {
		wait.Go(func() {
			for m := range next {
				ok, err := isFound(m)
				mu.Lock()
				switch {
				case err != nil:
					left = append(left, m.name+": "+err.Error())
				case ok:
					found++
				default:
					left = append(left, m.name)
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range all {
		next <- m
	}
	close(next)
	wait.Wait()
	slices.Sort(left)
	return found, left
}

// isFound reports whether some check fails.
func isFound(m mistake) (bool, error) {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	command, err := m.command(dir)
	if err != nil {
		return false, err
	}
	passes := func(protocol int, cases []corpus.Case) bool {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		r, err := runner.Run(ctx, runner.Config{
			Command: command, Cases: cases, Matrix: runner.Ends, Jobs: 1, Protocol: protocol,
			Timeout: 5 * time.Second, StartTimeout: 20 * time.Second,
			Progress: func(_, _, failed int) {
				if failed > 0 {
					cancel() // one is enough
				}
			},
		})
		return err == nil && r.OK()
	}
	if !m.streams && !passes(1, m.cases) {
		return true, nil
	}
	cases := streamCases()
	if !m.streams {
		cases = append(cases, repeatedCases()...)
	}
	return !passes(2, cases), nil
}

// passed are the parse cases that a reader passes as it is, of both levels: a
// mistake shows where one fails.
func passed(root string, r reader) ([]corpus.Case, error) {
	file, err := filepath.Abs(filepath.Join(root, r.dir, r.command[len(r.command)-1]))
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(corpus.Cases(), func(c corpus.Case) bool { return c.Op != corpus.Parse })
	report, err := runner.Run(context.Background(), runner.Config{
		Command: []string{r.command[0], file}, Cases: all, Matrix: runner.Ends, Protocol: 1,
	})
	if err != nil {
		return nil, err
	}
	var some []corpus.Case
	for _, res := range report.Results {
		if res.Op == corpus.Parse && res.Status == runner.Pass {
			some = append(some, *res.Case)
		}
	}
	return some, nil
}

// coreCases are the parse cases of the core level.
func coreCases() []corpus.Case {
	return slices.DeleteFunc(corpus.Cases(), func(c corpus.Case) bool { return c.Level != corpus.Core || c.Op != corpus.Parse })
}

// streamCases are some of them, in which there is much of streaming in little
// text.
func streamCases() []corpus.Case {
	return slices.DeleteFunc(coreCases(), func(c corpus.Case) bool {
		return len(c.Text) > 200 || !slices.Contains([]string{"framing", "promptness", "recovery", "utf8", "limits", "issues", "options"}, c.Topic())
	})
}

// repeatedCases are the smallest of those whose text the reader makes itself.
func repeatedCases() []corpus.Case {
	return slices.DeleteFunc(corpus.MoreCases(), func(c corpus.Case) bool {
		return c.Repeat == nil || len(c.Text)+c.Repeat.Times*(c.Repeat.End-c.Repeat.Start) > 1<<20
	})
}

// mutant copies a reader into dir, with one file changed, and returns the command
// that runs it.
func mutant(root string, r reader, dir, file string, text []byte) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, r.dir))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		data := text
		if e.Name() != file {
			if data, err = os.ReadFile(filepath.Join(root, r.dir, e.Name())); err != nil {
				return nil, err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), data, 0o666); err != nil {
			return nil, err
		}
	}
	command := slices.Clone(r.command)
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, err
	}
	command[len(command)-1] = filepath.Join(dir, command[len(command)-1])
	return command, nil
}

// readEquivalents reads the names of changes that change nothing. What follows a
// # is the reason.
func readEquivalents(name string) (map[string]bool, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		change, reason, ok := strings.Cut(strings.TrimSpace(line), "  # ")
		if change == "" || strings.HasPrefix(change, "#") {
			continue
		}
		if !ok || reason == "" {
			return nil, fmt.Errorf("%s: %q has no reason after two spaces and a #", name, change)
		}
		known[change] = true
	}
	return known, nil
}
