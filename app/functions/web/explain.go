package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/faustine-ai/countersign/app"
)

// failed words why a request got no answer.
func failed(u *url.URL, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &app.Error{Code: app.FunctionFailed, Cause: err, Message: u.Host + ": " + reason(err)}
}

func reason(err error) string {
	var private *privateError
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var name x509.HostnameError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &private):
		return "it is on this computer or its own network, which web.fetch never reaches"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no such host"
	case errors.As(err, &dns):
		return "its name could not be looked up; is there a network?"
	case errors.As(err, &name):
		return "its certificate is for another host"
	case errors.As(err, &certificate):
		return "its certificate cannot be trusted: " + strings.TrimPrefix(certificate.Err.Error(), "x509: ")
	case errors.As(err, &record):
		return "it does not speak https"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it refuses connections"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "it cannot be reached; is there a network?"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "it did not answer in time"
	}
	return clip(err.Error())
}
