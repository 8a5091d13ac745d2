// Command callwire reads and writes the compact wire format for tool calls.
//
//	callwire parse agent.txt --tools tools.json    read the calls in a text
//	callwire format calls.jsonl                    write calls
//	callwire manual --tools tools.json             explain tools to a model
//	callwire sig --tools tools.json                print their signatures
//	callwire history messages.json                 rewrite a conversation
//	callwire demo                                  show the round trip of an agent
//	callwire proxy --upstream URL                  bring the format to any program
//	callwire serve                                 answer a conformance runner
//	callwire bench tokens                          measure tokens; speed, memory
//	callwire bench live --demo                     measure models; agent, report
//
// Each command is in the file of its name: its flags, its help, and what they set. What
// it does is in a package below internal: render shows what is read, proof is
// --every-split, conversation reads and converts messages, and proxy, serve, demo and
// bench are the commands of those names.
// "callwire help" says the rest.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
