package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// theKey must appear nowhere but in the one header of the one request.
const theKey = "sk-test-THE-KEY-0123456789"

// everything is what the tests of this package wrote for people, pages and logs.
var everything lines

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(&everything, nil)))
	code := m.Run()
	if strings.Contains(everything.text.String(), theKey) {
		fmt.Fprintln(os.Stderr, "FAIL: something that was written has the key")
		code = 1
	}
	os.Exit(code)
}

func quick() Times {
	return Times{Connect: 2 * time.Second, FirstByte: time.Minute, Idle: time.Minute, Retry: time.Millisecond, Patience: time.Second}
}

// line is a server and a forwarder to it.
type line struct {
	t      *testing.T
	target Target
	key    string
	f      *Forwarder
	server *httptest.Server
	page   *httptest.Server // the app's own origin, as the page has it
	waits  []time.Duration
}

func connect(t *testing.T, provider string, server http.HandlerFunc) *line {
	t.Helper()
	l := &line{t: t, key: theKey, server: httptest.NewServer(server)}
	t.Cleanup(l.server.Close)
	l.target = Target{provider, l.server.URL + "/v1", "m-1"}
	l.f = NewForwarder(Config{
		Target: func() Target { return l.target },
		Key:    func(context.Context, Target) (string, error) { return l.key, nil },
		Agent:  "Countersign/test", Times: quick(),
	})
	l.f.pause = func(ctx context.Context, d time.Duration) error {
		l.waits = append(l.waits, d)
		return ctx.Err()
	}
	l.page = httptest.NewServer(l.f)
	t.Cleanup(l.page.Close)
	return l
}

// ask is what the page's library does.
func (l *line) ask(ctx context.Context, method, path string, header http.Header) *http.Response {
	l.t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, l.page.URL+path, strings.NewReader(`{"model":"m-1","stream":true}`))
	if err != nil {
		l.t.Fatal(err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := l.page.Client().Do(request)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { response.Body.Close() })
	for name, values := range response.Header {
		fmt.Fprintln(&everything, name, values)
	}
	return response
}

func (l *line) text(response *http.Response) string {
	l.t.Helper()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	fmt.Fprintln(&everything, string(text))
	return string(text)
}

// sentence is the message in the shape of each wire.
func (l *line) sentence(text string) string {
	l.t.Helper()
	var shape struct {
		Type  string
		Error struct{ Message, Type string }
	}
	if err := json.Unmarshal([]byte(text), &shape); err != nil || shape.Error.Message == "" || shape.Error.Type == "" {
		l.t.Fatalf("no error in %s", text)
	}
	if l.target.Provider == "anthropic" && shape.Type != "error" {
		l.t.Errorf("not Anthropic's shape: %s", text)
	}
	return shape.Error.Message
}

var paths = map[string]string{"anthropic": "/model/anthropic/messages", "openai": "/model/openai/responses", "compatible": "/model/compatible/chat/completions"}

// recorded are answers as the services stream them, shortened.
var recorded = map[string]string{
	"compatible": `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"llama3.2","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"llama3.2","choices":[{"index":0,"delta":{"content":"Grüß dich"},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"llama3.2","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`,
	"anthropic": `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m-1","stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Grüß dich"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":4}}

event: message_stop
data: {"type":"message_stop"}

`,
	"openai": `event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m-1","output":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":1,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Grüß dich"}

event: response.completed
data: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","object":"response","status":"completed","output":[],"usage":{"input_tokens":9,"output_tokens":4}}}

`,
}

func streams(w http.ResponseWriter) func(text string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	return func(text string) {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
}

const opening = ": countersign\n\n"

func TestAnAnswerComesAsItWasSentHoweverItIsCut(t *testing.T) {
	for provider, answer := range recorded {
		for _, size := range []int{1, 7, 100, 1 << 20} {
			l := connect(t, provider, func(w http.ResponseWriter, _ *http.Request) {
				send := streams(w)
				for rest := answer; rest != ""; {
					n := min(size, len(rest))
					send(rest[:n])
					rest = rest[n:]
				}
			})
			response := l.ask(t.Context(), "POST", paths[provider], nil)
			if got := l.text(response); got != opening+answer || response.Header.Get("Content-Type") != "text/event-stream" {
				t.Errorf("%s in pieces of %d: got\n%s", provider, size, got)
			}
		}
	}
}

func TestEachPieceIsThereBeforeTheNextIsSent(t *testing.T) {
	for provider, answer := range recorded {
		arrived := make(chan struct{})
		l := connect(t, provider, func(w http.ResponseWriter, r *http.Request) {
			send := streams(w)
			for _, record := range strings.SplitAfter(strings.TrimSuffix(answer, "\n\n"), "\n\n") {
				send(record)
				if !strings.HasSuffix(record, "\n\n") {
					send("\n\n")
				}
				select {
				case <-arrived:
				case <-r.Context().Done():
					return
				}
			}
		})
		response := l.ask(t.Context(), "POST", paths[provider], nil)
		scanner := bufio.NewScanner(response.Body)
		for scanner.Scan() {
			if strings.HasPrefix(scanner.Text(), "data:") {
				select {
				case arrived <- struct{}{}:
				case <-time.After(time.Minute):
					t.Fatal("nobody sends")
				}
			}
		}
		if err := scanner.Err(); err != nil {
			t.Error(err)
		}
	}
}

func TestTheServerGetsTheKeyAndNothingOfThePage(t *testing.T) {
	for provider, want := range map[string]http.Header{
		"anthropic":  {"X-Api-Key": {theKey}, "Anthropic-Version": {anthropicVersion}},
		"openai":     {"Authorization": {"Bearer " + theKey}},
		"compatible": {"Authorization": {"Bearer " + theKey}},
	} {
		var got *http.Request
		var body []byte
		l := connect(t, provider, func(w http.ResponseWriter, r *http.Request) {
			got = r.Clone(context.Background())
			var err error
			if body, err = io.ReadAll(r.Body); err != nil {
				t.Error(err)
			}
			streams(w)(recorded[provider])
		})
		l.text(l.ask(t.Context(), "POST", paths[provider]+"?key=evil", http.Header{
			"X-Countersign-Secret": {"s3cret"}, "Cookie": {"c=1"}, "Origin": {"wails://wails"}, "Referer": {"wails://wails/"},
			"X-Api-Key": {"kept-by-the-app"}, "Authorization": {"Bearer kept-by-the-app"}, "X-Forwarded-For": {"1.2.3.4"},
			"Content-Type": {"application/json"}, requestHeader: {"r1"}, "Host": {"elsewhere.example"},
		}))
		want.Set("Content-Type", "application/json")
		want.Set("User-Agent", "Countersign/test")
		want.Set("Content-Length", "29")
		if fmt.Sprint(got.Header) != fmt.Sprint(want) {
			t.Errorf("%s: the server got %v", provider, got.Header)
		}
		if got.URL.RawQuery != "" || got.Host != strings.TrimPrefix(l.server.URL, "http://") || string(body) != `{"model":"m-1","stream":true}` {
			t.Errorf("%s: %s %s %s", provider, got.Host, got.URL, body)
		}
	}
}

func TestOnlyWhatIsSetCanBeReached(t *testing.T) {
	l := connect(t, "openai", func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"POST", "/model/anthropic/messages", 409},
		{"POST", "/model/compatible/chat/completions", 409},
		{"POST", "/model/openai/messages", 404},
		{"GET", "/model/openai/responses", 404},
		{"POST", "/model/openai/files", 404},
		{"DELETE", "/model/openai/models", 404},
		{"GET", "/model/openai/models/..%2f..%2fadmin", 404},
		{"POST", "/model/openai//evil.example/responses", 404},
		{"POST", "/model/http:%2f%2fevil.example/responses", 404},
		{"POST", "/model/openai/", 404},
		{"POST", "/model/", 404},
	} {
		if response := l.ask(t.Context(), c.method, c.path, nil); response.StatusCode != c.status {
			t.Errorf("%s %s: status %d", c.method, c.path, response.StatusCode)
		}
	}
	l.target = Target{}
	if response := l.ask(t.Context(), "POST", "/model/openai/responses", nil); response.StatusCode != 409 {
		t.Errorf("with no model: status %d", response.StatusCode)
	}
}

func TestWithoutAKeyNothingIsSentWhereOneIsNeeded(t *testing.T) {
	l := connect(t, "anthropic", func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	l.f.config.Key = func(context.Context, Target) (string, error) {
		return "", errors.New("the keychain cannot be used: locked")
	}
	response := l.ask(t.Context(), "POST", paths["anthropic"], nil)
	if said := l.sentence(l.text(response)); response.StatusCode != 401 || !strings.Contains(said, "Set one in Settings › Model. (the keychain cannot be used: locked.)") {
		t.Errorf("%d %s", response.StatusCode, said)
	}
	open := connect(t, "compatible", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("a key from nowhere")
		}
		streams(w)(recorded["compatible"])
	})
	open.key = ""
	if response := open.ask(t.Context(), "POST", paths["compatible"], nil); response.StatusCode != 200 {
		t.Error("a server without keys cannot be asked")
	}
}

func TestARequestIsTriedAgainBeforeAnythingCame(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []int // then 200
		after   string
		body    string
		tries   int
		ends    int
	}{
		{"at once", nil, "", "", 1, 200},
		{"after a failure", []int{500}, "", "", 2, 200},
		{"after three", []int{503, 502, 504}, "", "", 4, 200},
		{"not for ever", []int{503, 503, 503, 503, 503}, "", "", 4, 503},
		{"when it was asked too often", []int{429}, "", "", 2, 200},
		{"when it is told how long", []int{429}, "1", "", 2, 200},
		{"not when it is told to wait long", []int{429}, "3600", "", 1, 429},
		{"when it is overloaded", []int{529}, "", "", 2, 200},
		{"not without credit", []int{429}, "", `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}`, 1, 429},
		{"not with a wrong key", []int{401}, "", "", 1, 401},
		{"not with a wrong request", []int{400}, "", "", 1, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			tries := 0
			l := connect(t, "openai", func(w http.ResponseWriter, _ *http.Request) {
				tries++
				if tries > len(c.answers) {
					streams(w)(recorded["openai"])
					return
				}
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				w.WriteHeader(c.answers[tries-1])
				io.WriteString(w, c.body)
			})
			response := l.ask(t.Context(), "POST", paths["openai"], nil)
			if response.StatusCode != c.ends || tries != c.tries {
				t.Errorf("status %d after %d tries", response.StatusCode, tries)
			}
			l.text(response)
			for i, wait := range l.waits {
				least := quick().Retry << i
				if c.after != "" {
					least = time.Second
				}
				if wait < least || wait > 2*least {
					t.Errorf("wait %d is %v", i+1, wait)
				}
			}
		})
	}
}

func TestAStoppedRequestEndsAtTheServerToo(t *testing.T) {
	for _, when := range []string{"before the answer", "in the middle"} {
		t.Run(when, func(t *testing.T) {
			asked, ended := make(chan struct{}), make(chan struct{})
			l := connect(t, "compatible", func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body) // else the end of the connection is not noticed
				if when == "in the middle" {
					streams(w)("data: {}\n\n")
				}
				close(asked)
				<-r.Context().Done()
				close(ended)
			})
			done := make(chan struct{})
			go func() {
				defer close(done)
				l.ask(t.Context(), "POST", paths["compatible"], http.Header{requestHeader: {"r1"}})
			}()
			<-asked
			if response := l.ask(t.Context(), "DELETE", "/model/requests/r1", nil); response.StatusCode != 204 {
				t.Errorf("status %d", response.StatusCode)
			}
			select {
			case <-ended:
			case <-time.After(time.Minute):
				t.Fatal("the server goes on")
			}
			<-done
		})
	}
	t.Run("before it began", func(t *testing.T) {
		l := connect(t, "compatible", func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
		l.ask(t.Context(), "DELETE", "/model/requests/r2", nil)
		if response := l.ask(t.Context(), "POST", paths["compatible"], http.Header{requestHeader: {"r2"}}); response.StatusCode != 409 {
			t.Errorf("status %d", response.StatusCode)
		}
	})
}

func TestAServerThatRepeatsTheKeyDoesNotTellThePage(t *testing.T) {
	record := `data: {"error":{"message":"bad key ` + theKey + `"}}` + "\n\n"
	for kind, body := range map[string]string{"text/event-stream": record, "application/json": `{"echo":"` + theKey + `"}`} {
		l := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("X-Echo", theKey)
			io.WriteString(w, body)
		})
		if text := l.text(l.ask(t.Context(), "POST", paths["compatible"], nil)); strings.Contains(text, theKey) || !strings.Contains(text, "[key]") {
			t.Error(text)
		}
		if _, err := l.f.Check(t.Context()); err == nil || strings.Contains(err.Error(), theKey) {
			t.Errorf("got %v", err)
		}
	}
}
