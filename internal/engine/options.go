package engine

import (
	"cmp"
	"sync"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Options configure how a message is read. They are those of package parse, which describes them.
type Options struct {
	Format              *format.Format
	Tags                format.Tags
	Limits              lexer.Limits
	Strict              bool
	Repair              bool
	AllowAfterMalformed bool
	AllowInCode         bool
	AllowUnclosed       bool
	Reasoning           format.Reasoning
	NewID               func(n int) string
}

// Mode is a set of ways in which a Parser differs from the ordinary one.
type Mode uint8

// The modes.
const (
	WholeCalls Mode = 1 << iota // emit no events of a call before Call
	NoFastPath                  // read every argument lexeme by lexeme, for tests
)

// settings are Options that can be compared: all but NewID.
type settings struct {
	format    *format.Format
	tags      format.Tags
	limits    lexer.Limits
	flags     [5]bool
	reasoning format.Reasoning
	mode      Mode
}

// format returns the format with the tags of o, which also replace those of the formats that are
// read besides it.
func (o *Options) format() *format.Format {
	f := cmp.Or(o.Format, format.Wire)
	if o.Tags == (format.Tags{}) {
		return f
	}
	own := *f
	own.Call, own.Also = o.Tags, nil
	for _, other := range f.Also {
		if other != nil {
			tagged := *other
			tagged.Call = o.Tags
			other = &tagged
		}
		own.Also = append(own.Also, other)
	}
	return &own
}

// Config is a compiled catalog with Options. It does not change, so any number of Parsers may
// share it.
type Config struct {
	Options
	mode   Mode
	limits lexer.Limits
	syntax *lex.Syntax
	tools  *tools
	repair *repair.Tools // nil: no repairs
}

// Compile prepares a catalog. A nil catalog has no tools, so every call is malformed;
// [sig.AnyTool] has every tool, untyped. The error reports options that cannot be used.
//
// A catalog remembers a few Configs, so that compiling again is cheap.
func Compile(catalog *sig.Catalog, o *Options, mode Mode) (*Config, error) {
	if o == nil {
		o = new(Options)
	}
	key := settings{o.Format, o.Tags, o.Limits, [...]bool{
		o.Strict, o.Repair, o.AllowAfterMalformed, o.AllowInCode, o.AllowUnclosed,
	}, o.Reasoning, mode}
	d := derivedFrom(catalog)
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.configs[key]; c != nil {
		return c, nil
	}
	c, err := d.compile(catalog, o, mode)
	if err != nil {
		return nil, err
	}
	if len(d.configs) == maxConfigs {
		clear(d.configs)
	}
	d.configs[key] = c
	return c, nil
}

// derived is what this package derives from a catalog.
type derived struct {
	tools   *tools
	mu      sync.Mutex
	repair  *repair.Tools // nil until it is needed
	configs map[settings]*Config
}

// maxConfigs is how many Configs a catalog remembers.
const maxConfigs = 32

// derivedKey is the key of derived in a catalog.
type derivedKey struct{}

func derivedFrom(catalog *sig.Catalog) *derived {
	memo := catalog.Memo()
	d, found := memo.Load(derivedKey{})
	if !found {
		d, _ = memo.LoadOrStore(derivedKey{}, &derived{
			tools: compileTools(catalog), configs: make(map[settings]*Config),
		})
	}
	return d.(*derived)
}

// newFilter returns the Handler for calls in an element named after the tool.
func newFilter(h lex.Handler, l *lex.Lexer, f *format.Format) lex.Handler {
	a := h.(*Assembler)
	if a.draft == nil {
		a.acquire()
	}
	if f.Body == format.Block {
		a.draft.block.Assembler = a
		return &a.draft.block
	}
	e := &a.draft.elements
	e.Assembler, e.lexer = a, l
	return e
}

func (d *derived) compile(catalog *sig.Catalog, o *Options, mode Mode) (*Config, error) {
	f := o.format()
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.NeedsTools() && catalog.Lookup(nil) != nil {
		return nil, &format.Error{
			Format: f.Name, Reason: "want a catalog that lists the tools: their names are the tags",
		}
	}
	lc := lex.Config{
		Format: f, Limits: lex.Limits(o.Limits.OrDefault()), AllowUnclosed: o.AllowUnclosed,
		NoFastPath: mode&NoFastPath != 0, Reasoning: o.Reasoning, Code: !o.AllowInCode,
		Repair: o.Repair && !o.Strict,
	}
	if f.NeedsTools() || lc.Repair {
		for _, t := range catalog.Tools() {
			lc.Tools = append(lc.Tools, t.Name)
		}
	}
	lc.NewFilter = newFilter
	syntax, err := lex.Compile(lc)
	if err != nil {
		return nil, err
	}
	c := &Config{
		Options: *o, mode: mode, limits: o.Limits.OrDefault(), syntax: syntax, tools: d.tools,
	}
	c.NewID = nil // which may refer to much memory, and is that of one Parser
	if lc.Repair {
		if d.repair == nil {
			d.repair = repair.NewTools(catalog)
		}
		c.repair = d.repair
	}
	return c, nil
}
