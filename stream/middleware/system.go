package middleware

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// rewrite returns the request without its functions, with the conversation in the wire format.
func (x *exchange) rewrite(body object, set *toolset) (object, error) {
	d, want, opts := x.dialect, &x.want, &x.opts
	text := want.manual(set)
	messages, err := x.rewriteMessages(set)
	if err != nil {
		return nil, err
	}
	messages = d.instruct(messages, want.instruction())
	if text != "" && d.system != "" {
		body, err = d.withSystem(body, text, opts.Manual.PromptFirst, cacheControl(want.tools))
		if err != nil {
			return nil, err
		}
	}
	body = d.withoutTools(body, want)
	if d.system == "system" {
		body = body.Without("thread")
	}
	if want.format != nil {
		for _, f := range d.formats {
			body = withoutAt(body, f.at)
		}
	}
	stops := d.stop != "" && (!d.stopRare || opts.StopSequence || at(body, d.stop) != nil)
	if text != "" && stops {
		body = d.withStop(body, resultOpener(&opts.Manual))
	}
	return body.With(d.messages, messages), nil
}

// withoutTools returns the request without the members that the text replaces. The
// upstream's own tools stay, and so does a tool choice that doesn't require a call. Gemini's is
// about functions only, and refused without them.
func (d *dialect) withoutTools(body object, want *demand) object {
	if want.native == nil {
		body = withoutAt(body.Without("tools"), d.choice.at)
		return withoutAt(body, d.serial)
	}
	body = body.With("tools", want.native)
	if want.mode == required || want.allowed != nil || d.parts {
		body = withoutAt(body, d.choice.at)
	}
	return body
}

// wireResult is the opener of a result.
const wireResult = "<tool-result"

// resultOpener returns the opener of a result. A model's text ends before it, because
// only the application writes results.
func resultOpener(o *manual.Options) string {
	if o.Format == nil || o.Format.Prompt.Result.Open == "" {
		return wireResult
	}
	opener, _, _ := strings.Cut(o.Format.Prompt.Result.Open, "{") // a placeholder, such as {id}
	return strings.TrimSpace(opener)
}

// withStop returns the request with one more stop sequence, if there is room.
func (d *dialect) withStop(body object, stop string) object {
	value := at(body, d.stop)
	list := rawjson.ParseArray(value)
	if rawjson.IsString(value) {
		list = [][]byte{value}
	}
	if len(list) >= d.stops || stop == "" {
		return body
	}
	return setAt(body, d.stop, append(list, rawjson.Quote(stop)))
}

// cacheControl returns the last cache breakpoint on tools, nil if there is none. The
// manual takes it over.
func cacheControl(tools [][]byte) []byte {
	for i := len(tools) - 1; i >= 0; i-- {
		if control := rawjson.ParseObject(tools[i]); control.Has("cache_control") {
			return control.Get("cache_control")
		}
	}
	return nil
}

// withSystem returns the request with the manual in its system text. With a cache mark
// it is a block of its own.
func (d *dialect) withSystem(
	body object, text string, first bool, mark []byte,
) (object, error) {
	system, content := object{}, body.Get(d.system)
	if d.parts {
		system = rawjson.ParseObject(content).Without("role")
		content = system.Get(d.content)
	}
	if content == nil {
		content = rawjson.Quote("")
	}
	message := append(members("role", manual.System), system.Set(d.content, content)...)
	m, err := d.api.ParseMessage(message.Append(nil))
	if err != nil {
		return nil, err
	}
	if mark == nil {
		m = manual.AddPrompt([]manual.Message{m}, text, first)[0]
	} else {
		block := members("type", "text", "text", text, "cache_control", mark)
		prompt := manual.Part{Kind: manual.Text, Text: text, Raw: block.Append(nil)}
		m.Parts = slices.DeleteFunc(m.Parts, func(p manual.Part) bool {
			return p.Kind == manual.Text && p.Text == ""
		})
		end := 0
		if !first {
			end = len(m.Parts)
		}
		m.Parts = slices.Insert(m.Parts, end, prompt)
	}
	raw, err := m.MarshalJSON()
	if !d.parts {
		raw = rawjson.ParseObject(raw).Get(d.content)
	}
	return body.Set(d.system, raw), err
}
