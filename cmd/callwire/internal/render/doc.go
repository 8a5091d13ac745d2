// Package render shows what is in a text while it is read. What reads is an intake: parts
// of a parser, or a follower of a stream's events. It gives what it reads to one who shows
// it, in whole segments or event by event:
//
//	          for people            for programs
//	parts     renderer (page.go)    eventPrinter (events.go)
//	follower  live (live.go)        StreamPrinter (stream.go)
package render
