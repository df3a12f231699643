package web

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/faustine-ai/countersign/app"
)

const maxURL = 8 << 10

// target reads an address that a call, or a redirect, names. What is not refused
// has a scheme, a host in ASCII without a dot at its end, and no credentials.
func target(text, at string) (*url.URL, error) {
	refuse := func(why string) (*url.URL, error) {
		return nil, app.Errorf(app.InvalidInput, "%s: %s", at, why)
	}
	if len(text) > maxURL {
		return refuse("the address is too long")
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return refuse("expected an address such as https://example.com/page")
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return refuse("expected an address that begins with https:// (or http://)")
	case u.User != nil:
		return refuse("an address with a name or password in it is not fetched; leave them out")
	case u.Hostname() == "":
		return refuse("the address has no host")
	}
	host, err := hostOf(u)
	if err != nil {
		return refuse("the host of the address is none that exists")
	}
	port := u.Port()
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return refuse("the port of the address is none")
		}
		if n < 1024 && n != 80 && n != 443 {
			return refuse("the port " + port + " is not one of the web")
		}
	}
	u.Host = host
	if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	if port != "" && port != usualPort(u.Scheme) {
		u.Host += ":" + port
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// hostOf writes a host as it is compared: in ASCII and lower case.
func hostOf(u *url.URL) (string, error) {
	host := strings.TrimSuffix(u.Hostname(), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String(), nil
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return "", err
	}
	return strings.ToLower(ascii), nil
}

func usualPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// allowed says whether a host is among those of the person: by its name, or as one
// below *.name. An address in numbers is in no list.
func allowed(u *url.URL, hosts []string) bool {
	if u.Port() != "" {
		return false // target leaves out the usual ones
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	for _, each := range hosts {
		if below, ok := strings.CutPrefix(each, "*"); ok {
			if strings.HasPrefix(below, ".") && strings.HasSuffix(host, below) {
				return true
			}
		} else if host == each {
			return true
		}
	}
	return false
}

// sameOrigin says that two addresses are of one server.
func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }
