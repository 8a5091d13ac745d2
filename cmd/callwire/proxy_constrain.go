package main

import (
	"context"
	"log/slog"

	"github.com/callwire/callwire/stream/middleware"
)

// constrain makes the proxy put a grammar into requests. Where it cannot, it says
// why.
func (o *proxyOptions) constrain(e middleware.Engine) {
	if o.rewriting.Constrain = e; e != middleware.NoEngine {
		o.rewriting.Logger = slog.New(warnings{o.log})
	}
}

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
