package proxy

import (
	"context"
	"log/slog"
)

// warnings is a handler that tells what a proxy could not do.
type warnings struct{ log *proxyLog }

func (warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		w.log.say("%s", a.Value)
		return true
	})
	return nil
}

func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w warnings) WithGroup(string) slog.Handler      { return w }
