package settings

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeInThePlaceOfTheSettingsKeepsNobodyWaiting(t *testing.T) {
	d := newDesk(t)
	d.open()
	for _, path := range []string{d.config.Path, LastGoodFor(d.config.Path)} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(d.config.Path, 0o600); err != nil {
		t.Fatal(err)
	}
	s := d.open()
	if problems := s.Status().Problems; len(problems) == 0 || !strings.Contains(problems[0].Text, "no regular file") {
		t.Errorf("got %+v", problems)
	}
}
