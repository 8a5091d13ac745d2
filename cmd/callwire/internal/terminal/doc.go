// Package terminal is how text gets onto somebody's terminal. A terminal obeys control
// characters and shows nothing of others, so that what models, tools and schemas say is
// made visible first; it has columns, of which some characters take two; and it may have
// color, or a line that can be drawn again.
package terminal
