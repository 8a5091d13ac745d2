package parse

import (
	"github.com/callwire/callwire/internal/next/lexer"
	"testing"
	"unsafe"
)

func TestSizes(t *testing.T) {
	t.Log("parser", unsafe.Sizeof(Parser{}), "lexer", unsafe.Sizeof(lexer.Lexer{}), "assembler", unsafe.Sizeof(Assembler{}), "draft", unsafe.Sizeof(draft{}), "event", unsafe.Sizeof(Event{}), "call", unsafe.Sizeof(call{}), "group", unsafe.Sizeof(group{}), "frame", unsafe.Sizeof(frame{}))
}
