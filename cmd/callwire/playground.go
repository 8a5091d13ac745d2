package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/spec/playground/site"
)

func newPlayground() *cobra.Command {
	listen := "127.0.0.1:8790"
	return describe(&cobra.Command{
		Use:  "playground",
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			return servePlayground(ctx, cmd.OutOrStdout(), listen)
		},
	}, flags{"listen": &listen})
}

// servePlayground serves the page until ctx is done, and prints its address on out.
func servePlayground(ctx context.Context, out io.Writer, listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || !loopback.Is(host) {
		return fmt.Errorf("--listen is an address of this machine, as in 127.0.0.1:8790, not %q",
			listen)
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; --listen 127.0.0.1:0 takes any free port",
			listen, terminal.Cause(err))
	}
	server := &http.Server{
		Handler: ownHost(site.Server()), ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: log.New(io.Discard, "", 0),
	}
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Fprintf(out, "http://%s/playground/ (Ctrl-C stops it)\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ownHost refuses requests for other host names, which DNS rebinding could point here.
func ownHost(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil || !loopback.Is(host) {
			http.Error(w, "for this machine only", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}
