//go:build !linux

package session

import "context"

// Notify is not built for this system yet.
func (System) Notify(context.Context, string, string) error { return ErrUnsupported }

// ReadClipboard is not built for this system yet.
func (System) ReadClipboard(context.Context) (string, error) { return "", ErrUnsupported }

// WriteClipboard is not built for this system yet.
func (System) WriteClipboard(context.Context, string) error { return ErrUnsupported }

// Open is not built for this system yet.
func (System) Open(context.Context, string) error { return ErrUnsupported }
