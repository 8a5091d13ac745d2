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
		Seconds        float64           `json:"seconds"`
		Answers        int               `json:"answers"`
		Streaming      Streaming         `json:"streaming"`
		NotRun         string            `json:"notRun,omitempty"` // why some was not
		Farewell       string            `json:"farewell,omitempty"`
		Levels         map[string]count  `json:"levels"`
		Rules          map[string]count  `json:"rules"`
		Links          map[string]string `json:"links"` // where each of the rules is
		Checks         []checkJSON       `json:"checks"`
	}
	count     map[Status]int
	checkJSON struct {
		Op      string   `json:"op"`
		ID      string   `json:"id"`
		Level   string   `json:"level"`
		Rules   []string `json:"rules"`
		Status  Status   `json:"status"`
		Answers int      `json:"answers"`
		Wrong   int      `json:"wrong,omitempty"`
		Skip    string   `json:"skip,omitempty"`
		Failure *Failure `json:"failure,omitempty"`
	}
)

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(out io.Writer) error {
	all := reportJSON{
		Implementation: r.Welcome, Corpus: corpus.Version, Spec: corpus.RuleURL(""),
		Check: r.Check, OK: r.OK(),
		Seconds: r.Elapsed.Seconds(), Answers: r.Requests(), Streaming: r.Streaming(),
		NotRun: r.ended(), Farewell: r.Farewell,
		Levels: map[string]count{}, Rules: map[string]count{}, Links: map[string]string{},
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
		all.Checks = append(all.Checks, checkJSON{
			Op: res.Op, ID: res.Case.ID, Level: res.Case.Level, Rules: res.Case.Rules,
			Status: res.Status, Answers: res.Requests, Wrong: res.Wrong, Skip: res.Skip,
			Failure: res.Failure,
		})
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
