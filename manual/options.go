package manual

import (
	"crypto/rand"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Options configure a Manual. The zero value suits most models.
type Options struct {
	// Off leaves the prompt empty, for models that know the format already.
	Off bool

	// Format is the format of calls; nil means the wire format. Another format lists the tools
	// itself and has its own result tags: the options for the prompt and Lazy then have no effect.
	Format *parse.Format

	// Tags are the tags around a call, instead of those of the format. Readers and writers of the
	// same conversation must use the same tags.
	Tags parse.Tags

	// Signatures control how signatures are written. Their Tags are set by the manual.
	Signatures sig.SignatureOptions

	// Form decides which tools are announced in JSON.
	Form sig.Form

	// Header, if set, replaces the default header. It must then explain the tags, the rules and
	// the notation of the signatures.
	Header string

	// PromptFirst puts the prompt before the text of a system message, instead of after it.
	PromptFirst bool

	// Budget is the most tokens the prompt should have, as Count counts them; 0 means no limit.
	// To meet it, the tools' own examples, descriptions of parameters and descriptions of tools
	// are given up, in this order, but no tool, no parameter, no limit and no default; see
	// [Manual.Omitted]. Without Count a token is four bytes.
	Budget int
	Count  func(text string) int

	// Lazy leaves out the signatures of some tools until the model asks for them.
	Lazy Lazy

	// Model, if set, is what the model sees of the tools in it: they are announced from it, but
	// called and typed by the real catalog. Other tools are announced as they are.
	Model *sig.Catalog

	// KeepUserText leaves tags in user messages. By default they are neutralized. If a tag would
	// begin in one text and end in the next, a line end separates the two. Results are always
	// neutralized.
	KeepUserText bool
}

// Lazy is for catalogs too large to be explained in full: lazy tools appear by name and description
// only, or not at all, and the model asks for more by calling one more tool, the loader, with names
// or a query.
//
// Loading has no lasting effect: the prompt stays the same, and every tool can be called at any
// time, loaded or not.
type Lazy struct {
	// Tool reports which tools are lazy; nil means those with [sig.Tool.Lazy] set.
	Tool func(*sig.Tool) bool

	// Loader is the name of the loader; "" means __load_tool_schema__. If the catalog has a tool of
	// that name, it is the loader, and its author answers its calls; it should take a
	// list "names" or a string "query".
	Loader string

	// HideNames leaves lazy tools out altogether: the model finds them by a query. Thousands of
	// tools then take a few lines.
	HideNames bool

	// Schemas makes the loader answer with JSON Schemas instead of signatures.
	Schemas bool
}

// defaultLoader is the name of the tool that loads others, unless the options change it.
const defaultLoader = "__load_tool_schema__"

// is reports whether a tool is lazy. The loader never is.
func (l *Lazy) is(t *sig.Tool) bool {
	switch {
	case t.Name == l.Loader:
		return false
	case l.Tool == nil:
		return t.Lazy
	}
	return l.Tool(t)
}

// RandomTags returns tags with eight random characters in them, for one conversation:
// <call-x7k2m4qd> and </call-x7k2m4qd>. Text that was written before the conversation began
// contains them with a chance of only one in 2^40.
//
// Use the same tags to read and write calls, and keep them for the whole conversation.
func RandomTags() parse.Tags {
	name := "call-" + strings.ToLower(rand.Text()[:8])
	return parse.Tags{Open: "<" + name + ">", Close: "</" + name + ">"}
}
