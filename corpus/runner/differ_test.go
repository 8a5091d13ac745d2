package runner

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
)

var asked = []Question{
	{Text: "text"},
	{Tools: json.RawMessage(`[{"name":"t"}]`), Text: "Let me. <call>t a=1</call> So."},
	{Options: corpus.Options{Strict: true}, Text: "<call>t b=[1,2]</call>"},
}

// TestDiffer compares implementations that know what the corpus wants and nothing
// else: they differ where one has a fault, and a text is made small.
func TestDiffer(t *testing.T) {
	config := Config{Timeout: 3 * time.Second}
	found, err := Differ(context.Background(), [][]string{with("says text"), with("says text")},
		slices.Values(asked), config)
	if err != nil || len(found) > 0 {
		t.Errorf("%d differences of one implementation with itself, %v", len(found), err)
	}
	found, err = Differ(context.Background(), [][]string{with("says text"),
		with("says text but of calls")}, slices.Values(asked), config)
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if d := found[0]; d.Text != "<call>" || d.Tools != nil || len(d.Answers) != 2 {
		t.Errorf("%+v", d)
	}
	if _, err := Differ(context.Background(), [][]string{with("says text")}, slices.Values(asked),
		config); err == nil {
		t.Error("one command is compared")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Differ(ctx, [][]string{with("says text"), with("hangs")}, slices.Values(asked),
		config); err != errInterrupted {
		t.Error(err)
	}
}
