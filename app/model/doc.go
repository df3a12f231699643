// Package model answers the host page's model traffic. What is here so far is
// the offline player: it plays an embedded transcript over the same wire as a
// real server, the OpenAI chat-completions format streamed as server-sent
// events, so that the page cannot tell the two apart and the demos exercise
// the path that real providers use.
//
// Who may ask is not decided here: the route in front of the handler checks
// the page's secret.
package model
