package fuzz

import (
	"cmp"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// Setup is the configuration for reading a message: a catalog and options.
type Setup struct {
	Catalog *sig.Catalog
	parse.Options
}

// Wired is the wire format without a catalog. It reads every call.
var Wired = Setup{sig.AnyTool, parse.Options{AllowAfterMalformed: true, AllowInCode: true}}

// Formats are all formats, one that a user might describe, and sets of several.
var Formats = slices.Concat(protocol.All(), []*protocol.Format{yaml.XML, attributes}, Sets)

// Sets are sets of several formats.
var Sets = []*protocol.Format{
	protocol.Any(
		protocol.Hermes, protocol.GLM45, protocol.Qwen3Coder, protocol.KimiK2, protocol.MorphXML,
	),
	protocol.Any(protocol.Wire, protocol.Qwen3Coder, protocol.Hermes, yaml.XML),
	protocol.Any(protocol.Qwen3Coder, retagged),
}

// retagged is a user's own format, between tags that another format has too.
var retagged = func() *protocol.Format {
	f := *protocol.KimiK2
	f.Name = "retagged"
	f.Call = protocol.Qwen3Coder.Call
	return &f
}()

// attributes is a user's own format.
var attributes = func() *protocol.Format {
	f := *protocol.Qwen3Coder
	f.Name = "attributes"
	f.Function = protocol.Marks{Open: `<invoke name="`, End: `">`, Close: "</invoke>"}
	f.Parameter = protocol.Marks{Open: `<parameter name='`, End: `'>`, Close: "</parameter>"}
	return &f
}()

// SetupOf returns a format with a catalog that it can be read with, and any options.
func SetupOf(s Source, f *protocol.Format) Setup {
	catalogs := []*sig.Catalog{sig.AnyTool, types, groups, named("t", "tool"), nil}
	if slices.Contains(objects, f) {
		catalogs = append(catalogs, mistyped, mistyped)
	}
	setup := Setup{Catalog: oneOf(s, catalogs...)}
	if f.NeedsTools() && setup.Catalog == sig.AnyTool {
		setup.Catalog = types
	}
	setup.Options = parse.Options{
		Format: f, AllowAfterMalformed: !chance(s, 3), AllowInCode: !chance(s, 3),
		AllowUnclosed: chance(s, 3), Strict: chance(s, 5), Repair: chance(s, 3),
	}
	if setup.Catalog == mistyped {
		setup.Repair = true // without it, wrong types are only reported
	}
	if chance(s, 3) {
		setup.Reasoning = parse.Reasoning(s.IntN(3))
	}
	if chance(s, 4) {
		setup.Limits = parse.Limits{Bytes: s.IntN(120), Depth: s.IntN(4), Arguments: s.IntN(4)}
		setup.Limits.Name = s.IntN(6)
	}
	if f == protocol.Wire && chance(s, 3) {
		setup.Tags = Tags(s)
	}
	return setup
}

// format returns the format, which is the wire format by default.
func (s Setup) format() *protocol.Format { return cmp.Or(s.Format, protocol.Wire) }

// wire reports whether the format is the wire format.
func (s Setup) wire() bool { return s.format() == protocol.Wire }

// firstFormat returns the format in which calls are written.
func (s Setup) firstFormat() *protocol.Format { return s.format().Set()[0] }

// tags returns the tags around a call; empty if they are named after the tool.
func (s Setup) tags() protocol.Tags { return cmp.Or(s.Tags, s.format().Call) }

// writer returns the options for writing what s reads.
func (s Setup) writer() *parse.FormatOptions {
	return &parse.FormatOptions{Format: s.Format, Tags: s.Tags, Repair: s.Repair}
}

// tools returns the tools of a catalog, or one without a schema.
func (s Setup) tools() []*sig.Tool {
	if s.Catalog == nil || len(s.Catalog.Tools()) == 0 {
		return untyped
	}
	return s.Catalog.Tools()
}

var untyped = named(toolNames[:4]...).Tools()

// Tags returns legal tags for the wire format.
func Tags(s Source) protocol.Tags {
	for range 8 {
		if !chance(s, 4) {
			break
		}
		f := *protocol.Wire
		f.Call = protocol.Tags{Open: tag(s), Close: tag(s)}
		if f.Validate() == nil {
			return f.Call
		}
	}
	odd := tokens["tags"] // in pairs
	i := 2 * s.IntN(len(odd)/2)
	return protocol.Tags{Open: odd[i], Close: odd[i+1]}
}

func tag(s Source) string {
	const first, rest = "<@$#~^!%&*()_+-:;|?/>`", "<@$#~/>call|t=.,[]{}\"'\\1e-+u0"
	b := []byte{first[s.IntN(len(first))]}
	for range 1 + s.IntN(5) {
		b = append(b, rest[s.IntN(len(rest))])
	}
	return string(b)
}

// pieces returns what the calls of the format are made of.
func (s Setup) pieces() []string {
	bodies := map[format.Body]string{
		format.Arguments: "arguments", format.Envelope: "envelope", format.Parameters: "parameters",
	}
	list := slices.Concat(nearMisses, tokens["regions"], tokens["near"])
	for _, f := range s.format().Set() {
		list = append(list, tokens["drift "+bodies[f.Body]]...)
		marks := append(f.Markup(), f.Call.Open, f.Call.Close, f.Section.Open, f.Section.Close)
		for _, m := range []protocol.Marks{f.Function, f.Parameter} {
			marks = append(marks, m.Open, m.End, m.Value, m.Close)
		}
		if f.ToolTags() {
			marks = append(marks, "<t>", "</t>", "<t/>", "<a>1</a>", "\na: 1\n", "\nb: |\n  x\n")
		}
		for _, m := range marks {
			if m != "" {
				list = append(list, m, m, m[:len(m)/2], m[len(m)/2:])
			}
		}
	}
	return append(list, `"name": "t"`, `"arguments": {`, "functions.t:0")
}

// Retag returns text with the tags of the wire format, and halves of them, replaced by others.
func Retag(text string, to protocol.Tags) string {
	to = cmp.Or(to, protocol.Wire.Call)
	if to == protocol.Wire.Call {
		return text
	}
	return strings.NewReplacer(
		"<call>", to.Open, "</call>", to.Close,
		"<call", to.Open[:len(to.Open)-1], "</call", to.Close[:len(to.Close)-1],
		"<", to.Open[:1], "/call>", to.Close[1:], "call>", to.Open[1:],
	).Replace(text)
}

// issueCodes are the codes of issues, which are faults with Strict.
var issueCodes = []lexer.Code{
	lexer.TypeMismatch, lexer.NotInEnum, lexer.Coerced, lexer.AmbiguousEscape, lexer.AmbiguousText,
	lexer.OpenQuote, lexer.UnknownArgument, lexer.MissingArgument,
}
