package logtest_test

import (
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/logtest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	logtest.Run(t, func(*testing.T) logtest.Subject {
		m := &logtest.Memory{}
		return logtest.Subject{Log: m, Entries: func() ([]app.Entry, error) { return m.Entries(), nil }, Close: m.Close}
	})
}
