//go:build desktoptest

package desktop

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
	"github.com/faustine-ai/countersign/tests/modelserver"
)

// toSettings goes to the settings by the keyboard.
func toSettings(t *testing.T, d *desk.Desk) {
	t.Helper()
	desk.Eventually(t, "the window has the focus", func() bool { return inPage[bool](t, d, "return document.hasFocus()") })
	d.Keys("ctrl+comma")
	desk.Eventually(t, "the settings are shown", func() bool { return inPage[bool](t, d, "return !!document.querySelector('.settings #set-model')") })
}

// clicks the button with this text in a part of the page.
func clicks(t *testing.T, d *desk.Desk, part, text string) {
	t.Helper()
	desk.Eventually(t, "there is the button “"+text+"”", func() bool {
		return inPage[bool](t, d, fmt.Sprintf(`
		  const button = [...document.querySelectorAll(%q + ' button')].find((b) => b.innerText.trim() === %q && !b.disabled)
		  button?.click()
		  return !!button`, part, text))
	})
}

func settingsFile(d *desk.Desk) string {
	return filepath.Join(d.Dir, "config", "countersign", "settings.jsonc")
}

func fileSays(t *testing.T, path, text string) {
	t.Helper()
	desk.Eventually(t, path+" says "+text, func() bool {
		content, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(content), text)
	})
}

func TestSettingsAreChangedOnTheScreenAndInTheFile(t *testing.T) {
	picked := t.TempDir()
	d := desk.At(t, t.TempDir(), "COUNTERSIGN_TEST_DIALOG="+picked)
	d.Start()
	toSettings(t, d)
	file := settingsFile(d)

	d.Do("eval", "document.querySelector('#set-theme input[value=dark]').click()")
	fileSays(t, file, `"theme": "dark"`)
	desk.Eventually(t, "the page is dark", func() bool {
		return inPage[string](t, d, "return document.documentElement.dataset.theme ?? ''") == "dark"
	})
	desk.Eventually(t, "and so is what GTK draws", func() bool {
		return inPage[bool](t, d, "return matchMedia('(prefers-color-scheme: dark)').matches")
	})
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}

	// What loosens is asked about; Enter, pressed by somebody who reads nothing, leaves it.
	asked := func() bool { return inPage[bool](t, d, "return !!document.querySelector('.loosening[open]')") }
	clicks(t, d, "#set-folders", "Add a folder…")
	desk.Eventually(t, "it is asked about", asked)
	if text := d.Text(); !strings.Contains(text, "Programs may read everything in "+picked) {
		t.Errorf("the page says %.500s", text)
	}
	d.Keys("Return")
	desk.Eventually(t, "the question has gone", func() bool { return !asked() })
	if content, err := os.ReadFile(file); err != nil || strings.Contains(string(content), picked) {
		t.Errorf("Enter allowed it (%v)", err)
	}
	clicks(t, d, "#set-folders", "Add a folder…")
	desk.Eventually(t, "it is asked about again", asked)
	clicks(t, d, ".loosening", "Allow it")
	fileSays(t, file, picked)
	if out, err := d.Command("log", "export"); err != nil || strings.Count(out, `"kind":"settings.changed"`) != 1 || !strings.Contains(out, `"from":"screen"`) {
		t.Errorf("the log has %s (%v)", out, err)
	}

	// A mistake, made with an editor.
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(content), `"theme"`, `"teme"`, 1)
	if err := os.WriteFile(file, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	line := strings.Count(broken[:strings.Index(broken, `"teme"`)], "\n") + 1
	says := fmt.Sprintf("line %d, column 2", line)
	desk.Eventually(t, "the mistake is shown with its line", func() bool {
		text := d.Text()
		return strings.Contains(text, says) && strings.Contains(text, `did you mean "theme"?`)
	})
	if theme := inPage[string](t, d, "return document.documentElement.dataset.theme"); theme != "dark" {
		t.Errorf("the theme is %s: a mistake changed what is in force", theme)
	}
	desk.Eventually(t, "it is on standard error too", func() bool {
		return strings.Contains(d.Output.String(), fmt.Sprintf("countersign: %s:%d:2: error: there is no setting", file, line))
	})

	// Started again with the mistake, the last good ones are in force.
	d.Close()
	d.Start()
	desk.Eventually(t, "the page is dark again", func() bool {
		return inPage[string](t, d, "return document.documentElement.dataset.theme ?? ''") == "dark"
	})
	toSettings(t, d)
	desk.Eventually(t, "after a start the mistake is shown, and what is in force", func() bool {
		text := d.Text()
		return strings.Contains(text, says) && strings.Contains(text, picked)
	}, d.Text)
	clicks(t, d, ".set-problems", "Put it aside and go on with what is in force")
	desk.Eventually(t, "the mistake has gone", func() bool { return !strings.Contains(d.Text(), says) })
	fileSays(t, file+".broken", `"teme"`)
	fileSays(t, file, picked)
	d.Close()
	d.Verifies()
}

func TestAKeyIsWrittenNowhereButWhereItWasPut(t *testing.T) {
	const key = "sk-desktop-0123456789-QRST"
	server := modelserver.Start(t, func(modelserver.Asked) modelserver.Said { return modelserver.Said{Text: "Hello to you."} })
	d := desk.At(t, t.TempDir())
	text := fmt.Sprintf(`{"model": {"provider": "openai", "baseURL": %q, "name": "scripted"}}`, server.Address+"/v1")
	if err := os.MkdirAll(filepath.Dir(settingsFile(d)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settingsFile(d), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Start()

	d.Types("Hello")
	desk.Eventually(t, "the page says that there is no key", func() bool { return strings.Contains(d.Text(), "Set one in Settings › Model.") })
	if len(server.Asked()) > 0 {
		t.Error("the server was asked without a key")
	}
	toSettings(t, d)
	desk.Eventually(t, "the key can be written", func() bool {
		return inPage[bool](t, d, "const box = document.querySelector('#set-model input[type=password]'); box?.focus(); return !!box")
	})
	d.Xdotool("type", "--delay", "4", key)
	desk.Eventually(t, "it is written", func() bool {
		return inPage[int](t, d, "return document.querySelector('#set-model input[type=password]').value.length") == len(key)
	})
	d.Do("eval", "document.querySelectorAll('#set-model .set-places input')[1].click()")
	clicks(t, d, "#set-model", "Keep it")
	desk.Eventually(t, "the page tells where it is", func() bool { return strings.Contains(d.Text(), "ends with QRST") })
	clicks(t, d, "#set-model", "Try it")
	desk.Eventually(t, "the model is tried", func() bool { return strings.Contains(d.Text(), "scripted answers.") })
	if page := inPage[string](t, d, "return document.documentElement.outerHTML + JSON.stringify(localStorage)"); strings.Contains(page, key) {
		t.Error("the page has the key")
	}
	d.Keys("ctrl+n")
	d.Types("Hello again")
	answered(t, d, "Hello to you.")
	asked := server.Asked()
	if got := asked[len(asked)-1].Header.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("the server got %q", got)
	}
	exported, err := d.Command("log", "export")
	if err != nil || strings.Contains(exported, key) {
		t.Errorf("the log has the key (%v)", err)
	}
	d.Close()
	if strings.Contains(d.Output.String(), key) {
		t.Error("the app printed the key")
	}
	kept := filepath.Join(filepath.Dir(settingsFile(d)), "keys.json")
	err = filepath.WalkDir(d.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if has := strings.Contains(string(content), key); has != (path == kept) {
			t.Errorf("%s has the key: %v", path, has)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestWhatIsTightenedAsksAndALimitThatIsSetEndsTheRun(t *testing.T) {
	server := modelserver.Start(t, thenSays("for (const id of [1041, 1042, 1043]) await sdk.orders.get({ id })\nreturn 'all'", "So it is."))
	d := atModel(t, server, "compatible", map[string]any{"tighten": []string{"orders.get"}, "approval": "each", "limits": map[string]any{"calls": 2}})
	d.Types("Look up the orders")
	d.Click(d.Button("Run 1 selected")) // by itself, looking an order up does not ask
	desk.Eventually(t, "the first has run", func() bool { return inPage[int](t, d, "return document.querySelectorAll('.run .call-ok').length") == 1 })
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, "So it is.")
	if output := server.Asked()[1].Outputs()[0]; !strings.Contains(output, `"status":"limit"`) || !strings.Contains(output, "calls") {
		t.Errorf("the model reads %s", output)
	}
	d.Close()
}
