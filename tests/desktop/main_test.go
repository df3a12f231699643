//go:build desktoptest

package desktop

import (
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestMain(m *testing.M) { desk.Main(m) }
