//go:build desktoptest

package shell_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app/display"
	"github.com/faustine-ai/countersign/app/display/displaytest"
)

// These tests drive the shell in a real window (go test -tags
// desktop,production,webkit2_41,sqlite_fts5,desktoptest).

var program, screenName string

func TestMain(m *testing.M) { os.Exit(withWindow(m)) }

func withWindow(m *testing.M) int {
	dir, err := os.MkdirTemp("", "shelltest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "shelltest")
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41,sqlite_fts5,desktoptest", "-o", program, "./shelltest")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	screen, err := display.Start(1280, 800)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer screen.Close()
	screenName = screen.Name
	stop, err := displaytest.Manage(append(os.Environ(), "DISPLAY="+screenName))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	return m.Run()
}

// window is a running shelltest.
type window struct {
	t       *testing.T
	cmd     *exec.Cmd
	exited  chan struct{}
	record  string
	lines   *bufio.Scanner
	connect net.Conn
	id      int
	// timeoutMs is how long the page may take to answer.
	timeoutMs int
}

func open(t *testing.T) *window {
	t.Helper()
	dir := t.TempDir()
	w := &window{t: t, record: filepath.Join(dir, "record"), exited: make(chan struct{}), timeoutMs: 8000}
	socket := filepath.Join(dir, "s")
	w.cmd = exec.Command(program, w.record)
	w.cmd.Env = append(os.Environ(), "DISPLAY="+screenName, "COUNTERSIGN_TEST_SOCKET="+socket, "NO_AT_BRIDGE=1")
	w.cmd.Stderr = os.Stderr
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { w.cmd.Wait(); close(w.exited) }()
	t.Cleanup(func() { w.cmd.Process.Kill(); <-w.exited })
	w.eventually("the driver listens", func() bool {
		var err error
		w.connect, err = net.Dial("unix", socket)
		return err == nil
	})
	w.lines = bufio.NewScanner(w.connect)
	return w
}

func (w *window) eventually(what string, holds func() bool) {
	w.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(time.Minute); !holds(); {
		select {
		case <-tick.C:
		case <-late:
			w.t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// do sends one request and returns result or error as text.
func (w *window) do(kind, text string) string {
	w.t.Helper()
	w.id++
	request, err := json.Marshal(map[string]any{"id": w.id, kind: text, "timeoutMs": w.timeoutMs})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.connect.Write(append(request, '\n')); err != nil {
		w.t.Fatal(err)
	}
	if !w.lines.Scan() {
		w.t.Fatalf("the driver went away: %v", w.lines.Err())
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(w.lines.Bytes(), &answer); err != nil {
		w.t.Fatal(err)
	}
	if answer.Error != "" {
		return "error: " + answer.Error
	}
	return string(answer.Result)
}

func (w *window) recorded() string {
	text, _ := os.ReadFile(w.record)
	return string(text)
}

// runs tells whether there is a process with this id that has not ended.
func runs(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(status), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

const openVault = `return window.go.main.Vault.Call(document.querySelector('meta[name=countersign-secret]').content)`

func TestAForgedMessageFromAFrameOpensNothing(t *testing.T) {
	w := open(t)
	if got := w.do("eval", openVault); got != `"opened 1 refused 0"` {
		t.Fatalf("the page itself: %s", got)
	}
	forged := w.do("hostile", `
    const handler = window.webkit.messageHandlers.external
    for (const args of [[], [''], ['guess'], [null], [{}]])
      handler.postMessage('C' + JSON.stringify({ name: 'main.Vault.Call', args, callbackID: 'x' }))
    let stolen = 'no'
    try { stolen = parent.document.querySelector('meta').content } catch {}
    try { stolen = await (await fetch('wails://wails/')).text() } catch {}
    return { handler: typeof handler, go: typeof window.go, stolen, origin }`)
	if want := `{"handler":"object","go":"undefined","stolen":"no","origin":"null"}`; forged != want {
		t.Errorf("the frame saw %s, want %s", forged, want)
	}
	// Three of the five fit the method's one parameter and reach it.
	w.eventually("the forged calls were refused", func() bool { return strings.Contains(w.do("eval", openVault), "refused 3") })
	if strings.Contains(w.recorded(), "model") {
		t.Error("the model answered")
	}
}

func TestABlindRequestFromAFrameReachesNoModel(t *testing.T) {
	w := open(t)
	w.do("hostile", `
    await Promise.allSettled([
      fetch('wails://wails/model/v1/chat/completions', { method: 'POST', mode: 'no-cors', body: '{}' }),
      fetch('wails://wails/model/v1/models'),
      new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = 'wails://wails/model/x.png' }),
    ])`)
	if got := w.do("eval", `return (await fetch('/model/x', { method: 'POST', headers: { 'X-Countersign-Secret': document.querySelector('meta').content }})).status`); got != "403" {
		// the first meta is the charset: an empty secret
		t.Errorf("an empty secret: status %s", got)
	}
	if strings.Contains(w.recorded(), "model") {
		t.Error("the model answered without the secret")
	}
	got := w.do("eval", `return (await fetch('/model/x', { method: 'POST', headers: { 'X-Countersign-Secret': document.querySelector('meta[name=countersign-secret]').content }})).text()`)
	if got != `"model"` || !strings.Contains(w.recorded(), "model") {
		t.Errorf("with the secret: %s", got)
	}
}

func TestThePageCannotBeFramed(t *testing.T) {
	w := open(t)
	got := w.do("eval", `
    const frame = document.createElement('iframe')
    frame.src = '/'
    document.body.append(frame)
    await new Promise((done) => { frame.onload = frame.onerror = done; setTimeout(done, 1500) })
    let inside = 'nothing'
    try { inside = frame.contentDocument?.querySelector('meta[name=countersign-secret]') ? 'the secret' : 'no secret' } catch (e) { inside = e.name }
    return inside`)
	if got != `"no secret"` {
		t.Errorf("in the frame: %s", got)
	}
	got = w.do("hostile", `
    const frame = document.createElement('iframe')
    frame.src = 'wails://wails/'
    document.body.append(frame)
    await new Promise((done) => { frame.onload = frame.onerror = done; setTimeout(done, 1500) })
    return frame.contentDocument ? 'readable' : 'out of reach'`)
	if got != `"out of reach"` {
		t.Errorf("in the frame of a frame: %s", got)
	}
}

func TestTheFrameHasNoneOfWailsRuntime(t *testing.T) {
	w := open(t)
	got := w.do("eval", `
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.src = '/sandbox.html'
    const said = new Promise((done) => addEventListener('message', (e) => done(e.data), { once: true }))
    document.body.append(frame)
    return said`)
	if want := `{"go":"undefined","wails":"undefined","runtime":"undefined","origin":"null"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheWindowStaysWithTheApp(t *testing.T) {
	w := open(t)
	w.do("eval", `location.href = 'https://example.invalid/'; window.open('https://example.invalid/')`)
	if got := w.do("eval", `return location.href`); got != `"wails://wails/"` {
		t.Errorf("the page went to %s", got)
	}
}

func TestTheDeathOfTheWebProcessAbortsAndReloads(t *testing.T) {
	w := open(t)
	var pids struct{ Web []int }
	w.eventually("there is a web process", func() bool {
		if err := json.Unmarshal([]byte(w.do("command", "pids")), &pids); err != nil {
			t.Fatal(err)
		}
		return len(pids.Web) > 0
	})
	for _, pid := range pids.Web {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	w.eventually("what ran is aborted", func() bool { return strings.Contains(w.recorded(), "the page's process ended: it crashed") })
	w.eventually("the page is back", func() bool { return strings.HasPrefix(w.do("eval", openVault), `"opened`) })
}

func TestEndingsAreCleanAndQuick(t *testing.T) {
	for name, end := range map[string]func(w *window){
		"quit":    func(w *window) { w.do("command", "quit") },
		"SIGTERM": func(w *window) { w.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":  func(w *window) { w.cmd.Process.Signal(syscall.SIGINT) },
		"twice":   func(w *window) { w.cmd.Process.Signal(syscall.SIGTERM); w.cmd.Process.Signal(syscall.SIGTERM) },
		"with a busy page": func(w *window) {
			go w.connect.Write([]byte(`{"id":99,"eval":"for(;;);"}` + "\n"))
			w.cmd.Process.Signal(syscall.SIGTERM)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			var pids struct{ Web []int }
			if err := json.Unmarshal([]byte(w.do("command", "pids")), &pids); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			end(w)
			select {
			case <-w.exited:
			case <-time.After(15 * time.Second): // it gives itself 4.5
				t.Fatal("still there after 15 s")
			}
			t.Logf("ended after %v", time.Since(began))
			if code := w.cmd.ProcessState.ExitCode(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if got := w.recorded(); got != "the app was closed\nreturned\n" {
				t.Errorf("recorded %q", got)
			}
			for _, pid := range pids.Web {
				w.eventually("the web process has gone", func() bool { return !runs(pid) })
			}
		})
	}
}
