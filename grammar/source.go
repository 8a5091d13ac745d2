package grammar

import (
	"embed"
	"io/fs"
)

//go:embed *.go
var source embed.FS

// Source returns the source files of this package. The specification is generated
// from them: it includes the doc comments of productions and the rules that comments
// name.
func Source() fs.FS { return source }
