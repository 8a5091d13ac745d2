// Package markup writes HTML in which text is always escaped. It is used instead of
// html/template, which looks methods up by name at run time: where a program does that,
// the linker keeps every exported method of every type, three megabytes of ours.
package markup
