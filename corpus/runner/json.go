package runner

import (
	"encoding/json"
	"io"

	"github.com/callwire/callwire/corpus"
)

// The members of a report in JSON. They are part of the interface: members may
// be added, and none changes its meaning.
type (
	reportJSON struct {
		Implementation corpus.Welcome    `json:"implementation"`
		Corpus         string            `json:"corpus"` // version of the cases
		Spec           string            `json:"spec"`   // where the specification is
		Check          bool              `json:"check,omitempty"`
		OK             bool              `json:"ok"`
		Outcome        string            `json:"outcome"` // in words
		Seconds        float64           `json:"seconds"`
		Answers        int               `json:"answers"`
		Streaming      Streaming         `json:"streaming"`
		NotRun         string            `json:"notRun,omitempty"` // why some was not
		Farewell       string            `json:"farewell,omitempty"`
		Levels         map[string]Count  `json:"levels"`
		Rules          map[string]Count  `json:"rules"`
		Links          map[string]string `json:"links"` // where each of the rules is
		Checks         []checkJSON       `json:"checks"`
	}
	checkJSON struct {
		Op    string   `json:"op"`
		ID    string   `json:"id"`
		Level string   `json:"level"`
		Rules []string `json:"rules"`
		*Result
	}
)

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(out io.Writer) error {
	all := reportJSON{
		Implementation: r.Welcome, Corpus: corpus.Version, Spec: corpus.RuleURL(""),
		Check: r.Check, OK: r.OK(), Outcome: r.outcome(),
		Seconds: r.Elapsed.Seconds(), Answers: r.Requests(), Streaming: r.Streaming(),
		NotRun: r.ended(), Farewell: r.Farewell,
		Levels: map[string]Count{}, Rules: map[string]Count{}, Links: map[string]string{},
		Checks: []checkJSON{},
	}
	for _, t := range r.Levels() {
		all.Levels[t.Name] = t.Count
	}
	for _, t := range r.Rules() {
		all.Rules[t.Name], all.Links[t.Name] = t.Count, corpus.RuleURL(t.Name)
	}
	for i := range r.Results {
		res := &r.Results[i]
		c := res.Case
		all.Checks = append(all.Checks, checkJSON{res.Op, c.ID, c.Level, c.Rules, res})
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
