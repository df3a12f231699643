package keys

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inKeyring says that this process is the one that runs beside a keyring.
const inKeyring = "COUNTERSIGN_TEST_KEYRING"

// The test runs itself again on a session bus of its own, beside a real
// gnome-keyring with a folder of its own, unlocked with a password. The
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
	script := `echo a password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$0" -test.run=TestAKeyIsKeptInARealSecretService -test.v`
	command := exec.Command("dbus-run-session", "--", "sh", "-c", script, os.Args[0])
	command.Env = append(os.Environ(), inKeyring+"=1", "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"),
		"XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	// All of them inherit one end of a pipe: when it has closed they have ended,
	// and nobody writes into the test's folder while it is removed.
	ended, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ended.Close()
	command.ExtraFiles = []*os.File{held}
	out, err := command.CombinedOutput()
	held.Close()
	if _, late := io.ReadAll(ended); late != nil {
		t.Fatal(late)
	}
	if err != nil || !strings.Contains(string(out), "kept, found and forgotten") {
		t.Fatalf("%v\n%s", err, out)
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
		whatTheKeyringWroteIsEncrypted(t, key)
	}
	if err := r.Forget(t.Context(), slot); err != nil {
		t.Fatal(err)
	}
	if s := r.Status(t.Context(), slot); s.From != None || s.Problem != "" {
		t.Fatalf("at last %+v", s)
	}
	t.Log("kept, found and forgotten")
}

// The files are read here, while the keyring keeps the key and its folder stands.
func whatTheKeyringWroteIsEncrypted(t *testing.T, key string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("XDG_DATA_HOME"), "keyrings", "*.keyring"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the keyring, %v", len(files), err)
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), key) {
			t.Errorf("%s has the key", path)
		}
	}
}
