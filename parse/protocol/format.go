package protocol

import "github.com/callwire/callwire/internal/format"

// Format returns the row of the table of formats that describes p, or nil if there is none.
func (p Protocol) Format() *format.Format {
	if f, ok := p.YAML.(interface{ Format() *format.Format }); ok {
		return f.Format()
	}
	return format.Lookup(p.Name)
}
