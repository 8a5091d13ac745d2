package trial

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// trials returns n trials of an arm that do the same.
func trials(mode string, n int, do func(ctx context.Context) (record.Record, error)) (list []Trial) {
	for i := range n {
		list = append(list, Trial{Key: record.Key{Kind: record.Live, Model: "m", Mode: mode, Case: fmt.Sprint("c", i)}, Prompt: "p", Do: do})
	}
	return list
}

func runAll(t *testing.T, name string, list []Trial) (Summary, []record.Record, error) {
	t.Helper()
	log, records, err := record.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s, err := Run(context.Background(), list, records, Options{Log: log, Concurrency: 2})
	after, readErr := record.ReadFile(name)
	if readErr != nil {
		t.Fatal(readErr)
	}
	return s, after, err
}

func fine(context.Context) (record.Record, error) { return record.Record{Requests: 1}, nil }

func failing(code endpoint.Code) func(context.Context) (record.Record, error) {
	return func(context.Context) (record.Record, error) {
		return record.Record{}, &endpoint.Error{Code: code}
	}
}

// TestGivenUp: an arm that never succeeds is left, the others go on; and it is
// tried again the next time.
func TestGivenUp(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	list := append(trials("native", 20, failing(endpoint.Refused)), trials("wire", 20, fine)...)
	s, records, err := runAll(t, name, list)
	if err != nil || s.Done != 20 || s.Failed != 20 || len(s.GivenUp) != 1 || s.GivenUp["m, native"] == "" {
		t.Fatal(s, err)
	}
	if n := len(records); n < 20+patience || n > 20+patience+2 {
		t.Errorf("%d records", n)
	}
	again := append(trials("native", 20, fine), trials("wire", 20, failing(endpoint.Refused))...)
	if s, _, err := runAll(t, name, again); err != nil || s.Done != 20 || s.Skipped != 20 || s.Failed != 0 {
		t.Error(s, err)
	}
}

// TestFatal: what would go wrong with every request ends the run, and only it.
func TestFatal(t *testing.T) {
	for _, code := range []endpoint.Code{endpoint.Unauthorized, endpoint.HTML, endpoint.TLS, endpoint.NotJSON, endpoint.Unreachable, endpoint.NotFound} {
		var asked atomic.Int64
		_, records, err := runAll(t, filepath.Join(t.TempDir(), "run.jsonl"), trials("wire", 50, func(ctx context.Context) (record.Record, error) {
			asked.Add(1)
			return failing(code)(ctx)
		}))
		if e := new(endpoint.Error); !errors.As(err, &e) || e.Code != code || len(records) != 0 || asked.Load() > 4 {
			t.Errorf("%s: %v after %d trials, %d records", code, err, asked.Load(), len(records))
		}
	}
}

// TestSpent: what a trial took before the budget was used up is in the records,
// and the trial is run again.
func TestSpent(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	s, records, err := runAll(t, name, trials("wire", 50, func(context.Context) (record.Record, error) {
		return record.Record{Requests: 2, Usage: record.Usage{Input: 70}}, &endpoint.Error{Code: endpoint.OverBudget}
	}))
	if err != nil || s.Stopped == nil || len(records) == 0 || len(records) > 4 || records[0].Usage.Input != 70 || records[0].Failure == "" {
		t.Fatal(s, err, records)
	}
	if s, _, err := runAll(t, name, trials("wire", 50, fine)); err != nil || s.Done != 50 || s.Stopped != nil {
		t.Error(s, err)
	}
}

func TestAnotherPrompt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	list := trials("wire", 2, fine)
	if _, _, err := runAll(t, name, list); err != nil {
		t.Fatal(err)
	}
	list[1].Prompt = "another"
	if _, _, err := runAll(t, name, list); err == nil || !strings.Contains(err.Error(), "c1") {
		t.Error(err)
	}
}

// TestReadOnly: a file that cannot be written ends the run.
func TestReadOnly(t *testing.T) {
	log, _, err := record.Open(filepath.Join(t.TempDir(), "run.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
	if _, err := Run(context.Background(), trials("wire", 20, fine), nil, Options{Log: log}); err == nil {
		t.Error("nothing was written, and nobody said so")
	}
}
