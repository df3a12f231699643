package web

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

func page(kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		_, _ = io.WriteString(w, body)
	}
}

func TestOnlyReadingFromAnAllowedHostIsUnmarked(t *testing.T) {
	w := newWorld(t, nil)
	for input, want := range map[string]bool{
		`{"url":"https://good.test/"}`: false, `{"url":"https://GOOD.test./a?b=c#d"}`: false, `{"url":"https://good.test:443/"}`: false, `{"url":"https://good.test/","method":"head"}`: false,
		`{"url":"http://good.test/"}`:    false, // goes by https
		`{"url":"https://a.wide.test/"}`: false, `{"url":"https://a.b.wide.test/"}`: false,
		`{"url":"https://good.test/","headers":{"accept":"text/html","If-None-Match":"x"}}`: false,
		`{"url":"https://wide.test/"}`: true, `{"url":"https://notwide.test/"}`: true, `{"url":"https://evilgood.test/"}`: true, `{"url":"https://good.test.evil.test/"}`: true, `{"url":"https://sub.good.test/"}`: true,
		`{"url":"https://good.test:8443/"}`: true, `{"url":"http://good.test:8080/"}`: true, `{"url":"https://93.184.215.14/"}`: true, `{"url":"http://other.test/"}`: true,
		`{"url":"https://good.test/","method":"POST"}`: true, `{"url":"https://good.test/","method":"DELETE"}`: true, `{"url":"https://good.test/","method":"PUT","body":"x"}`: true,
		`{"url":"https://good.test/","headers":{"X-HTTP-Method-Override":"DELETE"}}`: true, `{"url":"https://good.test/","headers":{"authorization":"x"}}`: true,
		`{"url":"https://gооd.test/"}`: true, // Cyrillic
	} {
		text := json.RawMessage(input)
		marked, err := w.f.Judge(app.Value(canonicalText(t, text)))
		if err != nil || marked != want {
			t.Errorf("%s: marked is %v, %v", input, marked, err)
		}
	}
	w.hosts = nil
	if marked, err := w.f.Judge(app.Value(`{"url":"https://good.test/"}`)); !marked || err != nil {
		t.Error("a host that is taken off the list is allowed")
	}
	if got := w.f.Row(t.Context(), app.Value(`{"url":"http://other.test/x"}`)); got != "GET other.test · not among the hosts you allow, not encrypted" {
		t.Errorf("the row says %q", got)
	}
}

func canonicalText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatCannotBeFetchedIsRefusedBeforeAnything(t *testing.T) {
	w := newWorld(t, nil)
	for input, want := range map[string]string{
		`{"url":"file:///etc/passwd"}`: "begins with https://", `{"url":"javascript:alert(1)"}`: "begins with https://", `{"url":"//good.test/"}`: "begins with https://", `{"url":""}`: "begins with https://",
		`{"url":"https://user:pass@good.test/"}`: "name or password", `{"url":"https://good.test@evil.test/"}`: "name or password", `{"url":"https:///x"}`: "no host",
		`{"url":"https://good.test:25/"}`: "the port 25", `{"url":"https://good.test:0/"}`: "port", `{"url":"https://good.test:99999/"}`: "port",
		`{"url":"https://good.test/","method":"CONNECT"}`: "expected one of GET", `{"url":"https://good.test/","method":"GET","body":"x"}`: "sends no body", `{"url":"https://good.test/","body":"x","bytes":"AA==","method":"POST"}`: "got both",
		`{"url":"https://good.test/","headers":{"Host":"evil.test"}}`: "Host is not sent", `{"url":"https://good.test/","headers":{"cookie":"a=b"}}`: "Cookie is not sent", `{"url":"https://good.test/","headers":{"Sec-Fetch-Site":"x"}}`: "is not sent",
		`{"url":"https://good.test/","headers":{"X":"a\r\nY: b"}}`: "no header that can be sent", `{"url":"https://good.test/","headers":{"X Y":"a"}}`: "no header", `{"url":"https://good.test/","as":"pdf"}`: "expected text, bytes or markdown",
	} {
		if _, out, err := w.fetch(input); app.CodeOf(err) != app.InvalidInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", input, out, err)
		}
	}
	if len(w.reached) != 0 {
		t.Errorf("reached %v", w.reached)
	}
}

// Approved or not: nothing here is asked, whatever it is called.
func TestThisComputerAndItsNetworkAreNeverReached(t *testing.T) {
	w := newWorld(t, nil)
	w.hosts = append(w.hosts, "rebound.test", "mixed.test")
	private := []string{"127.0.0.1", "127.255.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255",
		"192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1",
		"2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "100::1"}
	for _, address := range private {
		if public(netip.MustParseAddr(address)) {
			t.Errorf("%s counts as public", address)
		}
		host := address
		if strings.Contains(address, ":") {
			host = "[" + address + "]"
		}
		w.names["rebound.test"], w.names["mixed.test"] = []string{address}, []string{"93.184.215.14", address}
		for _, url := range []string{"http://" + host + "/", "https://" + host + "/", "https://rebound.test/", "https://mixed.test/"} {
			if _, out, err := w.fetch(fmt.Sprintf(`{"url":%q}`, url)); err == nil || !strings.Contains(err.Error(), "on this computer or its own network") {
				t.Errorf("%s (%s): %+v, %v", url, address, out, err)
			}
		}
	}
	for _, text := range []string{"http://localhost/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://[::ffff:7f00:1]/", "http://①②⑦.0.0.1/", "http://localhost.localdomain/"} {
		if _, out, err := w.fetch(fmt.Sprintf(`{"url":%q}`, text)); err == nil {
			t.Errorf("%s: %+v", text, out)
		}
	}
	for _, address := range []string{"93.184.215.14", "8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"} {
		if !public(netip.MustParseAddr(address)) {
			t.Errorf("%s counts as private", address)
		}
	}
	if len(w.reached) != 0 {
		t.Errorf("reached %v", w.reached)
	}
}

// The name stands for a public address when it is judged, and for this computer
// when it is asked about again.
func TestTheAddressThatWasJudgedIsTheOneThatIsReached(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{"https://good.test/": page("text/plain", "hello")})
	w.names["good.test"] = []string{"93.184.215.14"}
	if _, out, err := w.fetch(`{"url":"https://good.test/"}`); err != nil || out.Text != "hello" {
		t.Fatalf("%+v, %v", out, err)
	}
	w.names["good.test"] = []string{"127.0.0.1"}
	if _, _, err := w.fetch(`{"url":"https://good.test/"}`); err == nil {
		t.Error("the second time it was reached")
	}
	if got := strings.Join(w.reached, " "); got != "93.184.215.14:443" {
		t.Errorf("reached %s", got)
	}
	// The real dialer judges what it is asked to connect to by itself.
	if _, err := realNetwork().connect(t.Context(), netip.MustParseAddrPort("127.0.0.1:80")); err == nil || !strings.Contains(err.Error(), "never reaches") {
		t.Errorf("the dialer: %v", err)
	}
}

func TestARedirectIsFollowedOnlyWhereNobodyNeedsToBeAsked(t *testing.T) {
	to := func(location string, status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(status)
		}
	}
	w := newWorld(t, map[string]http.HandlerFunc{
		"https://good.test/":        page("text/plain", "here"),
		"https://good.test/same":    to("/", 302),
		"https://good.test/wide":    to("https://a.wide.test/", 301),
		"https://a.wide.test/":      page("text/plain", "wide"),
		"https://good.test/out":     to("https://evil.test/?secret=1", 302),
		"https://good.test/local":   to("http://127.0.0.1/", 302),
		"https://good.test/meta":    to("https://169.254.169.254/latest", 307),
		"https://good.test/user":    to("https://a:b@good.test/", 302),
		"https://good.test/file":    to("file:///etc/passwd", 302),
		"https://good.test/open":    to("http://a.wide.test/", 302),
		"https://good.test/port":    to("https://good.test:8443/", 302),
		"https://good.test/loop":    to("/loop", 302),
		"https://good.test/post":    to("/", 307),
		"https://good.test/posted":  to("/", 303),
		"https://other.test/":       to("/next", 302),
		"https://other.test/next":   to("https://www.other.test/", 302),
		"https://good.test/no":      to("", 302),
		"https://good.test/created": to("https://evil.test/", 201),
	})
	for _, c := range []struct{ input, text, redirect string }{
		{`{"url":"https://good.test/same"}`, "here", ""},
		{`{"url":"https://good.test/wide"}`, "wide", ""},
		{`{"url":"https://good.test/out"}`, "", "https://evil.test/?secret=1"},
		{`{"url":"https://good.test/local"}`, "", "http://127.0.0.1/"},
		{`{"url":"https://good.test/meta"}`, "", "https://169.254.169.254/latest"},
		{`{"url":"https://good.test/user"}`, "", "https://a:b@good.test/"},
		{`{"url":"https://good.test/file"}`, "", "file:///etc/passwd"},
		{`{"url":"https://good.test/open"}`, "", "http://a.wide.test/"},
		{`{"url":"https://good.test/port"}`, "", "https://good.test:8443/"},
		{`{"url":"https://good.test/loop"}`, "", "https://good.test/loop"},
		{`{"url":"https://good.test/post","method":"POST","body":"x"}`, "", "https://good.test/"},
		{`{"url":"https://good.test/posted","method":"POST","body":"x"}`, "here", ""},
		{`{"url":"https://other.test/"}`, "", "https://www.other.test/"}, // approved, for other.test
		{`{"url":"https://good.test/no"}`, "", ""},
		{`{"url":"https://good.test/created"}`, "", ""},
		{`{"url":"https://good.test/wide","headers":{"X-Key":"secret"}}`, "", "https://a.wide.test/"}, // approved, for good.test
	} {
		_, out, err := w.fetch(c.input)
		if err != nil || out.Text != c.text || out.Redirect != c.redirect {
			t.Errorf("%s: %+v, %v", c.input, out, err)
		}
	}
	for _, asked := range w.asked {
		if strings.Contains(asked, "evil.test") || strings.Contains(asked, "www.other.test") || strings.Contains(asked, "http://") {
			t.Errorf("asked %s", asked)
		}
	}
}

func TestAnAllowedHostIsAskedByHTTPSAlsoWhereTheAddressSaysHTTP(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{"https://good.test/a": page("text/plain", "safe"), "http://other.test/": page("text/plain", "open")})
	if marked, out, err := w.fetch(`{"url":"http://good.test/a"}`); marked || err != nil || out.Text != "safe" || out.URL != "https://good.test/a" {
		t.Errorf("%v %+v, %v", marked, out, err)
	}
	if marked, out, err := w.fetch(`{"url":"http://other.test/"}`); !marked || err != nil || out.Text != "open" {
		t.Errorf("%v %+v, %v", marked, out, err)
	}
}

func TestAnswersComeAsTextBytesOrMarkdown(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{
		"https://good.test/latin": page("text/plain; charset=iso-8859-1", "na\xefve"),
		"https://good.test/meta":  page("text/html", "<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2"),
		"https://good.test/utf8":  page("text/plain", strings.Repeat("a", 2000)+"é"),
		"https://good.test/json":  page("application/problem+json", `{"é":1}`),
		"https://good.test/bom":   page("text/plain", "\xff\xfeh\x00i\x00"),
		"https://good.test/png":   page("image/png", "\x89PNG\x00"),
		"https://good.test/silent": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = io.WriteString(w, "plain")
		},
		"https://good.test/html": page("text/html; charset=utf-8", `<html><head><title>T</title><script>evil()</script></head><body><h1>Head</h1><p>Some <b>bold</b> text, <a href="/x">a link</a>.</p><ul><li>one<li>two</ul></body></html>`),
		"https://good.test/deep": page("text/html", strings.Repeat("<div>", 100_000)+"deep"),
		"https://good.test/cookie": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", "a=b")
			w.Header().Set("X-Other", "c")
			w.WriteHeader(404)
			_, _ = io.WriteString(w, r.Header.Get("Cookie")+r.Header.Get("User-Agent")+r.Header.Get("Accept"))
		},
		"https://good.test/echo": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_, _ = fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("Content-Type"), body)
		},
	})
	for _, c := range []struct{ input, want string }{
		{`{"url":"https://good.test/latin"}`, "naïve"}, {`{"url":"https://good.test/meta"}`, "<meta charset=windows-1251><p>Привет"},
		{`{"url":"https://good.test/utf8"}`, strings.Repeat("a", 2000) + "é"}, {`{"url":"https://good.test/json"}`, `{"é":1}`}, {`{"url":"https://good.test/bom"}`, "hi"},
		{`{"url":"https://good.test/silent"}`, "plain"},
		{`{"url":"https://good.test/html","as":"markdown"}`, "# Head\n\nSome **bold** text, [a link](https://good.test/x).\n\n- one\n- two"},
		{`{"url":"https://good.test/json","as":"markdown"}`, `{"é":1}`},
		{`{"url":"https://good.test/echo","method":"post","body":"{}","headers":{"content-type":"application/json"}}`, "POST application/json {}"},
		{`{"url":"https://good.test/cookie","headers":{"accept":"x/y"}}`, "Countersignx/y"},
	} {
		_, out, err := w.fetch(c.input)
		if err != nil || out.Text != c.want || out.Bytes.V != "" {
			t.Errorf("%s:\n got %+v, %v\nwant %s", c.input, out, err, c.want)
		}
	}
	_, out, err := w.fetch(`{"url":"https://good.test/png"}`)
	if err != nil || out.Bytes.V != "iVBORwA=" || out.Type != "image/png" || !out.OK {
		t.Errorf("%+v, %v", out, err)
	}
	_, out, err = w.fetch(`{"url":"https://good.test/cookie"}`)
	if err != nil || out.Status != 404 || out.OK || out.Headers["x-other"] != "c" || out.Headers["set-cookie"] != "" {
		t.Errorf("%+v, %v", out, err)
	}
	if _, out, err = w.fetch(`{"url":"https://good.test/deep","as":"markdown"}`); err != nil && app.CodeOf(err) != app.FunctionFailed {
		t.Errorf("a page that nests deeply: %v", err)
	}
}

func TestLargeAndSlowAnswersAreBounded(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	w := newWorld(t, map[string]http.HandlerFunc{
		"https://good.test/bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			packed := gzip.NewWriter(w)
			for range 40 {
				_, _ = packed.Write(make([]byte, 1<<20))
			}
			_ = packed.Close()
		},
		"https://good.test/slow": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		},
		"https://good.test/header": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
		},
	})
	_, out, err := w.fetch(`{"url":"https://good.test/bomb","as":"bytes"}`)
	if err != nil || !out.More || len(out.Bytes.V) != (maxBody+2)/3*4 {
		t.Errorf("%d characters, more %v, %v", len(out.Bytes.V), out.More, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := w.fetchIn(ctx, `{"url":"https://good.test/slow"}`); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("slow: %v", err)
	}
	if _, _, err := w.fetch(`{"url":"https://good.test/header"}`); err == nil {
		t.Error("a header of 1 MiB was taken")
	}
}

func TestWhyThereIsNoAnswerIsSaid(t *testing.T) {
	w := newWorld(t, nil)
	for url, want := range map[string]string{
		"https://none.example/": "there is no such host", "https://wrong-name.test/": "certificate is for another host", "https://expired.test/": "certificate cannot be trusted",
		"https://self-signed.test/": "certificate cannot be trusted",
	} {
		_, _, err := w.fetch(fmt.Sprintf(`{"url":%q}`, url))
		if app.CodeOf(err) != app.FunctionFailed || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", url, err)
		}
	}
}
