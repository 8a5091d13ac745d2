package runner

import (
	"context"
	"encoding/json"
	"iter"
	"testing"
	"time"
)

// TestDiffer compares implementations that know what the corpus wants and nothing
// else: they differ where one has a fault, and a text is made small.
func TestDiffer(t *testing.T) {
	config := Config{Timeout: 3 * time.Second}
	found, err := Differ(context.Background(), [][]string{with("says text"), with("says text")},
		some(200), config)
	if err != nil || len(found) > 0 {
		t.Errorf("%d differences of one implementation with itself, %v", len(found), err)
	}
	found, err = Differ(context.Background(), [][]string{with("says text"),
		with("says text but of calls")}, some(200), config)
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if d := found[0]; d.Text != "<call>" || d.Tools != nil || len(d.Answers) != 2 {
		t.Errorf("%+v", d)
	}
	if _, err := Differ(context.Background(), [][]string{with("says text")}, some(1),
		config); err == nil {
		t.Error("one command is compared")
	}
}

// some returns the first n questions.
func some(n int) iter.Seq[Question] {
	return func(yield func(Question) bool) {
		for q := range Questions(1) {
			if n--; n < 0 || !yield(q) {
				return
			}
		}
	}
}

// TestMaker: questions are the same for the same seed, and their tools are JSON.
func TestMaker(t *testing.T) {
	a, b, other := newMaker(1), newMaker(1), newMaker(2)
	same := 0
	for range 500 {
		q, again, another := a.question(), b.question(), other.question()
		if q.Text != again.Text || string(q.Tools) != string(again.Tools) {
			t.Fatalf("%q and %q", q.Text, again.Text)
		}
		if q.Text == another.Text {
			same++
		}
		if q.Tools != nil && !json.Valid(q.Tools) {
			t.Errorf("%s", q.Tools)
		}
	}
	if same > 100 {
		t.Errorf("%d questions are those of another seed", same)
	}
}
