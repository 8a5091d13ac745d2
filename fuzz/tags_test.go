package fuzz

import (
	"math/rand/v2"
	"testing"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
)

// anyTag returns a short tag of bytes that have a meaning in a call.
func anyTag(s Source) string {
	const first, rest = "<@$_(:-|#/", "<@$_(:-|#/>at.,=[{\"'\\1"
	b := []byte{first[s.IntN(len(first))]}
	for range 1 + s.IntN(3) {
		b = append(b, rest[s.IntN(len(rest))])
	}
	return string(b)
}

// tagSoup returns n pieces of calls with the tags d and of the tags themselves.
func tagSoup(s Source, d lexer.Delims, n int) string {
	pieces := []string{
		d.Open, d.Close, d.Open, d.Close, d.Open + "t ", d.Open + "t a=\"", d.Open + "t {\"a\":1}",
		d.Open[:1], d.Close[:1], d.Open[1:], d.Close[1:], d.Open[:len(d.Open)-1], d.Close[:len(d.Close)-1],
		"t", "a=", " ", "\"", "'", "\\", "1", "x", "{", "}", "[", "]", ",", ":", "\n", ".", "(", "é", "\xff", " a=\"x\"", " a=1", "{\"a\":1}",
	}
	text := oneOf(s, "", d.Open+"t ")
	for range n {
		text += oneOf(s, pieces...)
	}
	return text
}

// TestAnyTags: properties 2 and 10 with every legal pair of tags, however they begin, overlap
// and contain characters with another meaning: the grammar and the parser agree, and the result
// does not depend on the chunks.
func TestAnyTags(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range often(*soups) / 15 {
		d := lexer.Delims{Open: anyTag(r), Close: anyTag(r)}
		if d.Validate() != nil {
			continue
		}
		for range 40 {
			s := Setup{Delims: d, Accept: chance(r, 4), Stop: chance(r, 4)}
			if chance(r, 3) {
				s.Limits = lexer.Limits{Bytes: 6 + r.IntN(30), Depth: 1 + r.IntN(3), Name: 1 + r.IntN(4), Arguments: 1 + r.IntN(2)}
			}
			text := tagSoup(r, d, 1+r.IntN(10))
			if diff := Diff(text, s); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
			for _, reader := range Readers {
				for _, cuts := range [][]byte{Bytewise(len(text)), Cuts(r, len(text))} {
					if diff := split(reader.New, s, []byte(text), cuts); diff != "" {
						t.Fatalf("%s, %+v\n%s", reader.Name, s, diff)
					}
				}
			}
		}
		grammars.Delete(d)
	}
}

// TestTagsAgree: lexer and grammar accept the same tags.
func TestTagsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 10 * often(*soups) {
		d := lexer.Delims{Open: tag(r), Close: tag(r)}
		if chance(r, 2) {
			d.Open = anyTag(r)
		}
		ours, theirs := d.Validate(), grammar.Delims{Open: d.Open, Close: d.Close}.Check()
		if (ours == nil) != (theirs == nil) {
			t.Fatalf("%+v: %v, by the grammar %v", d, ours, theirs)
		}
	}
}
