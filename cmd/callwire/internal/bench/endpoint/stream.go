package endpoint

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxAnswer bounds what is read of an answer, and of a line in it.
const maxAnswer = 32 << 20

// readEvents reads a stream of server-sent events and gives the data of each to
// take. It reports whether anything in it was data.
func readEvents(body io.Reader, take func(data []byte) error) (any bool, err error) {
	lines := bufio.NewScanner(io.LimitReader(body, maxAnswer))
	lines.Buffer(nil, maxAnswer)
	var data []byte
	flush := func() error {
		defer func() { data = data[:0] }()
		if len(data) == 0 || bytes.Equal(data, []byte("[DONE]")) {
			return nil
		}
		any = true
		return take(data)
	}
	for lines.Scan() {
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		if len(line) == 0 {
			if err := flush(); err != nil {
				return any, err
			}
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		if len(data) > 0 {
			data = append(data, '\n')
		}
		data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
	}
	if lines.Err() != nil {
		return any, lines.Err()
	}
	seen, broken := any, (*Error)(nil)
	if err = flush(); seen && errors.As(err, &broken) && broken.Code == NotJSON {
		return any, nil // an event that was cut
	}
	return any, err
}
