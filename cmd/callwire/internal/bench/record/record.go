package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

// Kinds of trials.
const (
	Live  = "live"  // a message is asked for, its calls are judged
	Agent = "agent" // tools are run in a world, the world is judged
	Judge = "judge" // another model was asked about a miss
)

// Key says which trial it is.
type Key struct {
	Kind     string `json:"kind"`
	Endpoint string `json:"endpoint"` // the URL, without a user and a query
	Model    string `json:"model"`
	Case     string `json:"case"`
	Mode     string `json:"mode"`
	Variant  string `json:"variant,omitempty"` // what is not as by default: style=classic retries=1
	Rep      int    `json:"rep"`
}

// Arm is the mode with its variant.
func (k Key) Arm() string {
	if k.Variant == "" {
		return k.Mode
	}
	return k.Mode + " " + k.Variant
}

// Record is what became of a trial.
type Record struct {
	Key

	Group  string `json:"group"`            // of cases: single, parallel, irrelevant, a task
	Prompt string `json:"prompt,omitempty"` // hash of the first request, model and limits included

	// Scripted says that no model answered but a program of this project.
	Scripted bool `json:"scripted,omitempty"`

	Outcome

	Usage    Usage  `json:"usage"`
	Lost     Usage  `json:"lost,omitzero"` // of requests that had to be sent again, or came to nothing
	Times    Times  `json:"times"`
	Requests int    `json:"requests"`          // that were answered
	Tries    int    `json:"tries,omitempty"`   // requests that had to be sent again
	Raw      []Raw  `json:"raw,omitempty"`     // what the model wrote, message by message
	Judge    string `json:"judge,omitempty"`   // of a judge: which model it was
	Verdict  *bool  `json:"verdict,omitempty"` // of a judge: whether the miss is right after all
	Content  string `json:"content,omitempty"` // of a judge: hash of what was judged

	// Failure says why there is no outcome: the endpoint could not answer.
	Failure string `json:"failure,omitempty"`
}

// Asked returns the model that the usage is of.
func (r Record) Asked() string {
	if r.Judge != "" {
		return r.Judge
	}
	return r.Model
}

// Outcome is what the calls of a trial were worth.
type Outcome struct {
	Success bool `json:"success"` // the calls are right as far as they go, or the world is
	Exact   bool `json:"exact"`
	Valid   bool `json:"valid"`
	Wanted  int  `json:"wanted"` // calls that were wanted
	Called  int  `json:"called"` // calls that were delivered

	Calls     []score.Call `json:"calls,omitempty"`
	Malformed []string     `json:"malformed,omitempty"` // a code for each malformed call
	Repaired  []string     `json:"repaired,omitempty"`  // a name for each repair
	Issues    []string     `json:"issues,omitempty"`    // a code for each other issue
	Missed    []string     `json:"missed,omitempty"`    // what the world lacks in the end
	Steps     int          `json:"steps,omitempty"`     // messages of the model
	Failed    int          `json:"failed,omitempty"`    // calls that the world refused
	Widest    int          `json:"widest,omitempty"`    // most calls in one message
}

// Usage are tokens as the provider counts them, of all requests of a trial.
type Usage struct {
	Input      int `json:"input"`                // read, those below included
	CacheRead  int `json:"cacheRead,omitempty"`  // read from the cache of prompts
	CacheWrite int `json:"cacheWrite,omitempty"` // written to it
	Output     int `json:"output"`               // written, those below included
	Reasoning  int `json:"reasoning,omitempty"`  // written without being shown

	// Estimated says that the provider told nothing for a request, and that four
	// bytes were taken for a token.
	Estimated bool `json:"estimated,omitempty"`
}

// Add adds the tokens of another request.
func (u *Usage) Add(v Usage) {
	u.Input += v.Input
	u.CacheRead += v.CacheRead
	u.CacheWrite += v.CacheWrite
	u.Output += v.Output
	u.Reasoning += v.Reasoning
	u.Estimated = u.Estimated || v.Estimated
}

// Times are of the first request of a trial, in milliseconds from its sending;
// Total is of all requests.
type Times struct {
	FirstByte float64 `json:"firstByte"`
	FirstCall float64 `json:"firstCall,omitempty"` // until the first call was complete
	Total     float64 `json:"total"`
}

// Raw is a message as the model wrote it.
type Raw struct {
	Text   string    `json:"text,omitempty"`
	Calls  []RawCall `json:"calls,omitempty"` // native ones
	Finish string    `json:"finish,omitempty"`
}

// RawCall is a native call with its arguments as they came.
type RawCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Redacted returns the record with hashes in place of all that the model wrote.
func (r Record) Redacted() Record {
	r.Raw = slices.Clone(r.Raw)
	for i := range r.Raw {
		raw := &r.Raw[i]
		raw.Text = redacted(raw.Text)
		raw.Calls = slices.Clone(raw.Calls)
		for j := range raw.Calls {
			raw.Calls[j].Arguments = redacted(raw.Calls[j].Arguments)
		}
	}
	r.Calls = slices.Clone(r.Calls)
	for i := range r.Calls {
		r.Calls[i].Input, _ = json.Marshal(redacted(string(r.Calls[i].Input))) // a string always encodes
	}
	return r
}

func redacted(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%d bytes, %s", len(text), Hash([]byte(text)))
}

// Hash names a text without telling it.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:12])
}
