package format

import (
	"strings"
	"testing"
)

func TestTableIsValid(t *testing.T) {
	names := map[string]bool{}
	for _, f := range All() {
		if err := f.Validate(); err != nil {
			t.Error(err)
		}
		if names[f.Name] || Lookup(f.Name) != f {
			t.Errorf("%s: want one format of that name", f.Name)
		}
		names[f.Name] = true
	}
	own := &Format{Name: "own"}
	if Lookup("own") != nil || Lookup("own", own) != own {
		t.Error("Lookup does not find a format of the caller")
	}
}

func TestValidate(t *testing.T) {
	with := func(f *Format, change func(*Format)) *Format {
		c := *f
		change(&c)
		return &c
	}
	for _, c := range []struct {
		format *Format
		reason string
	}{
		{with(Wire, func(f *Format) { f.Call = Tags{"<<", ">>"} }), ""},
		{with(Wire, func(f *Format) { f.Call.Open = "x<" }), "punctuation"},
		{with(Wire, func(f *Format) { f.Call.Open = "__" }), "first bytes"},
		{with(Wire, func(f *Format) { f.Call.Open = "<é>" }), "printable ASCII"},
		{with(Wire, func(f *Format) { f.Call = Tags{"<a>", "<a>>"} }), "neither tag"},
		{with(Wire, func(f *Format) { f.Call.Open = "<" }),
			"at least 2 characters and at most 32 bytes"},
		{with(Hermes, func(f *Format) { f.Call.Open = "«" }),
			"at least 2 characters and at most 64 bytes"},
		{with(Hermes, func(f *Format) { f.Call.Open = "<a b>" }), "no whitespace"},
		{with(Hermes, func(f *Format) { f.Call.Open = "<\xff>" }), "valid UTF-8"},
		{with(Hermes, func(f *Format) { f.Call.Close = "<x<tool_call>" }), "neither tag"},
		{with(Hermes, func(f *Format) { f.Call.Open = "{{" }), "first bytes"},
		{with(Hermes, func(f *Format) { f.ArgumentKeys = nil }), "keys of the arguments"},
		{with(Hermes, func(f *Format) { f.Section = Tags{"<tool_call>s", "</s>"} }),
			"does not begin"},
		{with(Hermes, func(f *Format) { f.Section = Tags{"[s]", "[/s]"} }), "first byte"},
		{with(KimiK2, func(f *Format) { f.Function.End = "" }), "mark after the name"},
		{with(KimiK2, func(f *Format) { f.Function.End = "x" }), "want a quote, < or >"},
		{with(Qwen3Coder, func(f *Format) { f.Function.End = "" }), "mark after the name"},
		{with(Qwen3Coder, func(f *Format) { f.Parameter.Close = "" }), "after the value"},
		{with(Qwen3Coder, func(f *Format) { f.Parameter.Open = "<" }), "no beginning of"},
		{with(Qwen3Coder, func(f *Format) { f.Parameter.Open = "\n<p " }), "no whitespace first"},
		{with(Qwen3Coder, func(f *Format) { f.Function.Close = "\n</f>" }), ""},
		{with(GLM45, func(f *Format) { f.Parameter.Open = "[[" }), "begin with <"},
		{with(GLM45, func(f *Format) { f.Call.Close = "" }), "begin with <"},
		{with(KimiK2, func(f *Format) { f.Function.End = "\n```json\n" }), ""},
		{with(Qwen3Coder, func(f *Format) { f.Body = 99 }), "kind of body"},
		{with(Hermes, func(f *Format) { f.NameKeys = []string{"arguments"} }), `have "arguments"`},
		{with(Hermes, func(f *Format) { f.NameKeys = []string{""} }), "keys that differ"},
		{with(Hermes, func(f *Format) { f.Reasoning = []Region{{}} }), "around reasoning"},
		{with(Hermes, func(f *Format) { f.Also = []*Format{f} }), "no Also in"},
		{with(Hermes, func(f *Format) { f.Also = []*Format{nil} }), "have nil"},
		{with(Hermes, func(f *Format) { f.NameIsID = true }), "is an ID"},
		{with(GLM45, func(f *Format) { f.NameIsID = true }), "is an ID"},
		{with(Qwen3Coder, func(f *Format) { f.NameIsID = true }), ""},
		{with(MorphXML, func(f *Format) { f.Call = Hermes.Call }), "named after tools"},
		{with(MorphXML, func(f *Format) { f.Section = Hermes.Call }), "named after tools"},
		{Any(nil, Hermes), ""},
		{Any(Hermes, nil), ""},
		{Any(Hermes, Hermes, Any(GLM45, Qwen3Coder, Hermes), MorphXML), ""},
		{Any(Hermes, with(Hermes, func(f *Format) { f.NameKeys = []string{"fn"} })), "other tags"},
		{Any(GLM45, with(Wire, func(f *Format) { f.Call = GLM45.Call })), "other tags"},
		{Any(Hermes, with(KimiK2, func(f *Format) { f.Function.End = "" })), "mark after the name"},
	} {
		err := c.format.Validate()
		switch {
		case c.reason == "" && err != nil:
			t.Errorf("%v: %v", c.format.Call, err)
		case c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)):
			t.Errorf("%v: %v, want %q", c.format.Call, err, c.reason)
		}
	}
}

func TestErrorWithoutTag(t *testing.T) {
	for _, c := range []struct{ tag, want string }{
		{"", "format own: want a codec"}, {"<x", `format own: tag "<x": want a codec`},
	} {
		if got := (&Error{"own", c.tag, "want a codec"}).Error(); got != c.want {
			t.Errorf("have %s, want %s", got, c.want)
		}
	}
}
