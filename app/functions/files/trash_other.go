//go:build !linux

package files

import "github.com/faustine-ai/countersign/app/folder"

func discard(*folder.Dir, string) (string, error) { return "", errSystem }
