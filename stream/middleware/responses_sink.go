package middleware

// passing implements textSink.
func (s respSink) passing() bool { return s.c.text.part && len(s.c.text.blank) == 0 }

// passed implements textSink.
func (s respSink) passed(text []byte) { s.c.text.said = append(s.c.text.said, text...) }

// count implements textSink.
func (s respSink) count() []byte { return s.c.count() }

// respSink is the sink of a stream.
type respSink struct{ c *responsesCodec }

func (s respSink) text(text []byte) { s.c.say(text) }

// call implements sink.
func (s respSink) call(id, name string, input []byte) { s.c.call(id, name, input) }

// splits implements liveSink.
func (s respSink) splits() bool { return true }

// begin implements liveSink: a call is an item of its own.
func (s respSink) begin(id, name string) {
	c, item := s.c, s.c.text
	c.shut(item)
	c.pieces.forget()
	item.split, item.blank, c.changed = true, nil, true
	c.calling = respCall{"fc_" + id[len("call_"):], id, name, len(c.output)}
	beginning := c.calling.item([]byte(`""`), "in_progress")
	c.output = append(c.output, beginning)
	c.emit("response.output_item.added", object{{"output_index", number(c.calling.out)}, {"item", beginning}})
}

// piece implements liveSink. The upstream may have begun an item since.
func (s respSink) piece(input []byte) { s.c.piece(input) }

// writePiece implements textSink.
func (s respSink) writePiece(input []byte) {
	s.c.emit("response.function_call_arguments.delta", append(s.c.calling.place(), member{"delta", quoted(input)}))
}

// complete implements liveSink.
func (s respSink) complete(input []byte, broken bool) {
	c, call, arguments := s.c, &s.c.calling, quoted(input)
	c.emit("response.function_call_arguments.done", append(call.place(), member{"name", quoted(call.name)}, member{"arguments", arguments}))
	status := "completed"
	if broken {
		status = "incomplete"
	}
	item := call.item(arguments, status)
	c.output[call.out] = item
	c.emit("response.output_item.done", object{{"output_index", number(call.out)}, {"item", item}})
}

// respCall is the call being delivered.
type respCall struct {
	itemID, id, name string
	out              int // its index
}

func (r *respCall) item(arguments []byte, status string) []byte {
	return callItem(r.itemID, r.id, r.name, arguments, status)
}

// place returns the members that identify an event's item.
func (r *respCall) place() object {
	return object{{"item_id", quoted(r.itemID)}, {"output_index", number(r.out)}}
}

// callItem returns a call as an item. The arguments are a JSON string.
func callItem(id, callID, name string, arguments []byte, status string) []byte {
	return object{
		{"id", quoted(id)}, {"type", []byte(`"function_call"`)}, {"status", quoted(status)},
		{"arguments", arguments}, {"call_id", quoted(callID)}, {"name", quoted(name)},
	}.appendTo(nil)
}
