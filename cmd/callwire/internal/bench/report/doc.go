// Package report puts the records of runs on models into words, tables and
// pictures: Markdown, and one page of HTML that needs nothing else.
//
// [New] computes the figures, arm by arm: how many trials succeed, with an
// interval, what was malformed or repaired, tokens, cost and times, and what is
// different from native calls on the same cases. What a difference may be by
// chance is said to be that. Where a record is of a scripted model, so are its
// figures, and every form of the report says so.
package report
