//go:build desktoptest

package desktop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
	"github.com/faustine-ai/countersign/tests/modelserver"
)

// The settings change beside the running app: a folder is picked, reading is made
// to ask. The next request has it, and the clipboard of the desktop is the real one.
func TestFunctionsFollowTheSettingsWhileTheAppRuns(t *testing.T) {
	programs := []string{
		"return await sdk.files.list({}).catch((error) => error.message)",
		"return (await sdk.files.read({ path: 'Desk/a.txt' })).text",
		"await sdk.desktop.writeClipboard({ text: 'from a program' }); return await sdk.desktop.readClipboard({})",
	}
	answers := []string{"No folder yet.", "Read it.", "Copied it."}
	server := modelserver.Start(t, func(asked modelserver.Asked) modelserver.Said {
		turn := -1
		for _, m := range asked.Messages {
			if m.Role == "user" {
				turn++
			}
		}
		if len(asked.Outputs()) == 0 {
			return modelserver.Said{Code: programs[turn]}
		}
		return modelserver.Said{Text: answers[turn]}
	})
	d := atModel(t, server, "compatible", map[string]any{"approval": "each"})
	d.Types("Is there a folder?")
	answered(t, d, answers[0])

	path, more := folderOf(t, map[string]string{"a.txt": "what it says"})
	file := filepath.Join(d.Dir, "config", "countersign", "settings.jsonc")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var settings map[string]any
	if err := json.Unmarshal(text, &settings); err != nil {
		t.Fatal(err)
	}
	settings["folders"], settings["tighten"] = more["folders"], []string{"files.read"}
	if text, err = json.Marshal(settings); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	desk.Eventually(t, "reading asks", func() bool {
		list := strings.Join(d.OverTheBridge(`{op: 'functions', args: {}}`), "")
		_, read, _ := strings.Cut(list, `"name":"files.read"`)
		read, _, _ = strings.Cut(read, `"name":`)
		return strings.Contains(read, `"approval":"always"`)
	})

	d.Types("What does it say?")
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, answers[1])
	d.Types("Copy something")
	d.Click(d.Button("Run 1 selected"))
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, answers[2])

	var outputs []string
	for _, asked := range server.Asked() {
		outputs = append(outputs, asked.Outputs()...)
	}
	for i, want := range []string{"ask the person to add one in Settings", "what it says", "from a program"} {
		if !strings.Contains(outputs[i], want) {
			t.Errorf("program %d gave %s", i+1, outputs[i])
		}
	}
	if _, err := os.Stat(filepath.Join(path, "a.txt")); err != nil {
		t.Error(err)
	}
	d.Close()
}
