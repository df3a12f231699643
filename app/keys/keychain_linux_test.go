package keys

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inKeyring says that this process is the one that runs beside a keyring.
const inKeyring = "COUNTERSIGN_TEST_KEYRING"

// The test runs itself again on a session bus of its own, beside a real
// gnome-keyring with a folder of its own, unlocked with an empty password. The
// bus ends with it, and the keyring with the bus.
func TestAKeyIsKeptInARealSecretService(t *testing.T) {
	if os.Getenv(inKeyring) != "" {
		beside(t)
		return
	}
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed (Debian: dbus, gnome-keyring)", program)
		}
	}
	home := t.TempDir()
	script := `echo | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$0" -test.run=TestAKeyIsKeptInARealSecretService -test.v`
	command := exec.Command("dbus-run-session", "--", "sh", "-c", script, os.Args[0])
	command.Env = append(os.Environ(), inKeyring+"=1", "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"),
		"XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "kept, found and forgotten") {
		t.Fatalf("%v\n%s", err, out)
	}
	// What the keyring wrote is encrypted.
	err = filepath.Walk(home, func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), text) {
			t.Errorf("%s has the key", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func beside(t *testing.T) {
	r := New(filepath.Join(t.TempDir(), "keys.json"))
	r.env = func(string) string { return "" }
	slot := SlotFor("compatible", "https://models.example/v1", false)
	if s := r.Status(t.Context(), slot); s.From != None || s.Problem != "" {
		t.Fatalf("at first %+v", s)
	}
	for _, key := range []string{text, text + "-another"} {
		if err := r.Set(t.Context(), slot, secret(t, key), Keychain); err != nil {
			t.Fatal(err)
		}
		if got, err := New(r.file.path).Find(t.Context(), slot); err != nil || got.Secret.Reveal() != key || got.From != Keychain {
			t.Fatalf("%s, %v", got.From, err)
		}
	}
	if err := r.Forget(t.Context(), slot); err != nil {
		t.Fatal(err)
	}
	if s := r.Status(t.Context(), slot); s.From != None || s.Problem != "" {
		t.Fatalf("at last %+v", s)
	}
	t.Log("kept, found and forgotten")
}
