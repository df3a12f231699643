package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/registry/registrytest"
	"github.com/faustine-ai/countersign/app/value"
)

// world is an internet of its own: names and addresses as a test says, behind all
// of which is one real server on this machine.
type world struct {
	t       *testing.T
	hosts   []string // that the person allows
	names   map[string][]string
	f       *app.Function
	mu      sync.Mutex
	reached []string // addresses that were connected to
	asked   []string // requests that were heard: “GET https://host/path”
}

func newWorld(t *testing.T, pages map[string]http.HandlerFunc) *world {
	t.Helper()
	w := &world{t: t, hosts: []string{"good.test", "*.wide.test"}, names: map[string][]string{}}
	answer := func(scheme string) http.HandlerFunc {
		return func(out http.ResponseWriter, r *http.Request) {
			at := scheme + "://" + r.Host + r.URL.Path
			w.mu.Lock()
			w.asked = append(w.asked, r.Method+" "+at)
			w.mu.Unlock()
			if page := pages[at]; page != nil {
				page(out, r)
				return
			}
			http.NotFound(out, r)
		}
	}
	ca := newAuthority(t)
	secure := httptest.NewUnstartedServer(answer("https"))
	secure.TLS = &tls.Config{GetCertificate: ca.certificate}
	secure.EnableHTTP2 = true
	secure.StartTLS()
	open := httptest.NewServer(answer("http"))
	t.Cleanup(secure.Close)
	t.Cleanup(open.Close)
	n := network{
		lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			var found []netip.Addr
			texts, known := w.names[host]
			if !known && strings.HasSuffix(host, ".test") {
				texts = []string{"93.184.215.14"}
			}
			for _, text := range texts {
				found = append(found, netip.MustParseAddr(text))
			}
			if len(found) == 0 {
				return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
			}
			return found, nil
		},
		connect: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			w.mu.Lock()
			w.reached = append(w.reached, to.String())
			w.mu.Unlock()
			server := secure
			if to.Port() == 80 {
				server = open
			}
			return (&net.Dialer{}).DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
	}
	family := &Web{newFetcher(func() []string { return w.hosts }, n, &tls.Config{RootCAs: ca.pool, MinVersion: tls.VersionTLS12})}
	r, err := registry.New(family.Functions()...)
	if err != nil {
		t.Fatal(err)
	}
	w.f, _ = r.Find("web.fetch")
	return w
}

type fetched struct {
	URL, Type, Text, Redirect string
	Status                    int
	OK, More                  bool
	Headers                   map[string]string
	Bytes                     struct{ V string }
}

func (w *world) fetch(input string) (marked bool, out fetched, err error) {
	return w.fetchIn(w.t.Context(), input)
}

func (w *world) fetchIn(ctx context.Context, input string) (marked bool, out fetched, err error) {
	canonical, err := value.Canonical([]byte(input), "input")
	if err != nil {
		return false, out, err
	}
	if marked, err = w.f.Judge(canonical); err != nil {
		return marked, out, err
	}
	v, err := w.f.Run(ctx, app.Call{Fn: w.f.Name, Input: canonical})
	if err != nil {
		return marked, out, err
	}
	if v, err = value.Canonical(v, "the result"); err != nil {
		return marked, out, err
	}
	if err := registrytest.Fits(w.f, v); err != nil {
		return marked, out, err
	}
	return marked, out, json.Unmarshal(v, &out)
}

// authority issues a certificate for whatever host is asked for.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &authority{key, cert, pool}
}

func (a *authority) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name, signer, parent := hello.ServerName, a.key, a.cert
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{name}}
	switch {
	case name == "":
		template.IPAddresses = []net.IP{net.ParseIP("93.184.215.14"), net.ParseIP("2606:4700::1111")}
		template.DNSNames = nil
	case strings.HasPrefix(name, "wrong-name"):
		template.DNSNames = []string{"other.test"}
	case strings.HasPrefix(name, "expired"):
		template.NotAfter = time.Now().Add(-time.Minute)
	case strings.HasPrefix(name, "self-signed"):
		parent = template
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if parent == template {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, fmt.Errorf("issue for %s: %w", name, err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
