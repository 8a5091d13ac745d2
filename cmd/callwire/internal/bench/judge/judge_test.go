package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

// TestMisses: each different miss is asked about once, hits and what was not called
// never; the report tells the verdicts apart from success.
func TestMisses(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		body, _ := io.ReadAll(r.Body)
		say := "It means another place. WRONG"
		if strings.Contains(string(body), "Austin, Texas") {
			say = "Right."
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`, say)
	}))
	defer server.Close()
	client, err := endpoint.New(server.URL, endpoint.OpenAI, endpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := live.Cases(suite.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "run.jsonl")
	log, _, err := record.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	add := func(rep int, location string, success bool) {
		r := record.Record{Key: record.Key{Kind: record.Live, Model: "m", Case: "weather/austin", Mode: "wire", Rep: rep}, Group: "single"}
		r.Success, r.Wanted = success, 1
		if location != "" {
			input, _ := json.Marshal(map[string]string{"location": location})
			r.Called, r.Calls = 1, []score.Call{{Name: "getWeather", Input: input}}
		}
		if err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	for rep, location := range []string{"Austin, Texas", "Austin, Texas", "Boston", "Austin", ""} {
		add(rep, location, location == "Austin")
	}
	for range 2 { // the second time nothing is left to ask
		records, err := record.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := (Judge{Client: client, Model: "judge"}).Misses(context.Background(), cases, records, log); err != nil {
			t.Fatal(err)
		}
		if asked != 2 {
			t.Fatalf("asked %d times", asked)
		}
	}
	records, err := record.ReadFile(name)
	if err != nil || len(records) != 5+3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		if r.Kind == record.Judge && (r.Asked() != "judge" || r.Model != "m") || r.Kind != record.Judge && r.Asked() != "m" {
			t.Errorf("asked %s: %+v", r.Asked(), r)
		}
	}
	a := report.New(records, nil).Groups[0].Arms[0]
	if a.Judged != 3 || a.JudgedRight != 2 || a.Success.Mean != 0.2 || a.Trials != 5 {
		t.Errorf("%+v", a)
	}
}

func TestIsRight(t *testing.T) {
	for text, want := range map[string]bool{"RIGHT": true, "wrong": false, "": false, "Is it right? No: WRONG.": false, "Not wrong at all: RIGHT": true} {
		if isRight(text) != want {
			t.Errorf("%q", text)
		}
	}
}
