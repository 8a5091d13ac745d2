package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// An event of a stream, as it comes.
type event = map[string]any

// A conversation is one stream that passes through the proxy.
type conversation struct {
	held []event // given out later
}

// An alteration changes the events of an answer. last tells that they are those
// of close.
type alteration struct {
	name  string
	alter func(c *conversation, events []event, last bool) []event
}

// alterations are what a reader does that does not stream, or streams wrongly,
// though it reads well.
var alterations = []alteration{
	{"all at the end", func(c *conversation, events []event, last bool) []event {
		c.held = append(c.held, events...)
		if last {
			return c.held
		}
		return nil
	}},
	{"one chunk late", func(c *conversation, events []event, last bool) []event {
		out := c.held
		if c.held = events; last {
			return append(out, events...)
		}
		return out
	}},
	{"text at its end", func(c *conversation, events []event, _ bool) (out []event) {
		for _, e := range events {
			switch e["type"] {
			case "text-start", "text-delta":
				c.held = append(c.held, e)
			default:
				out = append(append(out, c.held...), e)
				c.held = nil
			}
		}
		return out
	}},
	{"calls with the next event", func(c *conversation, events []event, last bool) []event {
		all := append(c.held, events...)
		c.held = nil
		if n := len(all); n > 0 && all[n-1]["type"] == "tool-call" && !last {
			c.held, all = all[n-1:], all[:n-1]
		}
		return all
	}},
	{"malformed spans at the end", func(c *conversation, events []event, last bool) (out []event) {
		all := append(c.held, events...)
		c.held = nil
		if i := slices.IndexFunc(all, func(e event) bool { return e["type"] == "malformed" }); i >= 0 && !last {
			c.held, all = all[i:], all[:i]
		}
		return all
	}},
	{"a block of text for each chunk", func(c *conversation, events []event, _ bool) (out []event) {
		for _, e := range events {
			switch e["type"] {
			case "text-start":
			case "text-end":
			case "text-delta":
				out = append(out, event{"type": "text-start"}, e, event{"type": "text-end"})
			default:
				out = append(out, e)
			}
		}
		return out
	}},
	{"empty text", each("text-delta", func(e event) []event { return []event{e, {"type": "text-delta", "text": ""}} })},
	{"empty deltas", each("tool-input-delta", func(e event) []event {
		return []event{e, {"type": "tool-input-delta", "id": e["id"], "delta": ""}}
	})},
	{"no text-start", each("text-start", none)},
	{"no text-end", each("text-end", none)},
	{"no tool-input-start", each("tool-input-start", none)},
	{"no deltas", each("tool-input-delta", none)},
	{"deltas twice", each("tool-input-delta", twice)},
	{"no tool-input-end", each("tool-input-end", none)},
	{"no calls", each("tool-call", none)},
	{"calls twice", each("tool-call", twice)},
	{"no malformed spans", each("malformed", none)},
	{"text twice", each("text-delta", twice)},
	{"the same id for all calls", changed("id", func(any) any { return "call" })},
	{"another id at the end", each("tool-call", func(e event) []event { e["id"] = "other"; return []event{e} })},
	{"spans from the chunk", changed("start", func(any) any { return 0 })},
	{"ends that are off by one", changed("end", func(v any) any { return v.(float64) + 1 })},
	{"no marks", changed("afterMalformed", func(any) any { return false })},
	{"no issues", changed("issues", func(any) any { return []any{} })},
	{"never closed", changed("closed", func(any) any { return false })},
	{"pretty deltas", changed("delta", func(v any) any { return v.(string) + " " })},
	{"an event after the end", func(_ *conversation, events []event, last bool) []event {
		if last {
			events = append(events, event{"type": "text-start"})
		}
		return events
	}},
	{"half characters are replaced", each("text-delta", func(e event) []event {
		if _, ok := e["text"].(string); !ok {
			e["text"] = "\ufffd"
		}
		return []event{e}
	})},
	{"reset is forgotten", nil},
	{"one stream for all", nil},
}

func none(event) []event    { return nil }
func twice(e event) []event { return []event{e, e} }

// each alters the events of a type.
func each(kind string, do func(e event) []event) func(*conversation, []event, bool) []event {
	return func(_ *conversation, events []event, _ bool) (out []event) {
		for _, e := range events {
			if e["type"] == kind {
				out = append(out, do(e)...)
			} else {
				out = append(out, e)
			}
		}
		return out
	}
}

// changed alters a member, where there is one.
func changed(member string, do func(any) any) func(*conversation, []event, bool) []event {
	return func(_ *conversation, events []event, _ bool) []event {
		for _, e := range events {
			if v, ok := e[member]; ok {
				e[member] = do(v)
			}
		}
		return events
	}
}

// alterationsOf returns the alterations as mistakes of a reader that has none.
func alterationsOf(root string) ([]mistake, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	reader := readers[0]
	if _, err := exec.LookPath(reader.command[0]); err != nil {
		reader = readers[1]
	}
	file, err := filepath.Abs(filepath.Join(root, reader.dir, reader.command[1]))
	if err != nil {
		return nil, err
	}
	var all []mistake
	for _, a := range alterations {
		command := []string{self, "proxy", a.name, reader.command[0], file}
		all = append(all, mistake{kind: "stream", name: a.name, streams: true, command: func(string) ([]string, error) { return command, nil }})
	}
	return all, nil
}

// proxy stands between the runner and a reader, and alters what is streamed.
func proxy(name string, command []string) error {
	i := slices.IndexFunc(alterations, func(a alteration) bool { return a.name == name })
	if i < 0 {
		return fmt.Errorf("there is no alteration %q", name)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return err
	}
	requests, answers := bufio.NewReader(os.Stdin), bufio.NewReader(out)
	streams := map[string]*conversation{}
	for {
		line, err := requests.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		var q struct {
			Seq         any
			Cmd, Op, ID string
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if name == "reset is forgotten" && q.Op == "reset" {
			fmt.Printf(`{"seq":%v,"events":[]}`+"\n", q.Seq)
			continue
		}
		if name == "one stream for all" && q.ID != "" {
			var all map[string]any
			if err := json.Unmarshal(line, &all); err != nil {
				return err
			}
			if all["id"] = "one"; q.Op != "feed" {
				all["op"], all["text"] = "feed", ""
			}
			line, _ = json.Marshal(all) // it came from JSON
			line = append(line, '\n')
		}
		if _, err := in.Write(line); err != nil {
			return err
		}
		if q.Cmd == "bye" {
			break
		}
		answer, err := answers.ReadBytes('\n')
		if err != nil {
			return err
		}
		if q.ID != "" && alterations[i].alter != nil {
			if answer, err = alterations[i].answer(streams, q.ID, q.Op, answer); err != nil {
				return err
			}
		}
		if _, err := os.Stdout.Write(answer); err != nil {
			return err
		}
	}
	in.Close()
	return cmd.Wait()
}

// answer alters the answer to a request.
func (a *alteration) answer(streams map[string]*conversation, id, op string, line []byte) ([]byte, error) {
	c := streams[id]
	if c == nil || op == "reset" {
		c = &conversation{}
		streams[id] = c
	}
	var answer struct {
		Seq    any     `json:"seq"`
		Events []event `json:"events"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, err
	}
	if op != "reset" {
		answer.Events = a.alter(c, answer.Events, op == "close")
	}
	if answer.Events == nil {
		answer.Events = []event{}
	}
	if op == "close" {
		delete(streams, id)
	}
	data, err := json.Marshal(answer)
	return append(data, '\n'), err
}
