//go:build desktoptest

package app_test

import (
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestMain(m *testing.M) { desk.Main(m) }
