// Package protocol describes the formats in which models write calls, each as a value
// of a few lines, and reads and writes them all through one engine, with the same
// parts, deltas, limits, issues and promises as the wire format.
//
//	dec := stream.NewDecoder(catalog, stream.Options{Options: parse.Options{Protocol: protocol.Hermes}})
//
// # Terminology
//
// The frame is the tags around a call, the envelope says where the tool's name stands,
// and the body holds the arguments.
//
// # A protocol is data
//
// [Protocol] is a value: a body, the tags and marks around it, and the text of its
// prompt. Most formats are one of these bodies with other tags, so a new format is a
// copy of an existing one with some fields changed. A format that no body reads is a Go
// type that implements [parse.Protocol], with the help of [parse.Assembler]. In both
// cases fuzz.CheckProtocol checks every promise of package parse; test every protocol
// with it.
//
// # What holds for all of them
//
// Parts do not depend on the chunks, spans tile the message, deltas are final. A
// truncated call is never delivered. A malformed call never costs another one, and its
// markup does not become text. Tags in quoted strings mean nothing; text without quotes
// ends only where structure follows. Numbers keep their digits. Work is linear, and the
// limits bound memory.
//
// # Writing
//
// A call is written such that it reads back, or refused with lexer.UnwritableValue:
// formats without quotes cannot carry every value.
//
// # If you come from the AI SDK's tool call middleware
//
//	hermesProtocol, hermesToolMiddleware          Hermes; Frame for other tags
//	gemmaToolMiddleware                           GemmaFence
//	morphXmlProtocol, morphXmlToolMiddleware      MorphXML
//	qwen3CoderProtocol, qwen3CoderToolMiddleware  Qwen3Coder
//	yamlXmlProtocol                               yaml.XML, in package yaml
//	a custom protocol                             a Protocol, or a parse.Protocol
//	formatTools                                   Protocol.AppendTools
//	formatToolCall                                parse.FormatOptions.Format
//	formatToolResponse                            Protocol.AppendResult
//	parseGeneratedText                            parse.Options.Text
//	createStreamParser                            stream.NewDecoder
//	extractToolCallSegments                       Extract
//	onError, dropReason                           parse.Options.OnMalformed, Segment.Err.Code; event malformed
//	emitRawToolCallTextOnError                    stream.Options.MalformedAsText
//	toolSystemPromptTemplate, placement           manual.Options.Protocol, Template, Placement
//	RJSON.parse, tolerant, warnings               relaxed.Parse, relaxed.Options.Allow, Tolerated
//	rxml.parse, with a schema or without          ReadXML
package protocol
