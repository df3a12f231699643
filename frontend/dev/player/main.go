// Player serves the offline model over plain HTTP on the loopback interface,
// for working on the page in a browser. See frontend/dev/serve.mjs.
package main

import (
	"flag"
	"log"
	"net/http"

	"github.com/faustine-ai/countersign/app/model"
)

func main() {
	scene := flag.String("scene", "cancel-orders", "the scene to play")
	address := flag.String("address", "127.0.0.1:5174", "where to listen")
	flag.Parse()
	player, err := model.Offline(*scene)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(*address, player))
}
