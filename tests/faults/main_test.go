//go:build desktoptest

package faults

import (
	"database/sql"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/desk"
)

func TestMain(m *testing.M) { desk.Main(m) }

// scene opens a desk on which a scene plays by itself and cards decide themselves.
func scene(t *testing.T, name string, env ...string) *desk.Desk {
	t.Helper()
	return desk.Open(t, append([]string{"COUNTERSIGN_TEST_SCENE=" + name, "COUNTERSIGN_TEST_DECIDE=approve"}, env...)...)
}

// explains waits for the program to end by itself with a failure, and checks what
// it says.
func explains(t *testing.T, d *desk.Desk, want string) {
	t.Helper()
	select {
	case <-d.Exited:
	case <-time.After(time.Minute):
		t.Fatal("still there after a minute")
	}
	if code := d.Cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, expected 1", code)
	}
	if text := d.Output.String(); !strings.Contains(text, want) {
		t.Errorf("it says %q, expected %q", text, want)
	}
}

// entries reads the log itself.
func entries(t *testing.T, d *desk.Desk) []app.Entry {
	t.Helper()
	r, err := sqlite.OpenReader(d.DataFile("log.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := r.Entries(t.Context(), sqlite.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// shows waits until the page shows text.
func shows(t *testing.T, d *desk.Desk, text string) {
	t.Helper()
	shown := ""
	defer func() {
		if t.Failed() {
			t.Logf("the page showed:\n%s", shown)
		}
	}()
	desk.Eventually(t, "the page shows “"+text+"”", func() bool {
		shown = d.Text()
		return strings.Contains(shown, text)
	})
}

// answers checks that the window is not held up: what waits for a locked log waits
// for five seconds.
func answers(t *testing.T, d *desk.Desk) {
	t.Helper()
	began := time.Now()
	d.Do("eval", "return 1")
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the window answered after %v", took)
	}
}

func database(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// exitCode is that of a command that ended.
func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}

// asks sends the request by the page's own form, where no keys can: another desk
// may have the focus.
func asks(d *desk.Desk) {
	d.Do("eval", `const box = document.querySelector('textarea')
		Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(box, `+"`"+desk.Request+"`"+`)
		box.dispatchEvent(new Event('input', { bubbles: true }))
		await new Promise((resolve) => setTimeout(resolve, 100))
		box.form.requestSubmit()`)
}
