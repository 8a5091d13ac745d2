// Package stream decodes messages that arrive in chunks:
//
//	for e, err := range stream.Events(reader, catalog, parse.Options{}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(e.Kind, e.ID)
//	}
package stream

import (
	"io"
	"iter"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/next/parse"
)

// Event is one step in the life of a message.
type Event = parse.Event

// Decoder turns the chunks of one message after another into events.
type Decoder = parse.Parser

// NewDecoder returns a Decoder. A nil catalog leaves everything untyped.
func NewDecoder(catalog *sig.Catalog, o parse.Options) *Decoder { return parse.New(catalog, o) }

// Events returns the events of the message that r reads. Each is valid until the next. If r
// fails, the last events are those of a message that broke off, followed by the error.
func Events(r io.Reader, catalog *sig.Catalog, o parse.Options) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		d := NewDecoder(catalog, o)
		chunk := make([]byte, 4096)
		for {
			n, err := r.Read(chunk)
			events := d.Feed(chunk[:n])
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
			switch {
			case err == nil:
				continue
			case err == io.EOF:
				events, err = d.Close(), nil
			default:
				events = d.Abort()
			}
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
			if err != nil {
				yield(Event{}, err)
			}
			return
		}
	}
}
