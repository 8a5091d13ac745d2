package price

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// Prices are what a million tokens of a model cost.
type Prices struct {
	Input      float64  `json:"input"`
	Output     float64  `json:"output"`
	CacheRead  *float64 `json:"cacheRead,omitempty"`  // not given: as input
	CacheWrite *float64 `json:"cacheWrite,omitempty"` // not given: as input
}

// Cost returns what tokens cost.
func (p Prices) Cost(u record.Usage) float64 {
	of := func(price *float64) float64 {
		if price == nil {
			return p.Input
		}
		return *price
	}
	fresh := max(u.Input-u.CacheRead-u.CacheWrite, 0)
	return (float64(fresh)*p.Input + float64(u.CacheRead)*of(p.CacheRead) + float64(u.CacheWrite)*of(p.CacheWrite) + float64(u.Output)*p.Output) / 1e6
}

// dearest returns the highest price of a token that is read.
func (p Prices) dearest() float64 {
	most := p.Input
	for _, other := range []*float64{p.CacheRead, p.CacheWrite} {
		if other != nil {
			most = max(most, *other)
		}
	}
	return most
}

// Table has the prices of models by their names.
type Table map[string]Prices

// Read reads a table:
//
//	{"model-name": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75}}
func Read(text []byte) (Table, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var t Table
	if err := d.Decode(&t); err != nil {
		return nil, errors.New(`it is no table of prices: ` + strings.TrimPrefix(err.Error(), "json: ") + `; want {"model": {"input": 3, "output": 15}}, for a million tokens`)
	}
	for model, p := range t {
		if p.Input < 0 || p.Output < 0 || p.CacheRead != nil && *p.CacheRead < 0 || p.CacheWrite != nil && *p.CacheWrite < 0 {
			return nil, fmt.Errorf("a price of %s is less than 0", model)
		}
	}
	return t, nil
}
