// Package sig compiles tool catalogues.
package sig
