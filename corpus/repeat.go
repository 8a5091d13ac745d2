package corpus

import "bytes"

// Delims are the tags of a case whose reader and writer have agreed on other ones.
type Delims struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Repeat makes a large text of a small one: the bytes from Start to End stand there
// Times times.
type Repeat struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Times int `json:"times"`
}

// Whole returns the text of a parse case as it is read: Text, its repeated part
// written out. The offsets that the case wants are those of this text.
func (c Case) Whole() Bytes {
	r := c.Repeat
	if r == nil {
		return c.Text
	}
	return bytes.Join([][]byte{c.Text[:r.Start], bytes.Repeat(c.Text[r.Start:r.End], r.Times), c.Text[r.End:]}, nil)
}
