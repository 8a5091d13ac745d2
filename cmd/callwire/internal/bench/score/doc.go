// Package score decides whether a model called what it should have called.
//
// A [Want] is what is right: no call, or calls in any order, each with a
// [Pattern] for its arguments. A [Rule] says how closely values are compared:
//
//   - Exact: strings byte for byte, numbers digit for digit, arrays in order;
//   - Soft: strings but for case, white space, quotes and a period at the end,
//     numbers by value, arrays in any order where the pattern says that it is a
//     set;
//   - BFCL: as the checker of the Berkeley Function Calling Leaderboard compares.
//
// Under every rule a member that the pattern does not have is wrong, and so is
// one that it has, is not optional, and is missing. [Want.Judge] gives all
// verdicts on a message at once, whether its calls are valid by JSON Schema
// included, which a library decides.
package score
