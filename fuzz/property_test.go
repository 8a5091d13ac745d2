package fuzz

import (
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse/protocol"
)

// TestProperties checks every property of reading, in every format and under every option.
func TestProperties(t *testing.T) {
	for _, p := range Properties {
		t.Run(p.Name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				c := Drawn(rt)
				s := SampleOf(c, oneOf(c, p.formats()...))
				if wrong := p.Check(s); wrong != "" {
					rt.Fatalf("%s\n%s", s, wrong)
				}
			})
		})
	}
}

// TestCheckFormat checks formats that users describe, with messages of a model.
func TestCheckFormat(t *testing.T) {
	f := *attributes
	CheckFormat(t, &f, `<tool_call><invoke name="t"><parameter name='a" b'></invoke></tool_call>`,
		`<tool_call><invoke name="t"><parameter name='a"'>'></parameter><parameter name='a>`)
	elements := *protocol.MorphXML
	elements.Lines = true // which is about another kind of body
	CheckFormat(t, &elements, "<t><s>\na\n</s></t>", "<getWeather><s>\na\n</s></getWeather>")
}

// TestConcurrency: goroutines that share a catalog read the same. With -race it shows more.
func TestConcurrency(t *testing.T) {
	c := random(1)
	samples := make([]Sample, 40)
	want := make([][]Part, len(samples))
	for i := range samples {
		samples[i] = SampleOf(c, oneOf(c, Formats...))
		want[i], _ = samples[i].Read(samples[i].In)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, s := range samples {
				got, err := s.Read(s.chunks()...)
				whole, err2 := s.Whole(s.In)
				same := Differ(want[i], got) == "" && len(whole) == len(want[i])
				if err != nil || err2 != nil || !same {
					t.Errorf("%s\n%v, %v, %s", s, err, err2, Differ(want[i], got))
				}
			}
		})
	}
	all.Wait()
}
