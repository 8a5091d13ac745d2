package spec

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestContrast: every color of text is readable on every background, in both themes:
// 4.5 to 1, as WCAG requires.
func TestContrast(t *testing.T) {
	css, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		t.Fatal(err)
	}
	themes := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(css), -1)
	if len(themes) != 2 {
		t.Fatalf("%d themes", len(themes))
	}
	for i, theme := range themes {
		colors := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{3,6});`).FindAllStringSubmatch(theme[1], -1) {
			colors[m[1]] = m[2]
		}
		for _, ink := range []string{"ink", "soft", "faint", "accent", "link", "good", "bad", "warn"} {
			for _, under := range []string{"paper", "raised", "sunk", "accent-soft"} {
				if c := contrast(t, colors[ink], colors[under]); c < 4.5 {
					t.Errorf("theme %d: %s on %s has %.2f", i, ink, under, c)
				}
			}
		}
		for ink, under := range map[string]string{"bad": "bad-soft", "warn": "warn-soft"} {
			if c := contrast(t, colors[ink], colors[under]); c < 4.5 {
				t.Errorf("theme %d: %s on %s has %.2f", i, ink, under, c)
			}
		}
	}
}

// contrast returns the contrast of two colors, from 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	if len(color) == 4 {
		color = fmt.Sprintf("#%c%c%c%c%c%c", color[1], color[1], color[2], color[2], color[3], color[3])
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil || len(color) != 7 {
		t.Fatalf("no color: %q", color)
	}
	part := func(shift int) float64 {
		v := float64(n>>shift&0xff) / 255
		if v <= .03928 {
			return v / 12.92
		}
		return math.Pow((v+.055)/1.055, 2.4)
	}
	return .2126*part(16) + .7152*part(8) + .0722*part(0)
}

// TestHeadings: no heading is more than one level below the one before it.
func TestHeadings(t *testing.T) {
	text := fileOf(t, HTMLFile)
	last, seen := 0, 0
	for _, m := range regexp.MustCompile(`<h([1-6])[ >][^\n]*`).FindAllStringSubmatch(text, -1) {
		level := int(m[1][0] - '0')
		if level > last+1 {
			t.Errorf("after a heading of level %d comes %.80s", last, m[0])
		}
		last = level
		seen++
	}
	if seen < 100 {
		t.Errorf("%d headings", seen)
	}
}

// fileOf returns the generated file of that name.
func fileOf(t *testing.T, name string) string {
	t.Helper()
	all := Files()
	i := slices.IndexFunc(all, func(f File) bool { return f.Name == name })
	return string(all[i].Text)
}
