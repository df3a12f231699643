//go:build desktoptest

package desktop

import (
	"fmt"
	"os"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestMain(m *testing.M) {
	if os.Getenv(serveMCP) != "" {
		if err := asMCPServer(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		return
	}
	desk.Main(m)
}
