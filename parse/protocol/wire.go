package protocol

import (
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Wire is the wire format as one protocol among others. Its tags are those of the
// options; options without a protocol mean this one.
var Wire parse.Protocol = wire{}

type wire struct{}

func (wire) String() string { return "wire" }

func (wire) NewReader(catalog *sig.Catalog, o parse.Options) (parse.Reader, error) {
	o.Protocol = nil
	return parse.NewParser(catalog, o)
}

func (wire) AppendCall(dst []byte, catalog *sig.Catalog, name string, input []byte, o parse.FormatOptions) ([]byte, error) {
	o.Protocol = nil
	return o.Append(dst, catalog, name, input)
}
