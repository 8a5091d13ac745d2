// Package live asks models for single messages and judges the calls in them.
//
// cases.json has a request in plain words for each call of the published
// benchmark, requests for several calls at once, and some for which no tool fits.
// Who has cases of their own writes them in the same form, see [ReadCases].
package live
