package lexeme

import (
	"slices"
	"strings"
)

// Guard rewrites text so that given tags do not occur in it, exactly and
// reversibly. It puts an escape byte after the first byte of each tag, and one
// more if some stand there already:
//
//	<call>    becomes  <\call>
//	<\call>   becomes  <\\call>
//	a < b     stays
//
// The escape byte is a backslash, or the first other printable byte if a tag
// contains that. Because no tag contains it, a tag in the rewritten text would
// consist of bytes that stood side by side before, and so would have been
// rewritten. Because a run of escape bytes only grows where a tag's remainder
// follows it, shrinking those runs is the inverse, for every text.
//
// The zero value knows no tags. A Guard may be used by several goroutines at
// once.
type Guard struct {
	tags   []string
	firsts string // the first bytes of the tags
	escape byte
}

// NewGuard returns the guard against tags. Each is ASCII, of two bytes or more (a
// shorter one is left out, since nothing can be put into it); there are fewer than
// 90 different bytes in all of them together.
func NewGuard(tags ...string) Guard {
	tags = slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return len(tag) < 2 })
	g := Guard{tags: tags, escape: '\\'}
	all := strings.Join(tags, "")
	for c := byte('!'); strings.IndexByte(all, g.escape) >= 0 && c < 0x7f; c++ {
		g.escape = c
	}
	for _, tag := range tags {
		if strings.IndexByte(g.firsts, tag[0]) < 0 {
			g.firsts += tag[:1]
		}
	}
	return g
}

// Tags returns the tags that the guard knows. The caller must not change them.
func (g Guard) Tags() []string { return slices.Clip(g.tags) }

// In reports whether a tag occurs in text.
func (g Guard) In(text string) bool {
	return slices.ContainsFunc(g.tags, func(tag string) bool { return strings.Contains(text, tag) })
}

// Neutralize returns text without tags. It takes time linear in text, and does
// not allocate where nothing is to be done.
func (g Guard) Neutralize(text string) string {
	var out strings.Builder
	done := 0
	for i := g.next(text, 0); i >= 0; {
		run := i + 1
		for run < len(text) && text[run] == g.escape {
			run++
		}
		if g.follows(text[i], text[run:]) {
			out.WriteString(text[done : i+1])
			out.WriteByte(g.escape)
			done = i + 1
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
// It works from the end, so that what follows an escape byte is always what
// followed it when it was put there, also where one tag begins inside another.
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
			if run > 0 && g.follows(c, string(out[at+run:min(len(out), at+run+g.longest())])) {
				at++
			}
			run = 0
		}
		at--
		out[at] = c
	}
	return string(out[at:])
}

// next returns the next offset from i on where a tag can begin, or -1.
func (g Guard) next(text string, i int) int {
	n := -1
	if len(g.firsts) == 1 {
		n = strings.IndexByte(text[i:], g.firsts[0])
	} else {
		n = strings.IndexAny(text[i:], g.firsts)
	}
	if n < 0 {
		return -1
	}
	return i + n
}

// follows reports whether rest begins as a tag goes on after its first byte c.
func (g Guard) follows(c byte, rest string) bool {
	for _, tag := range g.tags {
		if tag[0] == c && strings.HasPrefix(rest, tag[1:]) {
			return true
		}
	}
	return false
}

// longest returns the length of the longest tag, in bytes.
func (g Guard) longest() (n int) {
	for _, tag := range g.tags {
		n = max(n, len(tag))
	}
	return n
}
