package manual

import (
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// segments reads a text, with calls after malformed ones and in Markdown code. Without a catalog,
// every name is a tool.
func segments(catalog *sig.Catalog, text string, o parse.Options) []parse.Segment {
	if catalog == nil {
		catalog = sig.AnyTool
	}
	o.AllowAfterMalformed, o.AllowInCode = true, true
	list, err := parse.Message(catalog, text, &o)
	if err != nil {
		panic(err)
	}
	return list
}

// isText reports whether a segment is neither a call nor a malformed one.
func isText(s parse.Segment) bool { return s.Call == nil && s.Err == nil }
