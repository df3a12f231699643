package shell

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wailsapp/wails/v2/pkg/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options"
	wailsassets "github.com/wailsapp/wails/v2/pkg/options/assetserver"
)

var testSecret = strings.Repeat("0123456789abcdef", 4)

type noRuntime struct{}

func (noRuntime) DesktopIPC() []byte       { return []byte("/* ipc */") }
func (noRuntime) WebsocketIPC() []byte     { return nil }
func (noRuntime) RuntimeDesktopJS() []byte { return []byte("/* runtime */") }

// served is our routes behind Wails' own asset server.
func served(t *testing.T) http.Handler {
	t.Helper()
	routes, err := Routes(Config{
		Secret: testSecret,
		Assets: fstest.MapFS{
			"index.html":     {Data: []byte(`<!doctype html><html><head><meta charset="utf-8"><meta name="countersign-secret" content=""><script type="module" src="/assets/page.js"></script></head><body></body></html>`)},
			"assets/page.js": {Data: []byte("1")},
			"assets/odd.xyz": {Data: []byte("<script>alert(1)</script>")},
			".gitkeep":       {},
		},
		Sandbox: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; worker-src blob:")
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!doctype html><html><head></head><body>frame</body></html>")
		}),
		Model: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "model "+r.Method) }),
		Bytes: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "bytes "+r.Method) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := assetserver.NewAssetServerMainPage("{}", &options.App{AssetServer: &wailsassets.Options{Handler: routes}}, false, nil, noRuntime{})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func get(t *testing.T, h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRoutes(t *testing.T) {
	h := served(t)
	for _, c := range []struct {
		name, method, path string
		header             []string
		status             int
		body               string // contained
		policy             string // contained in the Content-Security-Policy
		kind               string
	}{
		{"the page has the secret", "GET", "/", nil, 200, `content="` + testSecret + `"`, "script-src 'self'", "text/html; charset=utf-8"},
		{"the page has Wails' runtime", "GET", "/index.html", nil, 200, "/wails/ipc.js", "frame-ancestors 'none'", "text/html; charset=utf-8"},
		{"the frame has its own policy", "GET", "/sandbox.html", nil, 200, "frame", "worker-src blob:", "text/html"},
		{"an asset", "GET", "/assets/page.js", nil, 200, "1", "default-src 'none'", "text/javascript; charset=utf-8"},
		{"an asset of an unknown kind is no document", "GET", "/assets/odd.xyz", nil, 200, "<script>", "default-src 'none'", "application/octet-stream"},
		{"the model with the secret", "POST", "/model/v1/chat/completions", []string{SecretHeader, testSecret}, 200, "model POST", "default-src 'none'", ""},
		{"the model without", "POST", "/model/v1/chat/completions", nil, 403, "secret", "default-src 'none'", ""},
		{"the model with an empty one", "POST", "/model/v1/chat/completions", []string{SecretHeader, ""}, 403, "secret", "default-src 'none'", ""},
		{"bytes with the secret", "POST", "/bytes/new", []string{SecretHeader, testSecret}, 200, "bytes POST", "default-src 'none'", ""},
		{"bytes without", "POST", "/bytes/new", nil, 403, "secret", "default-src 'none'", ""},
		{"bytes with another", "GET", "/bytes/00", []string{SecretHeader, strings.Repeat("0", 64)}, 403, "secret", "default-src 'none'", ""},
		{"the model with half of it", "GET", "/model/v1/models", []string{SecretHeader, testSecret[:32]}, 403, "secret", "default-src 'none'", ""},
		{"an unknown asset", "GET", "/nothing.js", nil, 404, "not found", "default-src 'none'", ""},
		{"an unknown folder is not Wails' page", "GET", "/nothing/", nil, 410, "nothing", "default-src 'none'", ""},
		{"an unknown page is not Wails' page", "GET", "/sandbox/index.html", nil, 410, "nothing", "default-src 'none'", ""},
		{"nor below the model", "GET", "/model/", []string{SecretHeader, testSecret}, 410, "nothing", "default-src 'none'", ""},
		{"a folder is not listed", "GET", "/assets", nil, 404, "not found", "default-src 'none'", ""},
		{"no way out of the assets", "GET", "/assets/..%2f..%2fetc/passwd", nil, 404, "not found", "default-src 'none'", ""},
		{"no hidden files", "GET", "/.gitkeep", nil, 404, "not found", "default-src 'none'", ""},
		{"the page is only read", "POST", "/", nil, 405, "GET", "default-src 'none'", ""},
		{"assets are only read", "DELETE", "/assets/page.js", nil, 405, "GET", "default-src 'none'", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, h, c.method, c.path, c.header...)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
				t.Errorf("%d %q; want %d and %q", w.Code, w.Body, c.status, c.body)
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, c.policy) {
				t.Errorf("policy %q, want %q in it", policy, c.policy)
			}
			if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("X-Content-Type-Options %q", got)
			}
			if got := w.Header().Get("Content-Type"); c.kind != "" && got != c.kind {
				t.Errorf("type %q, want %q", got, c.kind)
			}
			if c.path != "/" && c.path != "/index.html" {
				for _, never := range []string{testSecret, "/wails/"} {
					if strings.Contains(w.Body.String(), never) {
						t.Errorf("%q is in the answer", never)
					}
				}
			}
		})
	}
}

func TestAPageThatIsNotBuiltIsAnError(t *testing.T) {
	for name, assets := range map[string]fstest.MapFS{
		"no page":           {},
		"no meta":           {"index.html": {Data: []byte("<html></html>")}},
		"two metas":         {"index.html": {Data: []byte(strings.Repeat(`<meta name="countersign-secret" content="">`, 2))}},
		"a secret is there": {"index.html": {Data: []byte(`<meta name="countersign-secret" content="abc">`)}},
	} {
		if _, err := Routes(Config{Secret: testSecret, Assets: assets}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	page := fstest.MapFS{"index.html": {Data: []byte(`<meta name="countersign-secret" content="">`)}}
	for _, secret := range []string{"", "abc", strings.Repeat(`"`, 64)} {
		if _, err := Routes(Config{Secret: secret, Assets: page}); err == nil {
			t.Errorf("secret %q: no error", secret)
		}
	}
}
