//go:build desktoptest

package desk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app/functions/orders"
)

// Desk is one running program with data of its own.
type Desk struct {
	Dir    string
	Env    []string
	Cmd    *exec.Cmd
	Exited chan struct{}
	Output *Output
	Before []orders.Order // the orders when it was first opened
	// TimeoutMs is how long the page may take to answer.
	TimeoutMs int

	t     *testing.T
	page  net.Conn
	lines *bufio.Scanner
	id    int
}

// Output collects what the program writes.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Open starts the program on fresh data and waits until its page is there.
func Open(t *testing.T, env ...string) *Desk {
	t.Helper()
	d := At(t, t.TempDir(), env...)
	d.Start()
	d.Before = d.Orders()
	return d
}

// At makes a desk whose data is in a folder, without starting the program.
func At(t *testing.T, dir string, env ...string) *Desk {
	d := &Desk{t: t, Dir: dir, Output: &Output{}, TimeoutMs: 15_000}
	d.Env = append(append(append([]string{}, Environment...),
		"XDG_DATA_HOME="+filepath.Join(dir, "data"), "XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"),
		"COUNTERSIGN_TEST_SOCKET="+d.socket()), env...)
	return d
}

func (d *Desk) socket() string { return filepath.Join(d.Dir, "s") }

// Launch starts the program and does not wait for it. change may set how.
func (d *Desk) Launch(change ...func(*exec.Cmd)) {
	d.t.Helper()
	os.Remove(d.socket())
	d.Cmd = exec.Command(Binary)
	d.Cmd.Env = d.Env
	d.Cmd.Stdout, d.Cmd.Stderr = d.Output, d.Output
	for _, c := range change {
		c(d.Cmd)
	}
	if err := d.Cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	cmd, exited := d.Cmd, make(chan struct{})
	d.Exited = exited
	go func() { cmd.Wait(); close(exited) }()
	d.t.Cleanup(func() {
		cmd.Process.Kill()
		<-exited
		d.Ended() // before the folder is removed
		if d.t.Failed() {
			d.t.Logf("the program wrote:\n%s", d.Output.String())
		}
	})
}

// Start starts the program and waits until its page takes requests.
func (d *Desk) Start(change ...func(*exec.Cmd)) {
	d.t.Helper()
	d.Launch(change...)
	d.Connect()
	Eventually(d.t, "the page takes requests", func() bool {
		return string(d.Do("eval", "return !!document.querySelector('textarea')")) == "true"
	})
}

// Connect waits for the driver.
func (d *Desk) Connect() {
	d.t.Helper()
	Eventually(d.t, "the page is there", func() bool {
		select {
		case <-d.Exited:
			d.t.Fatalf("the program ended: %v\n%s", d.Cmd.ProcessState, d.Output.String())
		default:
		}
		var err error
		d.page, err = net.Dial("unix", d.socket())
		return err == nil
	})
	d.lines = bufio.NewScanner(d.page)
	d.lines.Buffer(nil, 16<<20)
}

// Do sends the driver one request; kind is eval, hostile or command.
func (d *Desk) Do(kind, text string) json.RawMessage {
	d.t.Helper()
	result, err := d.Ask(kind, text)
	if err != "" {
		d.t.Fatalf("%s: %s", kind, err)
	}
	return result
}

// Ask is Do that gives the driver's error.
func (d *Desk) Ask(kind, text string) (json.RawMessage, string) {
	d.t.Helper()
	d.id++
	request, err := json.Marshal(map[string]any{"id": d.id, kind: text, "timeoutMs": d.TimeoutMs})
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

// Text is what the page shows.
func (d *Desk) Text() string {
	d.t.Helper()
	var text string
	if err := json.Unmarshal(d.Do("eval", "return document.body.innerText"), &text); err != nil {
		d.t.Fatal(err)
	}
	return text
}

// Exits waits for the program to end by itself. A person gives it five seconds, and
// it gives itself less; a machine that has much else to do may add some.
func (d *Desk) Exits() {
	d.t.Helper()
	select {
	case <-d.Exited:
	case <-time.After(10 * time.Second):
		d.t.Fatal("still there after 10 s")
	}
	d.Ended()
	if code := d.Cmd.ProcessState.ExitCode(); code != 0 {
		d.t.Errorf("exit code %d", code)
	}
}

// Close ends the program as the person would.
func (d *Desk) Close() {
	d.t.Helper()
	d.Do("command", "quit")
	d.Exits()
}

// Kill ends the program as the loss of power would.
func (d *Desk) Kill() {
	d.t.Helper()
	if err := d.Cmd.Process.Signal(syscall.SIGKILL); err != nil {
		d.t.Fatal(err)
	}
	<-d.Exited
	d.Ended()
}

// WebProcesses are the processes that run the page.
func (d *Desk) WebProcesses() []int {
	d.t.Helper()
	var pids struct{ Web []int }
	if err := json.Unmarshal(d.Do("command", "pids"), &pids); err != nil {
		d.t.Fatal(err)
	}
	return pids.Web
}

// DataFile is a file in the program's data folder.
func (d *Desk) DataFile(name string) string {
	return filepath.Join(d.Dir, "data", "countersign", name)
}

// Orders reads the orders table itself.
func (d *Desk) Orders() []orders.Order {
	d.t.Helper()
	store, err := orders.Open(d.DataFile("orders.db"))
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

// Eventually polls, because neither X nor a window manager says when it is done.
// seen may tell what there is instead when it does not come.
func Eventually(t *testing.T, what string, holds func() bool, seen ...func() string) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(time.Minute); !holds(); {
		select {
		case <-tick.C:
		case <-late:
			for _, s := range seen {
				t.Log("there is:", s())
			}
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}
