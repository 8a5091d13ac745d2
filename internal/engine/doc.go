// Package engine reads and writes calls for the public packages parse and stream. It turns messages
// into events: text, and calls with exact JSON arguments, typed by a catalog.
//
//	p, err := engine.NewParser(catalog, nil, 0)
//	if err != nil {
//		return err
//	}
//	for _, e := range p.Feed([]byte(`<call>getWeather location="New York"</call>`)) {
//		if e.Kind == engine.Call {
//			fmt.Printf("%s %s\n", e.Name, e.Bytes) // getWeather {"location":"New York"}
//		}
//	}
//	p.Close()
//
// A [Parser] is a [lex.Lexer] and an [Assembler], its Handler. The Assembler appends JSON to
// one buffer and events to one list. Most arguments are ones that the schema declares, in its
// order, with plain values: the fast path in expected.go copies them straight from the window.
// Everything else arrives as lexemes. Both write the same output. Events and what they refer to
// are valid until the next chunk, so that reading a call allocates nothing.
//
// # How a call is read
//
// [Parser.Feed] drops the events of the chunk before and writes the chunk to the Lexer, which calls
// the Assembler. If the chunk ends inside a call, Feed then emits the input that is final:
//
//	Feed
//	├ dropEvents             drops the events of the chunk before, unless Drop did
//	├ releaseIdle            between calls: may release the memory for calls
//	├ Lexer.Write            see package lex; it calls:
//	│ ├ Open                 prepares a draft: resetBuilder
//	│ ├ Offer                reads what is plain and expected
//	│ │ ├ offerName          finds the plan of the tool: tools.find, use
//	│ │ │ └ beginInput       emits InputStart, if the call may be delivered: start
//	│ │ └ offerArguments     compares keys, copies values: AppendString, plainWord
//	│ ├ Name, Path, Key, Word, String, Begin, End   read everything else
//	│ └ CloseCall            completes the arguments: endArguments
//	│   └ deliver            emits the rest of the input and the call
//	└ flush                  inside a call: emits the input that is final
//
// A malformed call ends with Damaged instead of CloseCall.
//
// # Reading
//
//	options.go    options, and what a catalog remembers of them
//	parser.go     Feed and Close
//	event.go      what is emitted
//	assembler.go  a call from its opener to its delivery or damage, and its ID
//	draft.go      the state of a call, what of it is final, and the pool of drafts
//	plan.go       the tools, compiled
//	expected.go   the fast path for expected arguments
//	path.go       any other argument, and the groups that paths build
//	frame.go      arrays and objects
//	value.go      words and strings, and what they become under a schema
//	json.go       JSON text, values without quotes between tags, and native arguments
//	elements.go   XML elements, whose shape depends on the schema
//	block.go      blocks that a codec reads
//	issue.go      what does not fit the schema, or is missing
//	keyset.go     repeated keys
//	repair.go     calls in other formats, and reading a call again, by package repair
//
// # Writing
//
//	write.go        what all formats have in common
//	write_wire.go   the wire format
//	write_format.go all others
package engine
