package model

import "net/http"

// Both answers all model traffic of the page: the offline player what is below
// /model/v1/, the forwarder the rest.
func Both(offline, forwarder http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/model/v1/", offline)
	mux.Handle("/model/", forwarder)
	return mux
}
