//go:build desktoptest

package shell_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// dialogs of a running shelltest, driven by real keys.
type asking struct {
	*window
	answer chan string
}

// ask opens one whose asker stays for a minute.
func ask(t *testing.T, kind string) *asking {
	t.Helper()
	return askFor(t, kind, 60_000)
}

func askFor(t *testing.T, kind string, ms int) *asking {
	t.Helper()
	a := &asking{open(t), make(chan string, 1)}
	a.timeoutMs = ms + 30_000
	go func() { a.answer <- a.do("eval", fmt.Sprintf(`return window.go.main.Desk.Ask(%q, %d)`, kind, ms)) }()
	return a
}

func (a *asking) xdotool(args ...string) string {
	a.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+screenName)
	out, err := cmd.CombinedOutput()
	if err != nil {
		a.t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// comes waits for a dialog of this title to have the keys.
func (a *asking) comes(title string) {
	a.t.Helper()
	a.eventually("the dialog “"+title+"” is in front", func() bool {
		cmd := exec.Command("xdotool", "getactivewindow", "getwindowname")
		cmd.Env = append(os.Environ(), "DISPLAY="+screenName)
		out, err := cmd.Output()
		return err == nil && strings.TrimSpace(string(out)) == title
	})
}

func (a *asking) answers(want string) {
	a.t.Helper()
	select {
	case got := <-a.answer:
		if got != want {
			a.t.Errorf("answered %s, want %s", got, want)
		}
	case <-time.After(time.Minute):
		a.t.Fatal("no answer")
	}
}

func TestAFileIsSavedWhereThePersonChooses(t *testing.T) {
	a := ask(t, "save")
	a.comes("Export the log")
	to := filepath.Join(t.TempDir(), "calls.csv")
	a.xdotool("key", "ctrl+a")
	a.xdotool("type", "--delay", "5", to)
	a.xdotool("key", "Return")
	a.answers(strconv.Quote(to))
}

func TestAFileIsOpenedThatThereIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := ask(t, "open")
	a.comes("Open a log")
	a.xdotool("key", "ctrl+l") // the field for paths
	a.xdotool("type", "--delay", "25", path)
	a.eventually("the file is chosen", func() bool { // the field proposes while it looks into folders
		a.xdotool("key", "Return")
		return len(a.answer) > 0
	})
	a.answers(strconv.Quote(path))
}

func TestADialogThatIsCancelledChoosesNothing(t *testing.T) {
	for kind, title := range map[string]string{"save": "Export the log", "open": "Open a log", "folder": "Choose a folder"} {
		t.Run(kind, func(t *testing.T) {
			a := ask(t, kind)
			a.comes(title)
			a.xdotool("key", "Escape")
			a.answers(`""`)
		})
	}
}

func TestADialogClosesWhenItsAskerGoes(t *testing.T) {
	a := askFor(t, "folder", 6000)
	a.comes("Choose a folder")
	a.answers(`"error: context deadline exceeded"`)
	a.eventually("the dialog has gone", func() bool {
		cmd := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Choose a folder$")
		cmd.Env = append(os.Environ(), "DISPLAY="+screenName)
		return cmd.Run() != nil
	})
}

func TestTheAppQuitsWithADialogOpen(t *testing.T) {
	a := &asking{window: open(t)}
	if _, err := a.connect.Write([]byte(`{"id":1,"eval":"return window.go.main.Desk.Ask('save', 60000)"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	a.comes("Export the log")
	began := time.Now()
	a.cmd.Process.Signal(os.Interrupt)
	select {
	case <-a.exited:
	case <-time.After(15 * time.Second): // it gives itself 4.5
		t.Fatal("still there after 15 s")
	}
	t.Logf("ended after %v", time.Since(began))
	if code := a.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
