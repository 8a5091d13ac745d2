// Package guard rewrites untrusted text so that given tags do not occur in it:
//
//	g := guard.New("<call>", "</call>")
//	safe := g.Neutralize(text) // <call> becomes <\call>
//	text = g.Restore(safe)
package guard

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// Guard rewrites text so that given tags do not occur in it, exactly and
// reversibly. It puts an escape byte after the first character of each tag, and one
// more if some are there already:
//
//	<call>    becomes  <\call>
//	<\call>   becomes  <\\call>
//	a < b     stays
//
// ASCII case is ignored. At the end of the text, a tag that ends with whitespace counts
// without it, since more text may follow.
//
// The escape byte is a backslash, or the first other printable byte if a tag
// contains that. Because no tag contains it, a tag in the rewritten text would
// consist of bytes that were side by side before, and so would have been
// rewritten. A run of escape bytes only grows if the rest of a tag follows it, so
// shrinking those runs is the inverse, for every text.
//
// The zero value knows no tags. A Guard may be used by several goroutines at
// once.
type Guard struct {
	tags    []string // in lower case, sorted; none begins with another
	firsts  string   // the first bytes of the tags, in either case
	longest int      // length of the longest tag, in bytes
	escape  byte
}

// New returns the guard against tags. Each must have at least two characters (a shorter
// one is ignored, since nothing fits inside it), and at least one printable ASCII byte
// must be in none of them, in either case.
func New(tags ...string) Guard {
	g := Guard{tags: make([]string, 0, len(tags)), escape: '\\'}
	for _, tag := range tags {
		if utf8.RuneCountInString(tag) > 1 {
			g.tags = append(g.tags, folded(tag))
		}
	}
	slices.Sort(g.tags)
	last := ""
	g.tags = slices.DeleteFunc(g.tags, func(tag string) bool {
		if last != "" && strings.HasPrefix(tag, last) {
			return true
		}
		last = tag
		return false
	})
	all := strings.Join(g.tags, "")
	all += strings.ToUpper(all)
	for c := byte('!'); strings.IndexByte(all, g.escape) >= 0 && c < 0x7f; c++ {
		g.escape = c
	}
	for _, tag := range g.tags {
		g.longest = max(g.longest, len(tag))
	}
	for c := range 256 {
		isFirst := func(tag string) bool { return tag[0] == fold(byte(c)) }
		if slices.ContainsFunc(g.tags, isFirst) {
			g.firsts += string([]byte{byte(c)})
		}
	}
	return g
}

// Tags returns the guard's tags, in lower case, without those that begin with another
// tag. The caller must not change them.
func (g Guard) Tags() []string { return slices.Clip(g.tags) }

// In reports whether a tag occurs in text.
func (g Guard) In(text string) bool {
	for i := g.next(text, 0); i >= 0; i = g.next(text, i+1) {
		if g.Begins(text[i:]) {
			return true
		}
	}
	return false
}

// Begins reports whether text begins with a tag.
func (g Guard) Begins(text string) bool { return text != "" && g.follows(text[:1], text[1:]) }

// Joins reports whether a tag begins in a and ends in b when b directly follows a. It
// looks at no more bytes of each than the longest tag has.
func (g Guard) Joins(a, b string) bool {
	from := max(0, len(a)-g.longest)
	both := a[from:] + b[:min(len(b), g.longest)]
	for i := range len(a) - from {
		if g.Begins(both[i:]) && !g.Begins(a[from+i:]) {
			return true
		}
	}
	return false
}

// Open returns the longest suffix of text that is a proper prefix of a tag.
func (g Guard) Open(text string) string {
	for i := g.next(text, max(0, len(text)-max(0, g.longest-1))); i >= 0; i = g.next(text, i+1) {
		prefix := folded(text[i:])
		n, _ := slices.BinarySearch(g.tags, prefix)
		if n < len(g.tags) && len(g.tags[n]) > len(prefix) && strings.HasPrefix(g.tags[n], prefix) {
			return text[i:]
		}
	}
	return ""
}

// Longest returns the length of the longest tag, in bytes.
func (g Guard) Longest() int { return g.longest }

// Neutralize returns text without tags. It takes time linear in text, and does
// not allocate if there is nothing to do.
func (g Guard) Neutralize(text string) string {
	var out strings.Builder
	done := 0
	for i := g.next(text, 0); i >= 0; {
		_, width := utf8.DecodeRuneInString(text[i:])
		run := i + width
		for run < len(text) && text[run] == g.escape {
			run++
		}
		if g.follows(text[i:i+width], text[run:]) {
			out.WriteString(text[done : i+width])
			out.WriteByte(g.escape)
			done = i + width
		}
		i = g.next(text, run)
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// Restore undoes Neutralize: Restore(Neutralize(text)) == text. It takes time
// linear in text.
//
// It works backward, so what follows an escape byte is always what followed it when it
// was inserted, even if one tag begins inside another.
func (g Guard) Restore(text string) string {
	if len(g.tags) == 0 || strings.IndexByte(text, g.escape) < 0 {
		return text
	}
	out := make([]byte, len(text))
	at := len(out) // out[at:] is restored
	run := 0       // escape bytes at out[at:]
	for i := len(text) - 1; i >= 0; i-- {
		c := text[i]
		if c == g.escape {
			run++
		} else {
			if run > 0 {
				_, width := utf8.DecodeLastRuneInString(text[:i+1])
				rest := out[at+run : min(len(out), at+run+g.longest)]
				if g.follows(text[i+1-width:i+1], string(rest)) {
					at++
				}
			}
			run = 0
		}
		at--
		out[at] = c
	}
	return string(out[at:])
}

// next returns the first offset from i on at which a tag can begin, or -1.
func (g Guard) next(text string, i int) int {
	if len(g.firsts) == 1 { // most often, and many times as fast
		if n := strings.IndexByte(text[i:], g.firsts[0]); n >= 0 {
			return i + n
		}
		return -1
	}
	for ; i < len(text); i++ {
		if strings.IndexByte(g.firsts, text[i]) >= 0 {
			return i
		}
	}
	return -1
}

// follows reports whether first, which is not empty, and rest together begin with a tag.
func (g Guard) follows(first, rest string) bool {
	_, found := slices.BinarySearchFunc(g.tags, rest, func(tag, rest string) int {
		order := 0
		for n := 0; order == 0 && n < len(tag); n++ {
			switch {
			case n < len(first):
				order = cmp.Compare(tag[n], fold(first[n]))
			case n-len(first) < len(rest):
				order = cmp.Compare(tag[n], fold(rest[n-len(first)]))
			case n < len(tag)-1 || !lexeme.IsSpace(tag[n]):
				return 1
			}
		}
		return order
	})
	return found
}

// folded returns tag with its ASCII letters in lower case.
func folded(tag string) string {
	b := []byte(tag)
	for i, c := range b {
		b[i] = fold(c)
	}
	return string(b)
}

// fold returns an ASCII letter in lower case, and every other byte as it is.
func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
