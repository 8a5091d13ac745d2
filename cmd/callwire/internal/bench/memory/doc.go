// Package memory weighs decoders: what one holds while it waits, what it holds
// inside a call, what ten thousand of them take at once, and how often reading
// allocates.
//
//	report, err := memory.Measure(memory.Options{})
//	report.Page().WriteText(os.Stdout, 100)
//
// Bytes are those that the garbage collector finds in use, for each of many equal
// decoders; they differ a little from one run to the next. The text that is fed
// is shared and not counted, nor is the catalog.
package memory
