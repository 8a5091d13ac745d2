// Command callwire reads and writes the compact wire format for tool calls.
//
//	callwire parse agent.txt --tools tools.json    read the calls in a text
//	callwire format calls.jsonl                    write calls
//	callwire manual --tools tools.json             explain tools to a model
//	callwire sig --tools tools.json                print their signatures
//	callwire convert messages.json --to wire       rewrite a conversation
//	callwire demo                                  show the round trip of an agent
//	callwire proxy --upstream URL                  bring the format to any program
//	callwire conform -- python3 mine.py            judge an implementation
//	callwire bench live --demo                     measure models
//
// A command has a file of its name, and a page in the folder help with its description and flags.
// What it does is in a package below internal. "callwire help" lists all commands.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
