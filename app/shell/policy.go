package shell

import (
	"net/http"
	"strings"
)

// PagePolicy is the Content-Security-Policy of the host page: scripts, styles
// and requests of the app's own and nothing else, and nobody may frame it.
var PagePolicy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"font-src 'self'",
	"connect-src 'self'",
	"frame-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
}, "; ")

// closedPolicy is what every answer has that sets no other policy: a document
// that may load and do nothing.
const closedPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// underPolicy gives every answer of next a policy before next can answer at all,
// so that none is ever sent without. A handler may set one of its own.
func underPolicy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", closedPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
