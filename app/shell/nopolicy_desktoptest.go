//go:build desktoptest

package shell

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
)

var metaPolicy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

// frameDocument serves the frame document without its policies, or not at all,
// when a test asks for it, so that the checks of the isolation can be seen to fail
// and not to be made.
func frameDocument(handler http.Handler) http.Handler {
	if os.Getenv("COUNTERSIGN_TEST_NO_FRAME") != "" {
		return http.NotFoundHandler()
	}
	if os.Getenv("COUNTERSIGN_TEST_NO_POLICY") == "" {
		return handler
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		w.Header().Del("Content-Security-Policy")
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		if _, err := w.Write(metaPolicy.ReplaceAll(answer.Body.Bytes(), nil)); err != nil {
			return // the reader went away
		}
	})
}
