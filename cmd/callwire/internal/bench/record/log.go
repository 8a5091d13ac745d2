package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// Log is a file of records that grows. It may be used by several goroutines at
// once.
type Log struct {
	mu   sync.Mutex
	file *os.File
}

// Open opens a file of records, which need not be there, and returns what is in
// it. A last line that was cut is taken away. The error names the line.
func Open(name string) (*Log, []Record, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, fileError("cannot open", name, err)
	}
	data, err := io.ReadAll(file)
	var records []Record
	var whole int
	if err == nil {
		records, whole, err = read(data)
	}
	if err == nil && whole < len(data) {
		err = file.Truncate(int64(whole))
	}
	if err == nil {
		_, err = file.Seek(int64(whole), io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, nil, fileError("cannot read", name, err)
	}
	return &Log{file: file}, records, nil
}

// ReadFile returns the records of a file, which it does not change.
func ReadFile(name string) ([]Record, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError("cannot read", name, err)
	}
	records, _, err := read(data)
	if err != nil {
		return nil, fileError("cannot read", name, err)
	}
	return records, nil
}

// read returns the records in data, and how many bytes of it are whole lines.
func read(data []byte) (records []Record, whole int, err error) {
	for number := 1; whole < len(data); number++ {
		line, _, ended := bytes.Cut(data[whole:], []byte("\n"))
		if !ended {
			return records, whole, nil
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil || r.Kind == "" {
			return nil, 0, fmt.Errorf("line %d is no record of a run", number)
		}
		records = append(records, r)
		whole += len(line) + 1
	}
	return records, whole, nil
}

// Append adds a record: in one write, so that only a machine that stops can cut
// it.
func (l *Log) Append(r Record) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.file.Write(line.Bytes())
	return err
}

// Close closes the file, once what was written is on the disk.
func (l *Log) Close() error {
	return errors.Join(l.file.Sync(), l.file.Close())
}

// Latest returns the last record of each key, in the order of the first ones.
func Latest(records []Record) []Record {
	var list []Record
	at := make(map[Key]int)
	for _, r := range records {
		if i, ok := at[r.Key]; ok {
			list[i] = r
			continue
		}
		at[r.Key] = len(list)
		list = append(list, r)
	}
	return list
}

// fileError says what could not be done with a file, without saying it twice.
func fileError(what, name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}
