// Package web fetches from the web: web.fetch.
//
// A call is unmarked only where it reads, from a host that the person has allowed,
// encrypted, and says nothing but what a reader says: GET or HEAD, https, the usual
// port, no body, no headers of its own but a few. Everything else is marked.
//
// Approved or not, a call never reaches this machine or its network: what a name
// stands for is looked up here, every address is judged, and the connection is made
// to the very address that was judged, so that a name cannot change its mind in
// between. Each redirect is judged anew, as a call of its own: where that would be
// marked it is not followed, and its address is told instead.
//
// No cookies are kept or sent, no proxy is asked, no credentials are taken from an
// address.
package web
