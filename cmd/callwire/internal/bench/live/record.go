package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// Kinds of trials.
const (
	KindLive  = "live"  // one message; its calls are judged
	KindAgent = "agent" // a task; its calls of tools that act are judged
)

// Key identifies a trial. Kind must stay its first field, and Key the first of Record: by how a
// line begins, ReadLog recognizes a record that is cut off.
type Key struct {
	Kind     string `json:"kind"`
	Endpoint string `json:"endpoint"` // the URL, without a user and a query
	Model    string `json:"model"`
	Case     string `json:"case"`
	Mode     string `json:"mode"`
	Variant  string `json:"variant,omitempty"` // settings that are not the default
	Rep      int    `json:"rep"`
}

// Record is the result of a trial: one line of a file.
type Record struct {
	Key
	Group    string `json:"group"`              // of the case
	Prompt   string `json:"prompt,omitempty"`   // hash of the first request, with model and limits
	Scripted bool   `json:"scripted,omitempty"` // a program of this project answered

	// How good the calls were.
	Success bool `json:"success"` // the calls mean what is wanted (in a task: of tools that act)
	Exact   bool `json:"exact"`   // the same byte for byte, or without a call too many
	Valid   bool `json:"valid"`   // all calls are of known tools and fit their schemas

	Calls     []bench.Call `json:"calls,omitempty"`     // that were delivered
	Malformed []string     `json:"malformed,omitempty"` // a code for each malformed call
	Repaired  []string     `json:"repaired,omitempty"`  // a name for each repair
	Issues    []string     `json:"issues,omitempty"`    // a code for each other issue
	Steps     int          `json:"steps,omitempty"`     // messages of the model
	Failed    int          `json:"failed,omitempty"`    // calls in a task that failed

	Usage Usage             `json:"usage"`
	Time  float64           `json:"time"`          // of all requests, in milliseconds
	Raw   []json.RawMessage `json:"raw,omitempty"` // the answers, as the API sent them

	// A miss that was judged has a second record with these.
	Judge      string `json:"judge,omitempty"`   // the model that judged
	Verdict    *bool  `json:"verdict,omitempty"` // the calls are right after all
	JudgeUsage Usage  `json:"judgeUsage,omitzero"`

	// Failure is the code of the error if the endpoint could not answer. Nothing is then judged.
	Failure string `json:"failure,omitempty"`
}

// Usage is tokens as the provider counts them.
type Usage struct {
	Input     int  `json:"input"`               // all that was read
	Cached    int  `json:"cacheRead,omitempty"` // of Input: from the prompt cache
	Output    int  `json:"output"`              // all that was written
	Reasoning int  `json:"reasoning,omitempty"` // of Output
	Estimated bool `json:"estimated,omitempty"` // the provider didn't count; a token is four bytes
}

// Add adds the tokens of another request.
func (u *Usage) Add(v Usage) {
	u.Input += v.Input
	u.Cached += v.Cached
	u.Output += v.Output
	u.Reasoning += v.Reasoning
	u.Estimated = u.Estimated || v.Estimated
}

// recordLog is a file of records that grows.
type recordLog struct {
	file    *os.File
	records []Record
}

// openLog opens or creates a file of records, if it has a name. It removes a last line that was cut
// off. The caller closes the file, even after an error.
func openLog(name string) (l *recordLog, err error) {
	l = new(recordLog)
	if name == "" {
		return l, nil
	}
	l.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return l, fmt.Errorf("cannot write records: %w", err)
	}
	var whole []byte
	l.records, whole, err = ReadLog(name)
	if err == nil {
		err = l.file.Truncate(int64(len(whole)))
	}
	if err == nil && len(whole) > 0 && !bytes.HasSuffix(whole, []byte("\n")) {
		_, err = l.file.WriteString("\n")
	}
	return l, err
}

// ReadLog returns the records in a file, and the text of these. A last line may be cut off, if it
// begins like a record. It may also be a record that only lacks the end of its line.
func ReadLog(name string) (records []Record, whole []byte, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read records: %w", err)
	}
	const begin = `{"kind":"` // see Key
	for line := range bytes.Lines(data) {
		var r Record
		err := json.Unmarshal(line, &r)
		isOurs := strings.HasPrefix(string(line), begin[:min(len(line), len(begin))])
		if err != nil && isOurs && !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err != nil || r.Kind != KindLive && r.Kind != KindAgent {
			return nil, nil, fmt.Errorf("cannot read %s: line %d is not a record of a run", name,
				len(records)+1)
		}
		records, whole = append(records, r), data[:len(whole)+len(line)]
	}
	return records, whole, nil
}

// append adds a record in one write, so only a machine that stops can cut it off.
func (l *recordLog) append(r Record) error {
	l.records = append(l.records, r)
	if l.file == nil {
		return nil
	}
	_, err := l.file.Write(append(bench.JSON(r), '\n'))
	return err
}

// Latest returns the last record of each key, in the order of the first ones.
func Latest(records []Record) (list []Record) {
	at := make(map[Key]int)
	for _, r := range records {
		if i, ok := at[r.Key]; ok {
			list[i] = r
			continue
		}
		at[r.Key] = len(list)
		list = append(list, r)
	}
	return list
}
