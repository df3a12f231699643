//go:build desktoptest

package shell

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Driver lets a desktop test run script in the page of the real app. It exists
// only under the build tag desktoptest, and listens only on the Unix socket that
// COUNTERSIGN_TEST_SOCKET names. One JSON object a line each way:
//
//	→ {"id":1,"eval":"return document.title","timeoutMs":5000}   body of an async function, in the host page
//	→ {"id":2,"hostile":"return 1+1","timeoutMs":5000}           the same in a sandboxed frame without our protections
//	→ {"id":3,"command":"quit"}                                  as the person would
//	→ {"id":4,"command":"pids"}
//	← {"id":1,"result":…} | {"id":1,"error":"…"}
type Driver struct {
	shell   *Shell
	mu      sync.Mutex
	next    int
	waiting map[int]chan json.RawMessage
}

type driverRequest struct {
	ID        json.RawMessage `json:"id"`
	Eval      string          `json:"eval"`
	Hostile   string          `json:"hostile"`
	Command   string          `json:"command"`
	TimeoutMs int             `json:"timeoutMs"`
}

type driverReport struct {
	Key    int             `json:"key"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func addDriver(s *Shell, app *options.App) {
	path := os.Getenv("COUNTERSIGN_TEST_SOCKET")
	if path == "" {
		return
	}
	// Not for the windows that this one opens.
	if err := os.Unsetenv("COUNTERSIGN_TEST_SOCKET"); err != nil {
		panic(err)
	}
	d := &Driver{shell: s, waiting: map[int]chan json.RawMessage{}}
	app.Bind = append(app.Bind, d)
	var once sync.Once
	ready := app.OnDomReady
	app.OnDomReady = func(ctx context.Context) {
		ready(ctx)
		once.Do(func() { go d.listen(path) })
	}
}

// Report is called by the page with what a script came to.
func (d *Driver) Report(text string) {
	var report driverReport
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		fmt.Fprintln(os.Stderr, "driver: a report that is no JSON:", err)
		return
	}
	d.mu.Lock()
	answer := d.waiting[report.Key]
	delete(d.waiting, report.Key)
	d.mu.Unlock()
	if answer != nil {
		answer <- json.RawMessage(text)
	}
}

// Echo is the barest bound method: the floor of everything that goes to Go.
func (d *Driver) Echo(text string) string { return text }

func (d *Driver) listen(path string) {
	listener, err := net.Listen("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		return
	}
	if err := os.Chmod(path, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
	}
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go d.serve(connection)
	}
}

func (d *Driver) serve(connection net.Conn) {
	defer connection.Close()
	var mu sync.Mutex
	answer := func(id json.RawMessage, name string, value any) {
		text, err := json.Marshal(map[string]any{"id": id, name: value})
		if err != nil {
			text = fmt.Appendf(nil, `{"id":%s,"error":%q}`, id, err)
		}
		mu.Lock()
		defer mu.Unlock()
		connection.Write(append(text, '\n'))
	}
	lines := bufio.NewScanner(connection)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var request driverRequest
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			answer(json.RawMessage("null"), "error", err.Error())
			continue
		}
		go func() {
			result, err := d.do(request)
			if err != nil {
				answer(request.ID, "error", err.Error())
				return
			}
			answer(request.ID, "result", result)
		}()
	}
}

func (d *Driver) do(request driverRequest) (any, error) {
	switch {
	case request.Command == "quit":
		go d.shell.Quit()
		return true, nil
	case request.Command == "pids":
		return map[string]any{"app": os.Getpid(), "web": webProcesses()}, nil
	case request.Command != "":
		return nil, fmt.Errorf("unknown command %q", request.Command)
	case request.Hostile != "":
		code, err := json.Marshal(request.Hostile)
		if err != nil {
			return nil, err
		}
		return d.run(fmt.Sprintf(hostileScript, code), request.TimeoutMs)
	}
	return d.run(request.Eval, request.TimeoutMs)
}

// run executes the body of an async function in the host page. The policy of the
// page forbids eval, so the text is part of the script; text that does not parse
// gives no answer.
func (d *Driver) run(body string, timeoutMs int) (json.RawMessage, error) {
	if timeoutMs <= 0 {
		timeoutMs = 10_000
	}
	answer := make(chan json.RawMessage, 1)
	d.mu.Lock()
	d.next++
	key := d.next
	d.waiting[key] = answer
	d.mu.Unlock()
	runtime.WindowExecJS(*d.shell.ctx.Load(), fmt.Sprintf(evalScript, body, key))
	select {
	case text := <-answer:
		var report driverReport
		if err := json.Unmarshal(text, &report); err != nil {
			return nil, err
		}
		if report.Error != "" {
			return nil, fmt.Errorf("%s", report.Error)
		}
		if report.Result == nil {
			return json.RawMessage("null"), nil
		}
		return report.Result, nil
	case <-time.After(time.Duration(timeoutMs) * time.Millisecond):
		d.mu.Lock()
		delete(d.waiting, key)
		d.mu.Unlock()
		return nil, fmt.Errorf("no answer within %d ms (text that does not parse gives none)", timeoutMs)
	}
}

const evalScript = `(async () => {
  let report
  try { report = { result: await (async () => {
%s
  })() } } catch (e) { report = { error: String(e) } }
  report.key = %d
  let text
  try { text = JSON.stringify(report) } catch (e) { text = JSON.stringify({ key: report.key, error: String(e) }) }
  window.go.shell.Driver.Report(text)
})()`

const hostileScript = `
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = '/desktoptest/frame.html'
  frame.hidden = true
  const answer = new Promise((resolve) => {
    const listen = (event) => {
      if (event.source !== frame.contentWindow) return
      if (event.data === 'ready') return frame.contentWindow.postMessage(%s, '*')
      removeEventListener('message', listen)
      resolve(event.data)
    }
    addEventListener('message', listen)
  })
  document.body.append(frame)
  try {
    const { result, error } = JSON.parse(await answer)
    if (error !== undefined) throw new Error(error)
    return result
  } finally { frame.remove() }
`

const hostileFrame = `<!doctype html><meta charset="utf-8"><script>
addEventListener('message', async (event) => {
  let report
  try { report = { result: await (0, eval)('(async () => {\n' + event.data + '\n})')() } } catch (e) { report = { error: String(e) } }
  parent.postMessage(JSON.stringify(report), '*')
})
parent.postMessage('ready', '*')
</script>`

func addTestRoutes(mux *http.ServeMux) {
	mux.HandleFunc("/desktoptest/frame.html", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'")
		if _, err := w.Write([]byte(hostileFrame)); err != nil {
			return // the reader went away
		}
	})
	// The barest route: so many bytes and nothing else.
	mux.HandleFunc("/desktoptest/bytes", func(w http.ResponseWriter, r *http.Request) {
		size, err := strconv.Atoi(r.URL.Query().Get("size"))
		if err != nil || size < 0 || size > 1<<28 {
			http.Error(w, "expected a size in bytes", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if _, err := w.Write(make([]byte, size)); err != nil {
			return // the reader went away
		}
	})
}
