package sig

// Problem tells what was dirty in a tool or its schema and how it was read.
type Problem struct {
	Tool    string // the tool's name; empty where it has none
	Path    string // JSON pointer into the tool's schema; empty for the schema itself or the tool
	Code    string // kebab-case
	Message string // for people: what was found and how it was read
}
