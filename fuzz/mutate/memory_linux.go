package main

import "syscall"

// memory is how many bytes of address space each child may have.
const memory = 6 << 30

// limitMemory bounds the memory of this process and those that it starts.
func limitMemory() {
	limit := syscall.Rlimit{Cur: memory, Max: memory}
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit) // where it is refused, time-outs must do
}
