// Package table aligns the columns of tables, for a terminal or as Markdown.
package table

import (
	"strings"
	"unicode/utf8"
)

// Align returns a table in lines: plain, or with the bars and the rule of Markdown. The first row
// is the head. Columns of numbers are aligned to the right, and those without a text are left out.
// Width returns how many columns of a terminal a text takes; nil counts characters.
func Align(rows [][]string, markdown bool, width func(string) int) string {
	if width == nil {
		width = utf8.RuneCountInString
	}
	lines, rule := make([]string, len(rows)), ""
	for i := range rows[0] {
		widest, isEmpty, isNumber := width(rows[0][i]), true, true
		for _, row := range rows[1:] {
			widest = max(widest, width(row[i]))
			isEmpty = isEmpty && row[i] == ""
			isNumber = isNumber && startsNumber(row[i])
		}
		if isEmpty {
			continue
		}
		colon := "-"
		if isNumber {
			colon = ":"
		}
		rule += "|" + strings.Repeat("-", widest+1) + colon
		for n, row := range rows {
			space := strings.Repeat(" ", widest-width(row[i]))
			text := row[i] + space
			if isNumber {
				text = space + row[i]
			}
			if markdown {
				lines[n] += "| " + text + " "
			} else {
				lines[n] += text + "  "
			}
		}
	}
	var out strings.Builder
	for n, line := range lines {
		if !markdown {
			out.WriteString(strings.TrimRight(line, " ") + "\n")
			continue
		}
		out.WriteString(line + "|\n")
		if n == 0 {
			out.WriteString(rule + "|\n")
		}
	}
	return out.String()
}

// startsNumber reports whether a cell is a number, perhaps with a unit, or empty.
func startsNumber(cell string) bool {
	digits := strings.TrimLeft(cell, "+-")
	return cell == "" || digits != "" && '0' <= digits[0] && digits[0] <= '9'
}
