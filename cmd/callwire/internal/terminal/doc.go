// Package terminal prints text on a terminal. A terminal obeys some control characters and hides
// others, so the text of models, tools and schemas is made visible first. It has columns, and some
// characters take two of them. It may have color, or a line that can be redrawn.
package terminal
