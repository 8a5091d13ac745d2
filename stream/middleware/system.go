package middleware

import (
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// rewrite returns the request without its functions, with the conversation in the
// wire format.
func (x *exchange) rewrite(body object, c conversation, set *toolset) (object, error) {
	d, want, opts := x.dialect, &x.want, &x.opts
	text := want.manual(set)
	messages, err := x.rewriteMessages(c, set)
	if err != nil {
		return nil, err
	}
	messages = d.acceptable(messages, c.raws)
	messages = d.instruct(messages, want.instruction())
	if text != "" && d.system != "" {
		body = d.withSystem(body, text, opts.Manual.Placement, cacheControl(want.tools))
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
	stops := d.stop != nil && (!d.stopRare || opts.StopSequence || at(body, d.stop) != nil)
	if text != "" && stops {
		body = d.withStop(body, resultOpener(&opts.Manual))
	}
	if rawjson.IsString(body.Get(d.messages)) && len(messages) == 1 {
		if content := rawjson.ParseObject(messages[0]).Get(d.content); rawjson.IsString(content) {
			return body.Set(d.messages, content), nil
		}
	}
	return body.Set(d.messages, rawjson.AppendArray(nil, messages)), nil
}

// withoutTools returns the request without the members that the text replaces. The
// upstream's own tools stay, and so does a tool choice that doesn't require a call.
func (d *dialect) withoutTools(body object, want *demand) object {
	if want.native == nil {
		body = withoutAt(body.Without("tools"), d.choice.at)
		return withoutAt(body, d.serial)
	}
	body = body.Set("tools", rawjson.AppendArray(nil, want.native))
	if want.mode == required || want.allowed != nil {
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
	var list [][]byte
	switch {
	case rawjson.IsString(value):
		list = [][]byte{value}
	case len(value) > 0 && value[0] == '[':
		list = rawjson.ParseArray(value)
	}
	if len(list) >= d.stops || stop == "" {
		return body
	}
	return setAt(body, d.stop, rawjson.AppendArray(nil, append(list, rawjson.Quote(stop))))
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

// withSystem returns the request with the manual in its system text. With a
// breakpoint it is a block of its own.
func (d *dialect) withSystem(
	body object, text string, place manual.Placement, control []byte,
) object {
	system := body.Get(d.system)
	if d.parts {
		content := rawjson.ParseObject(system)
		blocks := d.mergeBlocks(geminiParts(content.Get(d.content)), text, place)
		return body.Set(d.system,
			content.Set(d.content, rawjson.AppendArray(nil, blocks)).Append(nil))
	}
	if control != nil {
		block := members("type", "text", "text", text, "cache_control", control).Append(nil)
		return body.Set(d.system,
			rawjson.AppendArray(nil, beside(d.systemBlocks(system), block, place)))
	}
	if !body.Has(d.system) {
		return body.Set(d.system, rawjson.Quote(text))
	}
	if rawjson.IsString(system) {
		return body.Set(d.system, rawjson.Quote(manual.Merge(rawjson.Unquote(system), text, place)))
	}
	return body.Set(d.system,
		rawjson.AppendArray(nil, d.mergeBlocks(rawjson.ParseArray(system), text, place)))
}

// mergeBlocks returns blocks with a text added to the first or last block of text, or
// in a block of its own. Nothing after the last cache mark is cached, so if a text
// block has a mark, the last one with a mark counts as the last.
func (d *dialect) mergeBlocks(blocks [][]byte, text string, place manual.Placement) [][]byte {
	at := -1
	marked := false
	for i := range blocks {
		block := rawjson.ParseObject(blocks[i])
		if !rawjson.IsString(block.Get("text")) {
			continue
		}
		mark := block.Has("cache_control")
		if at < 0 || place == manual.Last && (mark || !marked) {
			at, marked = i, mark
		}
	}
	if at < 0 {
		return beside(blocks, d.text(manual.System, text), place)
	}
	block := rawjson.ParseObject(blocks[at])
	blocks[at] = block.Set("text",
		rawjson.Quote(manual.Merge(block.Text("text"), text, place))).Append(nil)
	return blocks
}

// systemBlocks returns the system text as a list of blocks.
func (d *dialect) systemBlocks(system []byte) [][]byte {
	if rawjson.IsString(system) && len(system) > 2 {
		return [][]byte{d.text(manual.System, rawjson.Unquote(system))}
	}
	return rawjson.ParseArray(system)
}

// beside returns the blocks with one more before or after them.
func beside(blocks [][]byte, block []byte, place manual.Placement) [][]byte {
	if place == manual.Last {
		return append(blocks, block)
	}
	return append([][]byte{block}, blocks...)
}
