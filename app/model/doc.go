// Package model answers the host page's model traffic.
//
// The forwarder carries it to the address that is set in the settings and to no
// other: it puts the key in, streams the answer back record by record, and turns
// whatever goes wrong into a sentence in the shape of the provider's own errors,
// which the page's library shows.
//
// The offline player plays an embedded transcript over the same wire as a real
// server, the OpenAI chat-completions format streamed as server-sent events, so
// that the page cannot tell the two apart and the demos exercise the path that
// real providers use.
//
// Who may ask is not decided here: the route in front of the handler checks
// the page's secret.
package model
