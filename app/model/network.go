package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// errElsewhere is what a redirect to another host ends with.
var errElsewhere = errors.New("redirect to another host")

// errSilent says that nothing came for too long.
var errSilent = errors.New("nothing came for too long")

// unreachable turns an error before any answer into a sentence.
func unreachable(t Target, err error, times Times) *fault {
	host := t.host()
	var (
		notTrusted  *tls.CertificateVerificationError
		unknown     x509.UnknownAuthorityError
		wrongHost   x509.HostnameError
		invalid     x509.CertificateInvalidError
		header      tls.RecordHeaderError
		notFound    *net.DNSError
		whileDial   *net.OpError
		timeout     interface{ Timeout() bool }
		isTimeout   = errors.As(err, &timeout) && timeout.Timeout()
		isDial      = errors.As(err, &whileDial) && whileDial.Op == "dial"
		certificate = errors.As(err, &notTrusted) || errors.As(err, &unknown) || errors.As(err, &wrongHost) || errors.As(err, &invalid)
	)
	switch {
	case errors.Is(err, errElsewhere):
		return newFault(http.StatusBadGateway, t.who()+" sends requests on to another place, where your key must not go. Put its final address into Settings › Model.")
	case certificate:
		return newFault(http.StatusBadGateway, "The certificate of "+host+" cannot be trusted ("+certificateReason(err)+"). Nothing was sent. If the server is yours, have its certificate trusted by this system.")
	case errors.As(err, &header) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return newFault(http.StatusBadGateway, host+" does not speak https at this port. Check the address in Settings › Model.")
	case errors.As(err, &notFound) && notFound.IsNotFound:
		f := newFault(http.StatusBadGateway, "There is no host called "+notFound.Name+", or this machine has no network. Check both, and the address in Settings › Model.")
		f.again = true
		return f
	case errors.As(err, &notFound), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETDOWN):
		f := newFault(http.StatusBadGateway, "There is no network to "+host+". Check that this machine is online.")
		f.again = true
		return f
	case errors.Is(err, syscall.ECONNREFUSED):
		f := newFault(http.StatusBadGateway, "Nothing answers at "+host+". Start the server there, or check the address in Settings › Model.")
		f.again = true
		return f
	case isTimeout && isDial:
		f := newFault(http.StatusGatewayTimeout, host+" could not be reached within "+seconds(times.Connect)+". Check the network and the address in Settings › Model.")
		f.again = true
		return f
	case isTimeout && !errors.Is(err, context.Canceled):
		return newFault(http.StatusGatewayTimeout, t.who()+" did not begin to answer within "+seconds(times.FirstByte)+". Try again, or choose a quicker model.")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		f := newFault(http.StatusBadGateway, t.who()+" closed the connection without an answer. Try again.")
		f.again = true
		return f
	}
	f := newFault(http.StatusBadGateway, t.who()+" could not be asked: "+innermost(err)+".")
	f.again = true
	return f
}

func certificateReason(err error) string {
	var (
		wrongHost x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &wrongHost):
		return "it belongs to another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it is not valid today"
	case errors.As(err, &invalid):
		return invalid.Error()
	}
	return "nobody whom this system trusts has signed it"
}

// innermost is the last text of an error: the outer ones repeat the address.
func innermost(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
