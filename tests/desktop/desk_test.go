//go:build desktoptest

package desktop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app/functions/orders"
)

// desk is one running program with data of its own.
type desk struct {
	t      *testing.T
	dir    string
	env    []string
	cmd    *exec.Cmd
	output bytes.Buffer
	exited chan struct{}
	page   net.Conn
	lines  *bufio.Scanner
	id     int
	before []orders.Order
}

// openDesk starts the program on fresh data and waits until its page is there.
func openDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir()}
	d.env = append(environment,
		"XDG_DATA_HOME="+filepath.Join(d.dir, "data"), "XDG_STATE_HOME="+filepath.Join(d.dir, "state"),
		"XDG_CACHE_HOME="+filepath.Join(d.dir, "cache"), "XDG_CONFIG_HOME="+filepath.Join(d.dir, "config"),
		"COUNTERSIGN_TEST_SOCKET="+filepath.Join(d.dir, "s"))
	d.start()
	d.before = d.orders()
	return d
}

func (d *desk) start() {
	d.t.Helper()
	socket := filepath.Join(d.dir, "s")
	os.Remove(socket)
	d.cmd = exec.Command(binary)
	d.cmd.Env = d.env
	d.cmd.Stdout, d.cmd.Stderr = &d.output, &d.output
	if err := d.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	cmd, exited := d.cmd, make(chan struct{})
	d.exited = exited
	go func() { cmd.Wait(); close(exited) }()
	d.t.Cleanup(func() {
		cmd.Process.Kill()
		<-exited
		if d.t.Failed() {
			d.t.Logf("the program wrote:\n%s", d.output.String())
		}
	})
	eventually(d.t, "the page is there", func() bool {
		var err error
		d.page, err = net.Dial("unix", socket)
		return err == nil
	})
	d.lines = bufio.NewScanner(d.page)
	d.lines.Buffer(nil, 16<<20)
	eventually(d.t, "the page takes requests", func() bool {
		return string(d.do("eval", "return !!document.querySelector('textarea:not([disabled])')")) == "true"
	})
}

// do sends the driver one request; kind is eval, hostile or command.
func (d *desk) do(kind, text string) json.RawMessage {
	d.t.Helper()
	result, err := d.ask(kind, text)
	if err != "" {
		d.t.Fatalf("%s: %s", kind, err)
	}
	return result
}

func (d *desk) ask(kind, text string) (json.RawMessage, string) {
	d.t.Helper()
	d.id++
	request, err := json.Marshal(map[string]any{"id": d.id, kind: text, "timeoutMs": 15000})
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.page.Write(append(request, '\n')); err != nil {
		return nil, err.Error()
	}
	if !d.lines.Scan() {
		return nil, "the driver went away"
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(d.lines.Bytes(), &answer); err != nil {
		d.t.Fatal(err)
	}
	return bytes.Clone(answer.Result), answer.Error
}

// text is what the page shows.
func (d *desk) text() string {
	d.t.Helper()
	var text string
	if err := json.Unmarshal(d.do("eval", "return document.body.innerText"), &text); err != nil {
		d.t.Fatal(err)
	}
	return text
}

// exits waits for the program to end by itself, within the five seconds that a
// person gives it.
func (d *desk) exits() {
	d.t.Helper()
	select {
	case <-d.exited:
	case <-time.After(5 * time.Second):
		d.t.Fatal("still there after 5 s")
	}
	if code := d.cmd.ProcessState.ExitCode(); code != 0 {
		d.t.Errorf("exit code %d", code)
	}
}

// close ends the program as the person would.
func (d *desk) close() {
	d.t.Helper()
	d.do("command", "quit")
	d.exits()
}

// webProcesses are the processes that run the page.
func (d *desk) webProcesses() []int {
	d.t.Helper()
	var pids struct{ Web []int }
	if err := json.Unmarshal(d.do("command", "pids"), &pids); err != nil {
		d.t.Fatal(err)
	}
	return pids.Web
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func (d *desk) dataFile(name string) string {
	return filepath.Join(d.dir, "data", "countersign", name)
}

// orders reads the orders table itself.
func (d *desk) orders() []orders.Order {
	d.t.Helper()
	store, err := orders.Open(d.dataFile("orders.db"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer store.Close()
	all, err := store.All(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// eventually polls, because neither X nor a window manager says when it is done.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(30 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}
