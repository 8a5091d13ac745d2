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
// Each command is in the file of its name. parse prints through a sink, which is
// render.go for people and events.go for programs, and with --follow through an
// audience, which is live.go and stream_events.go; proof.go is --every-split. The
// proxy is proxy_server.go, which listens, proxy_handler.go, which answers, and
// proxy_log.go, which tells. The demo is demo_agent.go, an application, and
// demo_script.go, what it does; demo_page.go shows it to people, demo_lines.go to
// programs.
// Benchmarks on models are bench_live.go and bench_agent.go, with their flags in
// bench_models.go; bench_report.go writes their report, bench_demo.go shows them
// without a model.
// "callwire help" says the rest.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
