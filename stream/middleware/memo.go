package middleware

import "sync"

// A memo remembers results by key. It forgets all of them when their total size would
// exceed a limit, so it needs no order. The zero value is ready, and may be used
// concurrently.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
	size  int
}

// get returns the value for key, computing it if it isn't known. Size is what the value
// counts toward the limit.
func (m *memo[K, V]) get(key K, size, limit int, compute func() V) V {
	m.mu.Lock()
	v, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = compute() // two goroutines may both do this
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || m.size+size > limit {
		m.known, m.size = make(map[K]V), 0
	}
	m.known[key] = v
	m.size += size
	return v
}
