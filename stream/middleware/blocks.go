package middleware

// blockStream is what all readers of messages that consist of blocks share: Anthropic's
// content blocks, or the items of a response. One decoder reads all text of a message,
// block after block.
type blockStream struct {
	x        *exchange
	sink     textSink
	textKey  string   // key of the text in an event that brings some
	pieceKey string   // key of a piece of arguments in one of ours
	loose    []string // keys whose values vary from event to event; first the key of the event's number

	decoder   *decoder
	failed    *Error
	spent     spending
	reply     string // id of the message
	restarted bool
	begun     bool // the event that begins the message was delivered
	thought   bool // a block of reasoning was delivered
	thinking  bool // of a message that was sent back
	over      bool // the upstream has failed: nothing more is read

	bones  skeleton // of the last event, if it brought text of the block being read
	shown  skeleton // of it, as it was passed on
	pieces skeleton // of the last piece of arguments of the call being delivered
	dst    []byte   // being written
}

// textSink takes what the text of blocks contains.
type textSink interface {
	liveSink

	// passing reports whether text of the block being read passes inside its own
	// events.
	passing() bool

	// passed records text that was passed on.
	passed(text []byte)

	// count returns the number of the next event, valid until the next call; nil if
	// events have none.
	count() []byte

	// writePiece writes an event with a piece of the arguments of the call being
	// delivered.
	writePiece(input []byte)
}

func (s *blockStream) lines() bool { return false }

func (s *blockStream) err() *Error {
	if s.failed == nil {
		return s.x.failure()
	}
	return s.failed
}

// anew forgets the message; another one takes its place.
func (s *blockStream) anew() {
	s.decoder = nil
	s.bones.forget()
	s.restarted, s.thinking = true, s.thinking || s.thought
	s.spent.restart()
}

// decoderOf returns the decoder of the message.
func (s *blockStream) decoderOf() *decoder {
	if s.decoder == nil {
		s.decoder = s.x.newDecoder(s.sink, 0)
	}
	s.decoder.reply = s.reply
	return s.decoder
}

// endText ends the text of a block. It returns false if the message was sent back.
func (s *blockStream) endText(cutOff bool) bool {
	d := s.decoderOf()
	if !d.close(cutOff) {
		return false
	}
	d.newline = false
	d.reset()
	return true
}

// learn takes the bones of an event with text of the block being read, and of what it
// was passed on as, which is nil if it was not.
func (s *blockStream) learn(b *block, text, shown []byte) {
	s.bones.learn(b, text, s.loose)
	s.shown.made(shown, s.textKey, text, s.loose)
}

// again implements codec.
func (s *blockStream) again(dst []byte, from *scanner) ([]byte, bool) {
	event, in := s.bones.match(from.ahead())
	if event == nil || s.decoder.carry != nil {
		return dst, false
	}
	d, passing := s.decoder, s.sink.passing()
	if passing && !s.shown.known() || !passing && !d.unfinished() {
		return dst, false
	}
	from.skip(len(event))
	text := s.bones.spelled(in[ofText])
	if passing && d.plain(text) {
		s.sink.passed(text)
		in[ofNumber] = s.sink.count()
		return s.shown.appendTo(dst, &in), true
	}
	s.dst = dst
	d.feed(text)
	return s.dst, true
}

// call delivers a whole call.
func (s *blockStream) call(id, name string, input []byte) {
	if s.x.opts.SplitDeltas {
		callInPieces(s.sink, id, name, input)
		return
	}
	s.sink.begin(id, name)
	s.sink.writePiece(input)
	s.sink.complete(input, false)
}

// piece delivers a piece of the arguments of a call.
func (s *blockStream) piece(input []byte) {
	if s.pieces.known() {
		s.dst = s.pieces.appendTo(s.dst, &filling{ofText: s.pieces.escaped(input), ofNumber: s.sink.count()})
		return
	}
	start := len(s.dst)
	s.sink.writePiece(input)
	s.pieces.made(s.dst[start:], s.pieceKey, quoted(input), s.loose)
}
