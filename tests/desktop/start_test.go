//go:build desktoptest

package desktop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/desk"
)

func TestWithoutADisplayItSaysWhatToDoAndMakesNoFile(t *testing.T) {
	for name, display := range map[string]string{"none is set": "", "there is none of that name": ":4711"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			d := desk.At(t, dir, "DISPLAY="+display)
			d.Launch()
			<-d.Exited
			if code := d.Cmd.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			said := d.Output.String()
			if strings.Count(said, "\n") != 1 || !strings.Contains(said, "set DISPLAY") || !strings.Contains(said, "demo cancel-orders --headless") {
				t.Errorf("it said %q", said)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("it left %v, %v", left, err)
			}
		})
	}
}

func TestASecondStartBringsTheWindowOfTheFirstToTheFront(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	for _, c := range []struct {
		name string
		hide []string
	}{
		{"in front", []string{"getactivewindow"}},
		{"minimized", []string{"search", "--onlyvisible", "--name", "^Countersign$", "windowminimize", "--sync"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.Xdotool(c.hide...)
			second := exec.Command(desk.Binary)
			second.Env = append(d.Env, "COUNTERSIGN_TEST_SOCKET="+filepath.Join(d.Dir, "second"))
			if said, err := second.CombinedOutput(); err != nil || len(said) > 0 {
				t.Errorf("%v: %q", err, said)
			}
			// And with the window what is open on it.
			desk.Eventually(t, "the card is in front", func() bool { return strings.HasPrefix(d.Front(), "Cancel 3 orders?") })
		})
	}
	d.Button("Run 3 selected")
	d.Keys("Escape")
	d.Gone()
	d.Decided("closed")
	d.Close()
	if _, err := os.Stat(d.DataFile("door")); err == nil {
		t.Error("the socket is left behind")
	}
	d.Verifies()
}

func TestALogThatAnotherCommandHoldsIsSaid(t *testing.T) {
	d := desk.Open(t)
	d.Close()
	lock, err := sqlite.Open(d.DataFile("log.db"), sqlite.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	second := exec.Command(desk.Binary)
	second.Env = d.Env
	said, err := second.CombinedOutput()
	if second.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "the app is open already") {
		t.Errorf("%v: %q", err, said)
	}
}

func TestASignalEndsItWithoutAWord(t *testing.T) {
	d := desk.Open(t)
	if err := d.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	d.Exits()
	if said := d.Output.String(); strings.Contains(said, "Ctrl+C") || strings.Contains(said, "Shutting down") {
		t.Errorf("it said %q", said)
	}
}

func TestNobodyElseCanReadItsFolders(t *testing.T) {
	d := desk.At(t, t.TempDir())
	data := filepath.Dir(d.DataFile("log.db"))
	if err := os.MkdirAll(data, 0o755); err != nil { // as WebKit makes it for a demo
		t.Fatal(err)
	}
	d.Start()
	d.Close()
	err := filepath.WalkDir(data, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// JavaScriptCore stops its threads with a signal, in the app's own process too. Where
// somebody takes its handler away, the next collection of its garbage ends the app.
func TestTheEngineKeepsTheSignalThatItStopsItsThreadsWith(t *testing.T) {
	d := desk.Open(t)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.Cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, caught, _ := strings.Cut(string(status), "SigCgt:")
	caught, _, _ = strings.Cut(strings.TrimSpace(caught), "\n")
	signals, err := strconv.ParseUint(caught, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	if signals&(1<<(syscall.SIGUSR1-1)) == 0 {
		t.Errorf("nobody handles SIGUSR1, so that it would end the app: SigCgt %s", caught)
	}
	d.Close()
}
