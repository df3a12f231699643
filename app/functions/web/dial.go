package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// network is how names are looked up and connections made; tests have another.
type network struct {
	lookup  func(ctx context.Context, host string) ([]netip.Addr, error)
	connect func(ctx context.Context, to netip.AddrPort) (net.Conn, error)
}

const (
	connectTime = 10 * time.Second // for all addresses of a host
	tryTime     = 4 * time.Second  // for one of several
)

// privateError says that a host is not of the public internet.
type privateError struct{ host string }

func (p *privateError) Error() string {
	return p.host + " is on this computer or its own network, which web.fetch never reaches"
}

func realNetwork() network {
	resolver := net.DefaultResolver
	dialer := net.Dialer{
		// Judged once more where the system is asked to connect.
		Control: func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !public(to.Addr()) {
				return &privateError{address}
			}
			return nil
		},
	}
	return network{
		lookup: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return resolver.LookupNetIP(ctx, "ip", host)
		},
		connect: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp", to.String())
		},
	}
}

// dial looks a host up, judges all its addresses, and connects to one of those that
// it has judged. A host with any address that is not public is refused: no honest
// one has that.
func (n network) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", portText)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	addresses, err := n.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	var failed []error
	for i, a := range addresses {
		try, cancel := ctx, context.CancelFunc(func() {})
		if i < len(addresses)-1 {
			try, cancel = context.WithTimeout(ctx, tryTime)
		}
		connection, err := n.connect(try, netip.AddrPortFrom(a, uint16(port)))
		cancel()
		if err == nil {
			return connection, nil
		}
		failed = append(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(failed...)
}

func (n network) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if !public(a) {
			return nil, &privateError{host}
		}
		return []netip.Addr{a}, nil
	}
	found, err := n.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the host %s has no address", host)
	}
	for _, a := range found {
		if !public(a) {
			return nil, &privateError{host}
		}
	}
	return found[:min(len(found), 6)], nil
}
