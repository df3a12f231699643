//go:build desktoptest

package faults

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestADamagedOrForeignLogIsExplainedAndLeftAsItIs(t *testing.T) {
	filled := scene(t, "cancel-orders")
	filled.Result(desk.Matching, nil)
	filled.Close()
	noise := make([]byte, 64<<10)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, path string)
		says   string
		verify int // exit code of log verify
	}{
		{"zero bytes", func(t *testing.T, path string) { write(t, path, nil) }, "is an empty file", 1},
		{"random bytes", func(t *testing.T, path string) { write(t, path, noise) }, "is no SQLite database", 1},
		{"another application's database", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			execute(t, database(t, path), "CREATE TABLE notes (text)")
		}, "is the database of another application", 1},
		{"a newer schema", func(t *testing.T, path string) {
			execute(t, database(t, path), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
		}, "use the newer Countersign", 1},
		{"half of it overwritten", func(t *testing.T, path string) {
			text := read(t, path)
			write(t, path, []byte(text[:len(text)/2]+string(noise[:len(text)/2%len(noise)])))
		}, "damaged", 1},
		{"the last entries removed", func(t *testing.T, path string) {
			db := database(t, path)
			execute(t, db, "DROP TRIGGER entries_never_go")
			execute(t, db, "DELETE FROM entries WHERE number > 5")
		}, "were cut off", 3},
		{"an entry changed", func(t *testing.T, path string) {
			db := database(t, path)
			execute(t, db, "DROP TRIGGER entries_never_change")
			execute(t, db, "UPDATE entries SET body = '{}' WHERE number = (SELECT max(number) FROM entries)")
		}, "was changed", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := desk.At(t, t.TempDir())
			copyTree(t, filled.Dir+"/data", d.Dir+"/data")
			copyTree(t, filled.Dir+"/state", d.Dir+"/state")
			path := d.DataFile("log.db")
			c.damage(t, path)
			before := read(t, path)
			for range 2 { // and no crash loop that wears it down
				d.Launch()
				explains(t, d, c.says)
			}
			if read(t, path) != before {
				t.Error("the file was changed")
			}
			if out, err := d.Command("log", "verify"); exitCode(err) != c.verify {
				t.Errorf("log verify: %v\n%s", err, out)
			}
		})
	}
}

// Who starts the app from a menu sees nothing of what it writes.
func TestWhyTheAppDoesNotOpenIsShownInADialog(t *testing.T) {
	for name, c := range map[string]struct{ content, says string }{
		"zero bytes":    {"", "is an empty file"},
		"foreign bytes": {strings.Repeat("no log at all\n", 500), "is no SQLite database"},
	} {
		t.Run(name, func(t *testing.T) {
			// Neither markup nor a format, and nothing that turns text round.
			d := desk.At(t, filepath.Join(t.TempDir(), "<b>%s%n&amp;\u202e"), "COUNTERSIGN_TEST_SHOW=1")
			path := d.DataFile("log.db")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, path, []byte(c.content))
			d.Launch()
			var text string
			desk.Eventually(t, "the dialog is there", func() bool {
				title := false
				for _, p := range d.Parts() {
					title = title || p.Text == "Countersign cannot open"
					if strings.Contains(p.Text, c.says) {
						text = p.Text
					}
				}
				return title && text != ""
			})
			if !strings.Contains(text, `<b>%s%n&amp;\u{202E}`) || strings.Contains(text, "LogUnavailable") {
				t.Errorf("it shows %q", text)
			}
			if !strings.Contains(d.Output.String(), c.says) {
				t.Errorf("standard error has %q", d.Output.String())
			}
			select {
			case <-d.Exited:
				t.Fatal("it ended before anybody had closed the dialog")
			default:
			}
			xdotool := func(args ...string) error {
				cmd := exec.Command("xdotool", args...)
				cmd.Env = d.Env
				return cmd.Run()
			}
			desk.Eventually(t, "its window takes the keys", func() bool {
				return xdotool("search", "--onlyvisible", "--name", "^Countersign$", "windowfocus", "--sync") == nil
			})
			if err := xdotool("key", "Escape"); err != nil {
				t.Fatal(err)
			}
			explains(t, d, c.says)
			if read(t, path) != c.content {
				t.Error("the file was changed")
			}
		})
	}
}

func TestATruncatedWALIsFound(t *testing.T) {
	d := scene(t, "cancel-orders")
	d.Result(desk.Matching, nil)
	d.Kill() // leaves its WAL
	wal := d.DataFile("log.db-wal")
	info, err := os.Stat(wal)
	if err != nil || info.Size() < 20_000 {
		t.Fatalf("the WAL has %v, %v", info, err)
	}
	if err := os.Truncate(wal, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	if out, err := d.Command("log", "verify"); exitCode(err) != 3 || !strings.HasPrefix(out, "tail cut: ") {
		t.Errorf("log verify: %v\n%s", err, out)
	}
	d.Launch()
	explains(t, d, "were cut off")
	if out, err := d.Command("log", "list"); err != nil || !strings.Contains(out, "orders.") {
		t.Errorf("what is left cannot be read: %v\n%s", err, out)
	}
}

func TestAWholeWALOfAKilledProgramIsUsed(t *testing.T) {
	d := scene(t, "cancel-orders")
	d.Result(desk.Matching, nil)
	d.Kill()
	d.Verifies()
	d.Env = append(d.Env, "COUNTERSIGN_TEST_SCENE=")
	d.Start()
	d.Verifies()
	d.OnlyCancelled(desk.Matching...)
	d.Decided("demo", desk.Matching...)
	d.Close()
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
