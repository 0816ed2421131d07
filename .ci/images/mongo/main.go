// A server that speaks MongoDB's protocol and keeps its documents in SQLite files: FerretDB,
// embedded, since its own command neither builds from the module alone nor starts without telemetry.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	server, err := ferretdb.New(&ferretdb.Config{
		Handler: "sqlite",
		// Files, not memory: that would be one connection for all clients.
		SQLiteURL: "file:/data/",
		Listener:  ferretdb.ListenerConfig{TCP: "0.0.0.0:27017"},
	})
	if err != nil {
		log.Fatal(err)
	}
	log.Print("listening on port 27017")
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
