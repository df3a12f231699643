package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestARefusalIsASentenceInTheShapeOfTheWire(t *testing.T) {
	for provider := range paths {
		for _, c := range []struct {
			status     int
			body, says string
		}{
			{401, `{"error":{"message":"Incorrect API key provided: ` + theKey + `."}}`, "did not accept the key. Set a valid one in Settings › Model. It said: “Incorrect API key provided: [key]”."},
			{402, ``, "has no credit left"},
			{403, `{"error":"forbidden"}`, "does not allow this for your key and the model “m-1”. It said: “forbidden”."},
			{404, `{"error":{"message":"model \"m-1\" not found, try pulling it first"}}`, "has no model “m-1”, or its address is not the one in Settings › Model. It said: “model \"m-1\" not found, try pulling it first”."},
			{404, "404 page not found", "It said: “404 page not found”."},
			{404, "<html><body>nginx", "has no model “m-1”, or its address is not the one in Settings › Model."},
			{400, `{"detail":"context length exceeded"}`, "refused the request (status 400). It said: “context length exceeded”."},
			{413, ``, "too long"},
			{422, `{"message":"bad\u0000\u202e field"}`, "(status 422). It said: “bad field”."},
			{429, ``, "was asked too often. Wait a little, then try again."},
			{500, `{"error":{"message":"boom"}}`, "has a problem of its own (status 500). Wait a little, then try again. It said: “boom”."},
			{529, ``, "is overloaded."},
			{418, strings.Repeat("long ", 100), strings.Repeat("long ", 60)[:299]},
		} {
			l := connect(t, provider, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Set-Cookie", "c=1")
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			response := l.ask(t.Context(), "POST", paths[provider], nil)
			said := l.sentence(l.text(response))
			if response.StatusCode != c.status || !strings.Contains(said, c.says) || len([]rune(said)) > 500 {
				t.Errorf("%s %d: %s", provider, c.status, said)
			}
			if response.Header.Get("Set-Cookie") != "" {
				t.Error("the page got a cookie")
			}
		}
	}
}

func TestAStreamThatBreaksEndsWithASentence(t *testing.T) {
	cut := func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }
	for provider, answer := range recorded {
		first := answer[:strings.Index(answer, "\n\n")+2]
		for _, c := range []struct {
			name  string
			send  func(w http.ResponseWriter, send func(string), r *http.Request)
			whole string
			says  string
		}{
			{"cut between records", func(w http.ResponseWriter, send func(string), _ *http.Request) { send(first); cut(w) }, first, "broke in the middle of the answer"},
			{"cut within a record", func(w http.ResponseWriter, send func(string), _ *http.Request) {
				send(first + `data: {"typ`)
				cut(w)
			}, first, "broke in the middle"},
			{"ended without an end", func(_ http.ResponseWriter, send func(string), _ *http.Request) { send(first) }, first, "broke in the middle"},
			{"nothing at all", func(w http.ResponseWriter, send func(string), _ *http.Request) { send("") }, "", "broke in the middle"},
			{"silent", func(_ http.ResponseWriter, send func(string), r *http.Request) {
				io.Copy(io.Discard, r.Body)
				send(first)
				<-r.Context().Done()
			}, first, "nothing came for a second"},
			{"garbage", func(_ http.ResponseWriter, send func(string), _ *http.Request) { send(first + "data: <html>oops\n\n") }, first, "cannot be read as an answer"},
			{"binary", func(_ http.ResponseWriter, send func(string), _ *http.Request) {
				send(first + "data: \x00\xff\xfe{\n\n")
			}, first, "cannot be read as an answer"},
			{"one record without end", func(_ http.ResponseWriter, send func(string), _ *http.Request) {
				send(first + "data: ")
				for range maxRecord>>16 + 1 {
					send(strings.Repeat("x", 1<<16))
				}
			}, first, "cannot be read as an answer"},
		} {
			t.Run(provider+" "+c.name, func(t *testing.T) {
				l := connect(t, provider, func(w http.ResponseWriter, r *http.Request) { c.send(w, streams(w), r) })
				if c.name == "silent" {
					l.f.config.Times.Idle = 150 * time.Millisecond
				}
				response := l.ask(t.Context(), "POST", paths[provider], nil)
				text := l.text(response)
				rest, began := strings.CutPrefix(text, opening+c.whole)
				if response.StatusCode != 200 || !began {
					t.Fatalf("%d: %.2000s", response.StatusCode, text)
				}
				data, isEvent := strings.CutPrefix(strings.TrimPrefix(rest, "event: error\n"), "data: ")
				if !isEvent || !strings.HasSuffix(data, "\n\n") || strings.Count(rest, "\n\n") != 1 {
					t.Fatalf("not one record: %.500q", rest)
				}
				if said := l.sentence(data); !strings.Contains(said, c.says) {
					t.Error(said)
				}
			})
		}
	}
}

func TestAnAnswerThatIsNoneIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		kind, body, says string
	}{
		"a web page":      {"text/html", "<html>log in to the hotel", "not a model's answer"},
		"broken JSON":     {"application/json", `{"id":`, "not a model's answer"},
		"nothing":         {"", "", "not a model's answer"},
		"more than fits":  {"application/json", `"` + strings.Repeat("x", maxWhole) + `"`, "more than can be read"},
		"compressed data": {"application/json", "\x1f\x8b\x08\x00", "not a model's answer"},
	} {
		l := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			io.WriteString(w, c.body)
		})
		response := l.ask(t.Context(), "POST", paths["compatible"], nil)
		if said := l.sentence(l.text(response)); response.StatusCode != 502 || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d %s", name, response.StatusCode, said)
		}
	}
	cut := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"id":"x"`)
	})
	if said := cut.sentence(cut.text(cut.ask(t.Context(), "POST", paths["compatible"], nil))); !strings.Contains(said, "broke in the middle") {
		t.Error(said)
	}
}

func TestAKeyDoesNotFollowARedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked with %v", r.URL, r.Header)
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for provider := range paths {
			l := connect(t, provider, func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, elsewhere.URL+"/v1/steal", status)
			})
			response := l.ask(t.Context(), "POST", paths[provider], nil)
			if said := l.sentence(l.text(response)); response.StatusCode != 502 || !strings.Contains(said, "where your key must not go") {
				t.Errorf("%s %d: %s", provider, status, said)
			}
		}
	}
	moved := connect(t, "compatible", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/here" {
			http.Redirect(w, r, "/v1/here", http.StatusTemporaryRedirect)
			return
		}
		streams(w)(recorded["compatible"])
	})
	if response := moved.ask(t.Context(), "POST", paths["compatible"], nil); response.StatusCode != 200 {
		t.Error("a redirect within the host is not followed")
	}
}

func TestACertificateThatNobodySignedIsRefused(t *testing.T) {
	l := connect(t, "openai", nil)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") }))
	secure.Config.ErrorLog = nil
	secure.Config.ConnState = nil
	secure.StartTLS()
	defer secure.Close()
	l.target.Address = secure.URL + "/v1"
	response := l.ask(t.Context(), "POST", paths["openai"], nil)
	said := l.sentence(l.text(response))
	if response.StatusCode != 502 || !strings.Contains(said, "cannot be trusted (nobody whom this system trusts has signed it). Nothing was sent.") || len(l.waits) > 0 {
		t.Errorf("%d %s, tried again %d times", response.StatusCode, said, len(l.waits))
	}
	l.f.client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots(secure.Certificate()), ServerName: "other.example"}
	if said := l.sentence(l.text(l.ask(t.Context(), "POST", paths["openai"], nil))); !strings.Contains(said, "it belongs to another host") {
		t.Error(said)
	}
}

func roots(certificate *x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return pool
}

func TestAServerThatIsNotThereIsSaid(t *testing.T) {
	l := connect(t, "compatible", nil)
	plain := strings.TrimPrefix(l.server.URL, "http://")
	l.target.Address = "https://" + plain + "/v1"
	if said := l.sentence(l.text(l.ask(t.Context(), "POST", paths["compatible"], nil))); !strings.Contains(said, "does not speak https at this port") {
		t.Error(said)
	}
	l.server.Close()
	l.target.Address, l.waits = "http://"+plain+"/v1", nil
	if said := l.sentence(l.text(l.ask(t.Context(), "POST", paths["compatible"], nil))); said != "Nothing answers at "+plain+". Start the server there, or check the address in Settings › Model." || len(l.waits) > 0 {
		t.Error(said, l.waits)
	}
	slow := connect(t, "compatible", func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	slow.f.client.Transport.(*http.Transport).ResponseHeaderTimeout = 50 * time.Millisecond
	response := slow.ask(t.Context(), "POST", paths["compatible"], nil)
	if said := slow.sentence(slow.text(response)); response.StatusCode != 504 || !strings.Contains(said, "did not begin to answer within") || len(slow.waits) > 0 {
		t.Error(said, slow.waits)
	}
	rude := connect(t, "compatible", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if said := rude.sentence(rude.text(rude.ask(t.Context(), "POST", paths["compatible"], nil))); !strings.Contains(said, "closed the connection without an answer") || len(rude.waits) != 3 {
		t.Error(said, rude.waits)
	}
}

func TestWhatTheNetworkSaysIsPutIntoWords(t *testing.T) {
	target := Target{"openai", "https://models.example/v1", "m-1"}
	dial := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://models.example/v1", Err: &net.OpError{Op: "dial", Err: err}}
	}
	for _, c := range []struct {
		err   error
		says  string
		again bool
	}{
		{dial(&net.DNSError{Name: "models.example", IsNotFound: true}), "There is no host called models.example, or this machine has no network.", true},
		{dial(&net.DNSError{Name: "models.example", IsTemporary: true}), "There is no network to models.example.", true},
		{dial(syscall.ENETUNREACH), "There is no network to models.example.", true},
		{dial(syscall.EHOSTUNREACH), "There is no network", true},
		{dial(syscall.ECONNREFUSED), "Nothing answers at models.example.", true},
		{dial(context.DeadlineExceeded), "could not be reached within 2 seconds", true},
		{&url.Error{Err: x509.CertificateInvalidError{Reason: x509.Expired}}, "it is not valid today", false},
		{&url.Error{Err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}}, "nobody whom this system trusts", false},
		{&url.Error{Err: syscall.ECONNRESET}, "closed the connection without an answer", true},
		{&url.Error{Err: fmt.Errorf("proxy: %w", errors.New("bad gateway"))}, "could not be asked: bad gateway.", true},
	} {
		got := unreachable(target, c.err, quick())
		if !strings.Contains(got.text, c.says) || got.again != c.again || got.status < 500 {
			t.Errorf("%v: %+v", c.err, got)
		}
	}
}

func TestModelsAreListedAndChecked(t *testing.T) {
	list := map[string]string{
		"anthropic":  `{"data":[{"type":"model","id":"claude-b","display_name":"Claude B"},{"type":"model","id":"claude-a","display_name":"Claude A"}],"has_more":false}`,
		"openai":     `{"object":"list","data":[{"id":"gpt-2","object":"model"},{"id":"gpt-1","object":"model"},{"id":"gpt-1","object":"model"}]}`,
		"compatible": `{"object":"list","data":[{"id":"llama3.2:latest","object":"model","created":1,"owned_by":"library"}]}`,
	}
	want := map[string]string{"anthropic": "[{claude-a Claude A} {claude-b Claude B}]", "openai": "[{gpt-1 } {gpt-2 }]", "compatible": "[{llama3.2:latest }]"}
	for provider := range paths {
		asked := ""
		l := connect(t, provider, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			asked += r.Method + " " + r.URL.Path + " " + string(body) + "\n"
			w.Header().Set("Content-Type", "application/json")
			if r.Method == "GET" {
				io.WriteString(w, list[provider])
				return
			}
			streams(w)(recorded[provider])
		})
		models, err := l.f.List(t.Context())
		if err != nil || fmt.Sprint(models) != want[provider] {
			t.Errorf("%s: %v, %v", provider, models, err)
		}
		if _, err := l.f.Check(t.Context()); err != nil || !strings.Contains(asked, `"model":"m-1"`) || len(asked) > 250 {
			t.Errorf("%s: %v\n%s", provider, err, asked)
		}
	}
	for name, c := range map[string]struct {
		status     int
		body, says string
	}{
		"no list":    {404, "not found", "There is nothing at"},
		"no key":     {401, "", "did not accept the key"},
		"not a list": {200, `{"models":[]}`, "does not list its models"},
		"a page":     {200, "<html>", "not a model's answer"},
	} {
		l := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		})
		if _, err := l.f.List(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		kind, body, says string
	}{
		"no stream":   {"application/json", `{"id":"x"}`, "does not stream its answers"},
		"an error":    {"text/event-stream", "data: {\"error\":{\"message\":\"no such model\"}}\n\n", "It said: “no such model”."},
		"nothing":     {"text/event-stream", "", "broke in the middle"},
		"garbage":     {"text/event-stream", "data: {\n\n", "cannot be read"},
		"only a name": {"text/event-stream", "event: ping\n\n", "broke in the middle"},
	} {
		l := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			io.WriteString(w, c.body)
		})
		if _, err := l.f.Check(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := connect(t, "compatible", nil)
	l.target.Name = ""
	if _, err := l.f.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "No model is named yet") {
		t.Errorf("got %v", err)
	}
}
