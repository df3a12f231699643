package card

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

func TestBytesCanBeSavedToLookAt(t *testing.T) {
	data := bytes.Repeat([]byte{1, 2, 3, 4}, 100)
	c := calls(1)
	pretty := func(app.Value) (string, []value.Binary) {
		return "File of 400 bytes", []value.Binary{{Name: "../x/chart.png", Bytes: data}}
	}
	out := put(t, New(Config{Pretty: pretty}), c)
	waitArmed(t)
	folder := t.TempDir()
	keys(t, "shift+Tab", "shift+Tab", "space") // reason, save
	xdotool(t, "search", "--sync", "--onlyvisible", "--name", "^Save to look at$")
	eventually(t, "the dialog has the focus", func() bool {
		return inFront() == "Save to look at"
	})
	keys(t, "ctrl+a")
	xdotool(t, "type", "--delay", "5", filepath.Join(folder, "look.png"))
	keys(t, "Return")
	var got []byte
	eventually(t, "the bytes are saved", func() bool {
		got, _ = os.ReadFile(filepath.Join(folder, "look.png"))
		return len(got) == len(data)
	})
	if !bytes.Equal(got, data) {
		t.Error("other bytes were saved")
	}
	noAnswer(t, out, "saving")
	waitArmed(t)
	keys(t, "Escape")
	wait(t, out)
}

func TestTheCardRemembersItsSize(t *testing.T) {
	p := New(Config{Size: filepath.Join(t.TempDir(), "state", "card.json")})
	out := put(t, p, calls(2))
	waitArmed(t)
	id := xdotool(t, "search", "--onlyvisible", "--name", "^Cancel many")
	xdotool(t, "windowsize", "--sync", id, "1000", "600")
	keys(t, "Escape")
	wait(t, out)
	out = put(t, p, calls(2))
	waitArmed(t)
	if got := geometry(t, "^Cancel many"); !strings.Contains(got, "Geometry: 1000x600") {
		t.Errorf("the next card is at %s", got)
	}
	keys(t, "Escape")
	wait(t, out)
}
