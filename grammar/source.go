package grammar

import (
	"embed"
	"io/fs"
)

//go:embed *.go
var source embed.FS

// Source returns the source files of this package. What they say of a production
// in its doc comment, and which rules a comment names, is part of the
// specification, which is generated from them.
func Source() fs.FS { return source }
