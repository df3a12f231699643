package model

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// at once, for tests that are not about time.
func atOnce(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func newPlayer(t *testing.T, scene string) *player {
	t.Helper()
	handler, err := Offline(scene)
	if err != nil {
		t.Fatal(err)
	}
	p := handler.(*player)
	p.pause = atOnce
	return p
}

const tools = `"tools":[{"type":"function","function":{"name":"runCode","parameters":{"type":"object"}}}]`

func ask(messages string) string {
	return `{"model":"offline","stream":true,"stream_options":{"include_usage":true},` + tools + `,"messages":[` + messages + `]}`
}

func afterRun(output string) string {
	quoted, err := json.Marshal(output)
	if err != nil {
		panic(err)
	}
	return ask(`{"role":"user","content":"Cancel every open order over $100 from last week."},
		{"role":"assistant","content":"On it.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"runCode","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"call_1","content":` + string(quoted) + `}`)
}

// reply is an answer put together from its chunks, as a client does.
type reply struct {
	text, tool, arguments, reason string
	chunks                        int
	used                          *usage
	done                          bool
}

func read(t *testing.T, body io.Reader) reply {
	t.Helper()
	var r reply
	scanner := bufio.NewScanner(body)
	for scanner.Scan() {
		data, isData := strings.CutPrefix(scanner.Text(), "data: ")
		if !isData {
			if scanner.Text() != "" {
				t.Fatalf("a line that is no event: %q", scanner.Text())
			}
			continue
		}
		if data == "[DONE]" {
			r.done = true
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if c.Object != "chat.completion.chunk" || c.ID == "" || c.Model != "offline" || r.done {
			t.Fatalf("unexpected chunk %s", data)
		}
		if r.chunks == 0 && (len(c.Choices) != 1 || c.Choices[0].Delta.Role != "assistant") {
			t.Fatalf("the first chunk carries no role: %s", data)
		}
		r.chunks++
		if c.Usage != nil {
			r.used = c.Usage
		}
		for _, choice := range c.Choices {
			if choice.Delta.Content != nil {
				r.text += *choice.Delta.Content
			}
			for _, call := range choice.Delta.ToolCalls {
				r.tool += call.Function.Name
				r.arguments += call.Function.Arguments
			}
			if choice.FinishReason != nil {
				r.reason = *choice.FinishReason
			}
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return r
}

func post(t *testing.T, handler http.Handler, body string) *http.Response {
	t.Helper()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, chatPath, strings.NewReader(body)))
	return recorder.Result()
}

func TestTheRequestIsAnsweredWithAProgram(t *testing.T) {
	for _, content := range []string{
		`"Cancel every open order over $100 from last week."`,
		`"  cancel every open order\nover $100 from LAST week"`,
		`[{"type":"text","text":"Cancel every open order over $100 from last week."}]`,
	} {
		response := post(t, newPlayer(t, "cancel-orders"), ask(`{"role":"system","content":"You are…"},{"role":"user","content":`+content+`}`))
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%s: %s, %s", content, response.Status, response.Header.Get("Content-Type"))
		}
		r := read(t, response.Body)
		var arguments map[string]string
		if err := json.Unmarshal([]byte(r.arguments), &arguments); err != nil {
			t.Fatalf("%s: %v", r.arguments, err)
		}
		program, err := transcripts.ReadFile("transcripts/cancel-orders.js")
		if err != nil {
			t.Fatal(err)
		}
		if r.tool != "runCode" || arguments["code"] != string(program) || r.reason != "tool_calls" || !r.done {
			t.Errorf("%s: got %+v", content, r)
		}
		if r.text == "" || r.chunks < 40 {
			t.Errorf("%s: expected a text and many small chunks, got %d", content, r.chunks)
		}
		if r.used == nil || r.used.TotalTokens != r.used.PromptTokens+r.used.CompletionTokens || r.used.CompletionTokens == 0 {
			t.Errorf("%s: usage is %+v", content, r.used)
		}
	}
}

func TestTheClosingSentenceTellsWhatHappened(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"all approved", `{"status":"ok","value":{"cancelled":[1041,1047,1052],"rejected":[]}}`,
			"Done. I cancelled **3 orders** from last week: 1041, 1047 and 1052. Nothing else was changed."},
		{"one of one", `{"status":"ok","value":{"cancelled":[1041],"rejected":[]}}`,
			"Done. I cancelled **1 order** from last week: 1041. Nothing else was changed."},
		{"some rejected", `{"status":"ok","value":{"cancelled":[1041,1047],"rejected":[1052]}}`,
			"I cancelled 1041 and 1047. 1052 was rejected and is still open."},
		{"most rejected", `{"status":"ok","value":{"cancelled":[1041],"rejected":[1047,1052]}}`,
			"I cancelled 1041. 1047 and 1052 were rejected and are still open."},
		{"all rejected", `{"status":"ok","value":{"cancelled":[],"rejected":[1041,1047,1052]}}`,
			"All of them were rejected, so nothing was cancelled. Still open: 1041, 1047 and 1052."},
		{"none found", `{"status":"ok","value":{"cancelled":[],"rejected":[]}}`,
			"There is no open order over $100 from last week, so there was nothing to cancel."},
		{"an error", `{"status":"error","error":{"name":"TypeError","message":"x is not a function (line 3)"}}`,
			"The program did not finish, so I can’t say that the orders are cancelled. It said: `x is not a function (line 3)`\n\nThe calls above show what ran."},
		{"a limit", `{"status":"limit","error":{"name":"LimitExceeded","message":"10000 ms"}}`,
			"The program did not finish, so I can’t say that the orders are cancelled. It said: `10000 ms`\n\nThe calls above show what ran."},
		{"ok with a value cut by its size", `{"status":"ok","value":"[cut]"}`,
			"The program did not finish, so I can’t say that the orders are cancelled. Its status was \"ok\".\n\nThe calls above show what ran."},
		{"no JSON", "the tool `runCode` failed",
			"The program did not finish, so I can’t say that the orders are cancelled. It said: `the tool 'runCode' failed`\n\nThe calls above show what ran."},
	} {
		r := read(t, post(t, newPlayer(t, "cancel-orders"), afterRun(c.output)).Body)
		if r.text != c.want || r.tool != "" || r.reason != "stop" || !r.done {
			t.Errorf("%s:\n got %+v\nwant %s", c.name, r, c.want)
		}
	}
}

func TestAnotherRequestIsAnsweredHonestly(t *testing.T) {
	r := read(t, post(t, newPlayer(t, "cancel-orders"), ask(`{"role":"user","content":"What is the weather?"}`)).Body)
	if !strings.Contains(r.text, "offline demo") || r.tool != "" || r.reason != "stop" {
		t.Errorf("got %+v", r)
	}
}

func TestWhatARealServerRefusesIsRefusedInItsShape(t *testing.T) {
	user := `{"role":"user","content":"hi"}`
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"a"}]}`
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		param, want              string
	}{
		{"another address", "POST", "/model/v1/completions", ask(user), 404, "", "unknown address"},
		{"another method", "GET", chatPath, "", 405, "", "expected POST"},
		{"no JSON", "POST", chatPath, "{", 400, "", "could not read the request as JSON"},
		{"no object", "POST", chatPath, "[]", 400, "", "could not read the request as JSON"},
		{"no model", "POST", chatPath, `{"stream":true,` + tools + `,"messages":[` + user + `]}`, 400, "model", "model parameter"},
		{"no messages", "POST", chatPath, ask(""), 400, "messages", "at least one message"},
		{"an unknown role", "POST", chatPath, ask(`{"role":"root","content":"hi"}`), 400, "messages[0].role", `got "root"`},
		{"content of a wrong type", "POST", chatPath, ask(`{"role":"user","content":7}`), 400, "", "expected content to be"},
		{"no stream", "POST", chatPath, `{"model":"m",` + tools + `,"messages":[` + user + `]}`, 400, "stream", "only streams"},
		{"no tools", "POST", chatPath, `{"model":"m","stream":true,"messages":[` + user + `]}`, 400, "tools", `"runCode"`},
		{"an answer to nothing", "POST", chatPath, ask(user + `,{"role":"tool","tool_call_id":"x","content":"1"}`), 400, "messages[1].tool_call_id", `"x"`},
		{"an answer given twice", "POST", chatPath, ask(user + "," + call + `,{"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"a","content":"1"}`), 400, "messages[3].tool_call_id", `"a"`},
		{"a call left open", "POST", chatPath, ask(user + "," + call), 400, "messages", "has no output"},
		{"a call passed over", "POST", chatPath, ask(user + "," + call + "," + user), 400, "messages[2]", "expected the output"},
		{"the model's turn again", "POST", chatPath, ask(user + `,{"role":"assistant","content":"yes"}`), 400, "messages", "last message"},
		{"too much", "POST", chatPath, ask(`{"role":"user","content":"` + strings.Repeat("x", maxRequest) + `"}`), 413, "", "at most"},
	} {
		recorder := httptest.NewRecorder()
		newPlayer(t, "cancel-orders").ServeHTTP(recorder, httptest.NewRequest(c.method, c.path, strings.NewReader(c.body)))
		var body struct {
			Error struct {
				Message, Type string
				Param         *string
			}
		}
		if err := json.Unmarshal(recorder.Body.Bytes(), &body); err != nil {
			t.Errorf("%s: %s: %v", c.name, recorder.Body, err)
			continue
		}
		param := ""
		if body.Error.Param != nil {
			param = *body.Error.Param
		}
		if recorder.Code != c.status || body.Error.Type != "invalid_request_error" || param != c.param || !strings.Contains(body.Error.Message, c.want) {
			t.Errorf("%s: got %d %s", c.name, recorder.Code, recorder.Body)
		}
	}
}

// Each piece must have left before the player goes on: the test lets it take
// one pause at a time and reads what has arrived.
func TestEveryPieceArrivesBeforeTheNextIsWritten(t *testing.T) {
	p := newPlayer(t, "cancel-orders")
	asked, release := make(chan struct{}), make(chan struct{})
	p.pause = func(ctx context.Context, _ time.Duration) error {
		select {
		case asked <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		<-release
		return nil
	}
	server := httptest.NewServer(p)
	defer server.Close()
	response, err := http.Post(server.URL+chatPath, "application/json", strings.NewReader(ask(`{"role":"user","content":"What else?"}`)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for _, want := range []string{`"role":"assistant"`, `"content":"This "`, `"content":"is "`, `"content":"an "`} {
		<-asked
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Fatalf("expected %s, got %q (%v)", want, lines.Text(), lines.Err())
		}
		lines.Scan() // the empty line that ends an event
		release <- struct{}{}
	}
	go func() {
		for range asked {
			release <- struct{}{}
		}
	}()
	for lines.Scan() {
	}
	close(asked)
}

func TestAStoppedRequestStopsThePlayer(t *testing.T) {
	p := newPlayer(t, "cancel-orders")
	ctx, cancel := context.WithCancel(t.Context())
	pauses := 0
	p.pause = func(ctx context.Context, _ time.Duration) error {
		if pauses++; pauses == 3 {
			cancel()
		}
		return ctx.Err()
	}
	recorder := httptest.NewRecorder()
	p.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, chatPath, strings.NewReader(ask(`{"role":"user","content":"x"}`))).WithContext(ctx))
	if pauses != 3 || strings.Contains(recorder.Body.String(), "[DONE]") {
		t.Errorf("went on for %d pauses: %s", pauses, recorder.Body)
	}
}

// brokenPipe is what the webview gives: no Flush, and after a stop in the page
// an error from Write as the only sign.
type brokenPipe struct {
	header http.Header
	writes int
	fails  int
}

func (w *brokenPipe) Header() http.Header { return w.header }
func (w *brokenPipe) WriteHeader(int)     {}
func (w *brokenPipe) Write(b []byte) (int, error) {
	if w.writes++; w.writes >= w.fails {
		return 0, errors.New("broken pipe")
	}
	return len(b), nil
}

func TestAWriterWithoutFlushIsServedAndABrokenOneStopsThePlayer(t *testing.T) {
	for _, fails := range []int{5, 1 << 30} {
		w := &brokenPipe{header: http.Header{}, fails: fails}
		newPlayer(t, "cancel-orders").ServeHTTP(w, httptest.NewRequest(http.MethodPost, chatPath, strings.NewReader(ask(`{"role":"user","content":"x"}`))))
		if w.writes > fails || (fails > 100 && w.writes < 20) {
			t.Errorf("failing from write %d on: %d writes", fails, w.writes)
		}
	}
}

func TestThePauseEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the person pressed stop")
	cancel(why)
	if err := pause(ctx, time.Hour); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

func TestEveryTranscriptIsWhole(t *testing.T) {
	for _, scene := range Scenes() {
		script, err := load(scene.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if scene.Notice == "" && !strings.Contains(scene.Title, "for the") { // those of the tests
			t.Errorf("%s: incomplete: %+v", scene.Name, scene)
		}
		first := script.afterRequest(scene.Request)
		if first == nil || first.code == "" {
			t.Errorf("%s: the request is not answered with a program", scene.Name)
		}
		for _, output := range []string{`{"status":"error","error":{"message":"m"}}`, `{"status":"ok","value":1}`, `{}`, "text"} {
			decoded := outputOf(output)
			last := script.afterOutput(decoded)
			if last == nil {
				t.Errorf("%s: no turn for %s", scene.Name, output)
			} else if said, err := last.text(decoded); err != nil || said == "" {
				t.Errorf("%s: %q, %v", scene.Name, said, err)
			}
		}
	}
	if Scenes()[0].Name != "cancel-orders" {
		t.Error("the main scene is not the first")
	}
}

func TestAnUnknownSceneIsNamedWithThoseThatExist(t *testing.T) {
	_, err := Offline("../secrets")
	if err == nil || !strings.Contains(err.Error(), `"../secrets"`) || !strings.Contains(err.Error(), "cancel-orders") {
		t.Errorf("got %v", err)
	}
}
