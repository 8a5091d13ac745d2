package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func newConvert() *cobra.Command {
	var (
		lang     language
		from, to string
	)
	cmd := &cobra.Command{
		Use:   "convert [FILE|-] --to SHAPE",
		Short: "Convert a conversation between native calls and calls in text",
		Long: `convert reads the messages of a conversation, a JSON array or a request with one in
it, and prints them in another shape: openai (chat completions), anthropic, ai-sdk, or
wire, with calls in the assistant's text and results in the user's. Calls and results
that are read from wire get ids: call_1, call_2.

The shape of the input is detected: it is wire if no message has a native call or
result. Malformed calls stay text. With --tools the arguments of calls in text are
typed, and the manual of those tools is removed from the system message.

--protocol names another format of calls in text: --to wire writes it, and every other
shape is read from it. --from takes such a name too, to read one format and write another.

Exit codes: 0 when all is done, 1 when a call or result could not be converted as
such, 2 when the command line is wrong or the messages cannot be read.`,
		Example: `  callwire convert messages.json --to wire --tools tools.json
  callwire convert wire.json --to openai --tools tools.json
  callwire convert messages.json --to anthropic
  callwire convert messages.json --to wire --protocol hermes
  callwire convert hermes.json --from hermes --to wire`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := lang.check(cmd); err != nil {
				return err
			}
			write := map[string]func(*transcript) any{"wire": (*transcript).plain, "openai": (*transcript).openAI, "anthropic": (*transcript).anthropic, "ai-sdk": (*transcript).aiSDK}[to]
			if write == nil {
				return errors.New("convert needs the shape to write: --to wire, openai, anthropic or ai-sdk")
			}
			var read parse.Protocol // the format of calls in the text that is read
			if to != "wire" {
				read = lang.format
			}
			if !slices.Contains([]string{"auto", "wire", "native"}, from) {
				p, err := protocolNamed(from)
				if err != nil {
					return fmt.Errorf("--from is auto, wire, native or a protocol: %w", err)
				}
				if to != "wire" && lang.format != nil && from != lang.name {
					return fmt.Errorf("calls in text are read as %s by --from, and as %s by --protocol: give one of them", from, lang.name)
				}
				read = p
			}
			catalog, err := lang.catalog(cmd, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			data, err := readInput(cmd, args)
			if err != nil {
				return err
			}
			t := &transcript{catalog: catalog, opts: parse.Options{Protocol: read, Delims: lang.delims, Limits: lang.limits}}
			if t.messages, err = readTranscript(data); err != nil {
				return err
			}
			if from != "native" && (from != "auto" || !t.native()) {
				t.readText()
			}
			var result error
			if to == "wire" {
				h := manual.HistoryOptions{Options: manual.Options{Protocol: lang.format, Delims: lang.delims}, Report: func(e *manual.HistoryError) {
					complain(cmd.ErrOrStderr(), e)
					result = errFound
				}}
				if t.messages, err = h.Rewrite(catalog, t.messages); err != nil {
					return err
				}
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			enc := newEncoder(out)
			enc.SetIndent("", "  ")
			if err := enc.Encode(write(t)); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("cannot write: %w", err)
			}
			return result
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&to, "to", "", "the shape to write: `wire|openai|anthropic|ai-sdk`")
	f.StringVar(&from, "from", "auto", "the shape to read: `auto|wire|native`, or the name of a protocol")
	lang.registerTools(cmd)
	lang.registerProtocol(cmd)
	lang.registerFraming(cmd)
	return cmd
}

// readTranscript reads messages: an array, or an object with one in it, and the
// system text of Anthropic.
func readTranscript(data []byte) ([]manual.Message, error) {
	messages, err := readMessages(data)
	if err != nil {
		return nil, err
	}
	var request struct {
		System json.RawMessage `json:"system"`
	}
	if json.Unmarshal(data, &request) == nil && len(request.System) > 0 {
		var system manual.Message
		if err := json.Unmarshal(fmt.Appendf(nil, `{"role":"system","content":%s}`, request.System), &system); err != nil {
			return nil, err
		}
		messages = append([]manual.Message{system}, messages...)
	}
	return messages, nil
}

// transcript is a conversation whose calls and results are parts of messages.
type transcript struct {
	catalog  *sig.Catalog
	opts     parse.Options
	messages []manual.Message
}

// native reports whether a call or result is there as such.
func (t *transcript) native() bool {
	return slices.ContainsFunc(t.messages, func(m manual.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p manual.Part) bool { return p.Kind == manual.Call || p.Kind == manual.Result })
	})
}

// The JSON of messages, in the three shapes.
type (
	openAIMessage struct {
		Role       string           `json:"role"`
		Content    any              `json:"content"`
		ToolCalls  []openAIToolCall `json:"tool_calls,omitempty"`
		ToolCallID string           `json:"tool_call_id,omitempty"`
	}
	openAIToolCall struct {
		ID       string         `json:"id"`
		Type     string         `json:"type"`
		Function openAIFunction `json:"function"`
	}
	openAIFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	blockMessage struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	}
	textBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	anthropicCall struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
	anthropicResult struct {
		Type      string `json:"type"`
		ToolUseID string `json:"tool_use_id"`
		Content   string `json:"content"`
		IsError   bool   `json:"is_error,omitempty"`
	}
	aiCall struct {
		Type       string          `json:"type"`
		ToolCallID string          `json:"toolCallId"`
		ToolName   string          `json:"toolName"`
		Input      json.RawMessage `json:"input"`
	}
	aiResult struct {
		Type       string   `json:"type"`
		ToolCallID string   `json:"toolCallId"`
		ToolName   string   `json:"toolName"`
		Output     aiOutput `json:"output"`
	}
	aiOutput struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	}
)

// plain returns the messages as package manual writes them.
func (t *transcript) plain() any { return t.messages }

// openAI returns the messages of chat completions: each result is a message.
func (t *transcript) openAI() any {
	all := []openAIMessage{}
	for _, m := range t.messages {
		one := openAIMessage{Role: m.Role, Content: contentOf(m.Parts)}
		for _, p := range m.Parts {
			switch p.Kind {
			case manual.Call:
				one.ToolCalls = append(one.ToolCalls, openAIToolCall{p.ID, "function", openAIFunction{p.Name, string(inputOf(p))}})
			case manual.Result:
				all = append(all, openAIMessage{Role: manual.ToolRole, Content: valueText(p.Output), ToolCallID: p.ID})
			}
		}
		if one.Content != nil || len(one.ToolCalls) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// anthropic returns a request: the system text, and messages in which results are
// the user's.
func (t *transcript) anthropic() any {
	var request struct {
		System   any            `json:"system,omitempty"`
		Messages []blockMessage `json:"messages"`
	}
	request.Messages = []blockMessage{}
	for _, m := range t.messages {
		if m.Role == manual.System && request.System == nil {
			request.System = contentOf(m.Parts)
			continue
		}
		role := m.Role
		if role == manual.ToolRole {
			role = manual.User
		}
		content := blocks(m.Parts, func(p manual.Part) any {
			if p.Kind == manual.Call {
				return anthropicCall{"tool_use", p.ID, p.Name, inputOf(p)}
			}
			return anthropicResult{"tool_result", p.ID, valueText(p.Output), p.Failed}
		})
		if last := len(request.Messages) - 1; last >= 0 && request.Messages[last].Role == role {
			request.Messages[last].Content = append(listOf(request.Messages[last].Content), listOf(content)...)
		} else if content != nil {
			request.Messages = append(request.Messages, blockMessage{role, content})
		}
	}
	return request
}

// aiSDK returns the messages of the AI SDK: results are those of a tool.
func (t *transcript) aiSDK() any {
	all := []blockMessage{}
	names := map[string]string{}
	for _, m := range t.messages {
		var results []any
		content := blocks(m.Parts, func(p manual.Part) any {
			if p.Kind == manual.Call {
				names[p.ID] = p.Name
				return aiCall{"tool-call", p.ID, p.Name, inputOf(p)}
			}
			name, kind := p.Name, "text"
			if name == "" {
				name = names[p.ID]
			}
			if p.Failed {
				kind = "error-text"
			}
			results = append(results, aiResult{"tool-result", p.ID, name, aiOutput{kind, valueText(p.Output)}})
			return nil
		})
		if results != nil {
			all = append(all, blockMessage{manual.ToolRole, results})
		}
		if content != nil {
			all = append(all, blockMessage{m.Role, content})
		}
	}
	return all
}

// contentOf returns the content of a message without its calls and results: a
// string where that says all, a list of parts, or nothing.
func contentOf(parts []manual.Part) any {
	return blocks(slices.DeleteFunc(slices.Clone(parts), func(p manual.Part) bool { return p.Kind == manual.Call || p.Kind == manual.Result }), nil)
}

// blocks returns parts as the content of a message; block writes calls and results,
// and returns nil for one that stands elsewhere.
func blocks(parts []manual.Part, block func(manual.Part) any) any {
	var list []any
	for _, p := range parts {
		switch {
		case p.Kind == manual.Call || p.Kind == manual.Result:
			if b := block(p); b != nil {
				list = append(list, b)
			}
		case p.Raw != nil:
			list = append(list, p.Raw)
		default:
			list = append(list, textBlock{"text", p.Text})
		}
	}
	if len(list) == 0 {
		return nil
	}
	if only, ok := list[0].(textBlock); ok && len(list) == 1 {
		return only.Text
	}
	return list
}

// listOf returns the content of a message as a list.
func listOf(content any) []any {
	switch c := content.(type) {
	case []any:
		return c
	case string:
		return []any{textBlock{"text", c}}
	}
	return nil
}

// inputOf returns the arguments of a call as JSON, {} where they are none.
func inputOf(p manual.Part) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(valueText(p.Input))) != nil || b.Len() == 0 {
		return json.RawMessage("{}")
	}
	return b.Bytes()
}
