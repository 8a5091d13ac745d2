package fuzz

import (
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
)

// What package manual takes of the old core is only here.

type feedbackOn struct {
	source string
	wrong  bool // it is malformed or has issues
	answer string
}

// feedback returns the feedback on each call of a text.
func feedback(m *manual.Manual, s Setup, text string) (list []feedbackOn) {
	o := parse.Options{Strict: s.Strict}
	o.Delims.Open, o.Delims.Close = s.Tags.Open, s.Tags.Close
	for _, seg := range o.Text(text, s.Catalog) {
		if seg.Kind != parse.Prose {
			wrong := seg.Kind == parse.Malformed || len(seg.Issues) > 0
			list = append(list, feedbackOn{string(seg.Text), wrong, m.Feedback(seg)})
		}
	}
	return list
}

// manualOf returns the manual for a format, or nil if there is none.
func manualOf(catalog *sig.Catalog, f *format.Format) *manual.Manual {
	var o manual.Options
	for _, p := range []protocol.Protocol{
		protocol.Hermes, protocol.GemmaFence, protocol.Qwen3Coder, protocol.MorphXML,
	} {
		if p.String() == f.Name {
			o.Protocol = p
		}
	}
	if o.Protocol == nil && f.Name != "wire" {
		return nil
	}
	m, err := manual.New(catalog, &o)
	if err != nil {
		return nil
	}
	return m
}
