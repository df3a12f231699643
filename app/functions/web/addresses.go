package web

import "net/netip"

// special are the addresses that are not the public internet, by the registries of
// IANA (iana-ipv4-special-registry, iana-ipv6-special-registry): this machine,
// private and carrier networks, link-local ones, where clouds answer with their
// secrets, tests, multicast, and those that stand for others.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// global is where the public addresses of version 6 are; what lies outside is none.
var global = netip.MustParsePrefix("2000::/3")

// translated holds addresses of version 4 inside, where a network has no version 4.
var translated = netip.MustParsePrefix("64:ff9b::/96")

// public says whether an address is one of the public internet.
func public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap() // ::ffff:127.0.0.1 is 127.0.0.1
	if translated.Contains(a) {
		raw := a.As16()
		a = netip.AddrFrom4([4]byte(raw[12:]))
	}
	if a.Is6() && !global.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsValid()
}

func prefixes(texts ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}
