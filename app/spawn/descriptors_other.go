//go:build !linux

package spawn

// Elsewhere nothing that is not meant for children is made so.
func keepDescriptors() {}
