package record

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

func sample(rep int) Record {
	return Record{
		Key: Key{Kind: Live, Endpoint: "http://127.0.0.1", Model: "m", Case: "weather", Mode: "wire", Variant: "style=classic", Rep: rep},
		Raw: []Raw{{Text: "Sure: <call>t a=1</call>\n", Calls: []RawCall{{"t", `{"a":1}`}}}},
		Outcome: Outcome{Success: true, Calls: []score.Call{{Name: "t", Input: json.RawMessage(`{"a":1}`)}},
			Malformed: []string{"bad-name"}},
		Usage: Usage{Input: 3, Output: 4},
	}
}

// TestCut: wherever the file was cut, the whole lines before are read, and what
// is appended stands in a line of its own.
func TestCut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	log, records, err := Open(name)
	if err != nil || records != nil {
		t.Fatal(records, err)
	}
	var ends []int
	for rep := range 3 {
		if err := log.Append(sample(rep)); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(name)
		ends = append(ends, len(text))
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(name)
	for cut := range len(whole) + 1 {
		if cut%17 != 0 && whole[max(cut-1, 0)] != '\n' && cut != len(whole)-1 {
			continue // a sample, and every place beside a line end
		}
		if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, end := range ends {
			if cut >= end {
				want++
			}
		}
		log, records, err := Open(name)
		if err != nil || len(records) != want {
			t.Fatalf("cut at %d: %d records, %v, want %d", cut, len(records), err, want)
		}
		if err := log.Append(sample(want)); err != nil {
			t.Fatal(err)
		}
		log.file.Close() // without waiting for the disk
		records, err = ReadFile(name)
		if err != nil || len(records) != want+1 {
			t.Fatalf("cut at %d: %d records, %v after one more", cut, len(records), err)
		}
		for rep, r := range records {
			if !reflect.DeepEqual(r, sample(rep)) {
				t.Fatalf("cut at %d: %+v", cut, r)
			}
		}
	}
}

func TestOtherFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(name); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(name); string(text) != "{}\n" {
		t.Errorf("the file was changed: %q", text)
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none")); err == nil || strings.Count(err.Error(), "none") != 1 {
		t.Error(err)
	}
	if _, _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
}

func TestLatest(t *testing.T) {
	a, b := sample(0), sample(1)
	failed := a
	failed.Failure = "cut"
	if got := Latest([]Record{failed, b, a}); !reflect.DeepEqual(got, []Record{a, b}) {
		t.Errorf("%+v", got)
	}
}

// TestRedacted: nothing that the model wrote is left, and the record is as it was.
func TestRedacted(t *testing.T) {
	r := sample(0)
	text, err := json.Marshal(r.Redacted())
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"Sure", "<call>", `a\":1`, `"a":1`} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q in %s", secret, text)
		}
	}
	if !reflect.DeepEqual(r, sample(0)) {
		t.Errorf("changed: %+v", r)
	}
}
