package runner

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// The shapes of messages, and what is wrong with one that has another. They
// look at members and types only, not at what is right for a case.

// shapeOfAnswer says what is wrong with the line that answers r, each fault with
// the place where it is; nothing if it has the shape of an answer.
func shapeOfAnswer(line []byte, r request) []string {
	value, err := readAny(line)
	if err != nil {
		return []string{"the answer is no JSON: " + err.Error()}
	}
	var f faults
	members, ok := value.(map[string]any)
	if !ok {
		f.wrong("the answer", "an object", value)
		return f
	}
	result := map[string]string{opParse: "events", opStream: "batches", opFormat: "text", opSig: "lines", opManual: "text", opFeed: "events"}[r.op]
	given := 0
	for _, name := range []string{result, "error", "skip"} {
		if _, ok := members[name]; ok {
			given++
		}
	}
	if given != 1 {
		f.add("the answer", "has %d of the members %s, error and skip; want one", given, result)
	}
	f.object("", value, map[string]check{
		"seq":   required(integer),
		result:  resultOf(r.op, result),
		"error": object(map[string]check{"code": required(word), "message": str}),
		"skip":  word,
	})
	if batches, ok := members["batches"].([]any); ok && r.op == opStream && len(batches) != len(r.cuts)+2 {
		f.add("batches", "has %d; want %d, one for each of the %d chunks and one for the end", len(batches), len(r.cuts)+2, len(r.cuts)+1)
	}
	return f
}

// shapeOfWelcome is shapeOfAnswer for the answer to hello.
func shapeOfWelcome(line []byte) []string {
	value, err := readAny(line)
	if err != nil {
		return []string{"the answer is no JSON: " + err.Error()}
	}
	var f faults
	f.object("", value, map[string]check{
		"protocol": required(integer),
		"name":     required(word),
		"version":  required(word),
		"spec":     required(word),
		"ops":      required(list(word)),
	})
	return f
}

func readAny(line []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more than one value in the line")
	}
	return value, nil
}

var results = map[string]check{
	"events":  list(event(events)),
	"batches": list(list(event(steps))),
	"text":    text,
	"lines":   list(str),
}

// memberNames are the names of all members of answers.
var memberNames = func() map[string]check {
	names := map[string]check{"seq": {}, "error": {}, "skip": {}, "b64": {}, "code": {}, "path": {}, "message": {}, "type": {}}
	maps.Copy(names, results)
	for _, types := range []map[string]map[string]check{events, steps} {
		for _, members := range types {
			maps.Copy(names, members)
		}
	}
	return names
}()

// inOtherLetters reports whether a member of line has a name of the protocol but for
// the case of its letters, which encoding/json would take for it. The line is JSON.
func inOtherLetters(line []byte) bool {
	for {
		start := bytes.IndexByte(line, '"')
		if start < 0 {
			return false
		}
		end := start + 1
		for ; line[end] != '"'; end++ {
			if line[end] == '\\' {
				end++
			}
		}
		token := line[start : end+1]
		line = line[end+1:]
		if rest := bytes.TrimLeft(line, " \t\r"); len(rest) == 0 || rest[0] != ':' {
			continue
		}
		if _, ok := memberNames[string(token[1:len(token)-1])]; ok {
			continue // most are
		}
		var name string
		if json.Unmarshal(token, &name) != nil {
			continue
		}
		if _, ok := memberNames[name]; ok {
			continue
		}
		for known := range memberNames {
			if strings.EqualFold(name, known) {
				return true
			}
		}
	}
}

// resultOf returns the shape of a result.
func resultOf(op, member string) check {
	if op == opFeed {
		return list(event(steps))
	}
	return results[member]
}

// place are the members of an event that has a span.
func place(more map[string]check) map[string]check {
	more["start"], more["end"] = required(integer), required(integer)
	return more
}

var issues = list(object(map[string]check{"code": required(word), "path": required(str), "at": required(integer)}))

// events are the members of the events of op parse, by type.
var events = map[string]map[string]check{
	corpus.TextEvent:      place(map[string]check{"text": required(text)}),
	corpus.ReasoningEvent: place(map[string]check{"text": required(text)}),
	corpus.ToolCallEvent: place(map[string]check{
		"name": required(word), "input": required(jsonText), "issues": issues, "afterMalformed": boolean,
	}),
	corpus.MalformedEvent: place(map[string]check{
		"code": required(word), "at": required(integer), "closed": boolean,
	}),
}

// steps are the members of the events of op stream, by type.
var steps = map[string]map[string]check{
	"text-start":          {"id": word},
	corpus.TextDelta:      {"id": word, "text": required(text)},
	"text-end":            {"id": word},
	"reasoning-start":     place(map[string]check{"id": word}),
	"reasoning-delta":     {"id": word, "text": required(text)},
	"reasoning-end":       place(map[string]check{"id": word}),
	corpus.ToolInputStart: {"id": required(word), "name": required(word)},
	corpus.ToolInputDelta: {"id": required(word), "delta": required(str)},
	corpus.ToolInputEnd:   {"id": required(word)},
	corpus.ToolCallEvent: place(map[string]check{
		"id": required(word), "name": required(word), "input": required(jsonText), "issues": issues, "afterMalformed": boolean,
	}),
	corpus.MalformedEvent: place(map[string]check{
		"id": word, "code": required(word), "at": required(integer), "closed": boolean,
	}),
}

// faults are what was found to be wrong.
type faults []string

func (f *faults) add(at, format string, args ...any) {
	*f = append(*f, at+" "+fmt.Sprintf(format, args...))
}

// wrong adds that something is not what it should be.
func (f *faults) wrong(at, want string, got any) {
	f.add(at, "is %s; want %s", kindOf(got), want)
}

func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		return "the number " + v.String()
	case string:
		return fmt.Sprintf("the string %s", excerpt(quote(v), 40))
	case []any:
		return "an array"
	}
	return "an object"
}

// A check looks at the value of a member.
type check struct {
	required bool
	do       func(f *faults, at string, value any)
}

func required(c check) check {
	c.required = true
	return c
}

var (
	str = check{do: func(f *faults, at string, v any) {
		if _, ok := v.(string); !ok {
			f.wrong(at, "a string", v)
		}
	}}
	word = check{do: func(f *faults, at string, v any) {
		if s, ok := v.(string); !ok || s == "" {
			f.wrong(at, "a string that is not empty", v)
		}
	}}
	integer = check{do: func(f *faults, at string, v any) {
		if n, ok := v.(json.Number); !ok || strings.ContainsAny(n.String(), ".eE-") {
			f.wrong(at, "a number of bytes or a count", v)
		}
	}}
	boolean = check{do: func(f *faults, at string, v any) {
		if _, ok := v.(bool); !ok {
			f.wrong(at, "true or false", v)
		}
	}}
	text = check{do: func(f *faults, at string, v any) {
		if m, ok := v.(map[string]any); ok && len(m) == 1 {
			if _, ok := m["b64"].(string); ok {
				return
			}
		}
		if _, ok := v.(string); !ok {
			f.wrong(at, `a string, or {"b64": "…"} where it is not UTF-8`, v)
		}
	}}
	jsonText = check{do: func(f *faults, at string, v any) {
		if s, ok := v.(string); !ok || !json.Valid([]byte(s)) {
			f.wrong(at, "JSON as text, in a string", v)
		}
	}}
)

func list(item check) check {
	return check{do: func(f *faults, at string, v any) {
		items, ok := v.([]any)
		if !ok {
			f.wrong(at, "an array", v)
		}
		for i, v := range items {
			item.do(f, fmt.Sprintf("%s[%d]", at, i), v)
		}
	}}
}

func object(members map[string]check) check {
	return check{do: func(f *faults, at string, v any) { f.object(at, v, members) }}
}

// event looks at an object whose members depend on its type.
func event(types map[string]map[string]check) check {
	return check{do: func(f *faults, at string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			f.wrong(at, "an event, which is an object", v)
			return
		}
		kind, _ := m["type"].(string)
		members, ok := types[kind]
		if !ok {
			f.wrong(at+".type", "one of "+strings.Join(sortedKeys(types), ", "), m["type"])
			return
		}
		f.members(at, m, members, "type")
	}}
}

// object adds what is wrong with a value that should be an object.
func (f *faults) object(at string, v any, members map[string]check) {
	if m, ok := v.(map[string]any); ok {
		f.members(at, m, members, "")
	} else {
		f.wrong(cmp.Or(at, "the answer"), "an object", v)
	}
}

// members adds what is wrong with the members of m; except is known already.
func (f *faults) members(at string, m map[string]any, known map[string]check, except string) {
	dot := at
	if dot != "" {
		dot += "."
	}
	for _, name := range sortedKeys(known) {
		if v, ok := m[name]; ok {
			known[name].do(f, dot+name, v)
		} else if known[name].required {
			f.add(dot+name, "is missing")
		}
	}
	for _, name := range sortedKeys(m) {
		if _, ok := known[name]; !ok && name != except {
			f.add(dot+name, "is no member here; there are %s", strings.Join(sortedKeys(known), ", "))
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
