package bridge_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
)

func (b *bench) post(t *testing.T, data []byte) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	bridge.Bytes(b.Bridge).ServeHTTP(w, httptest.NewRequest("POST", "/bytes/new", bytes.NewReader(data)))
	var reply struct{ ID string }
	if w.Code == http.StatusOK && json.Unmarshal(w.Body.Bytes(), &reply) != nil {
		t.Fatalf("answered %s", w.Body)
	}
	return w.Code, reply.ID
}

func (b *bench) get(id string) (int, []byte) {
	w := httptest.NewRecorder()
	bridge.Bytes(b.Bridge).ServeHTTP(w, httptest.NewRequest("GET", "/bytes/"+id, nil))
	return w.Code, w.Body.Bytes()
}

func carriedCall(n int, input string) string {
	return fmt.Sprintf(`{"runId":"r1","callId":"c%d","seq":%d,"fn":"echo","input":%s}`, n, n, input)
}

func TestCarriedBytesAreTheSameValue(t *testing.T) {
	b := opened(t)
	data := bytes.Repeat([]byte("0123456789abcdef"), 8192) // 128 KiB
	text := base64.StdEncoding.EncodeToString(data)
	for i, c := range []struct{ sent, whole string }{
		{`{"a":[{"$":"bytes","t":"Uint8Array","v":%s}],"n":1.5}`, `{"a":[{"$":"bytes","t":"Uint8Array","v":%s}],"n":1.5}`},
		{`{"$":"map","v":[["k",{"$":"bytes","t":"ArrayBuffer","v":%s}]]}`, `{"$":"map","v":[["k",{"$":"bytes","t":"ArrayBuffer","v":%s}]]}`},
		{`{"$":"file","v":{"bytes":%s,"modified":7,"name":"x","type":""}}`, `{"$":"file","v":{"bytes":%s,"modified":7,"name":"x","type":""}}`},
		{`{"$":"object","v":[["$",{"$":"blob","v":{"bytes":%s,"type":"a"}}]]}`, `{"$":"object","v":[["$",{"$":"blob","v":{"bytes":%s,"type":"a"}}]]}`},
	} {
		code, id := b.post(t, data)
		if code != http.StatusOK {
			t.Fatalf("POST: %d", code)
		}
		got, e := b.one(t, 100+i, "call", carriedCall(i+1, fmt.Sprintf(c.sent, fmt.Sprintf(`{"$":"carried","id":%q}`, id))))
		if e != "" {
			t.Fatalf("%s: %s", c.sent, e)
		}
		// The result is carried back, and is what was sent.
		_, after, found := strings.Cut(got, `{"$":"carried","id":"`)
		if !found || len(got) > 400 {
			t.Fatalf("the result was not carried: %.300s", got)
		}
		back, _, _ := strings.Cut(after, `"`)
		code, body := b.get(back)
		if code != http.StatusOK || !bytes.Equal(body, data) {
			t.Errorf("GET: %d, %d bytes", code, len(body))
		}
		if code, _ := b.get(back); code != http.StatusNotFound {
			t.Errorf("a second time: %d", code)
		}
		// The log, and so the digest, has the whole value.
		var body2 app.CallStartedBody
		for _, entry := range b.log.Entries() {
			if entry.Kind == app.CallStarted {
				if err := json.Unmarshal(entry.Body, &body2); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want := fmt.Sprintf(c.whole, `"`+text+`"`); body2.Input.String() != want || body2.Digest != app.Value(want).Digest() {
			t.Errorf("logged %.200s", body2.Input)
		}
	}
}

func TestCarriedBytesAreTakenOnceAndOnlyByTheirPage(t *testing.T) {
	b := opened(t)
	_, id := b.post(t, []byte("abc"))
	input := fmt.Sprintf(`{"$":"bytes","t":"Uint8Array","v":{"$":"carried","id":%q}}`, id)
	if _, e := b.one(t, 10, "call", carriedCall(1, input)); e != "" {
		t.Fatal(e)
	}
	if _, e := b.one(t, 11, "call", carriedCall(2, `{"deep":[`+input+`]}`)); !strings.HasPrefix(e, "InvalidInput: input.deep[0]: its bytes did not arrive") {
		t.Errorf("again: %q", e)
	}
	if _, e := b.one(t, 12, "judge", `{"fn":"echo","input":`+input+`}`); !strings.HasPrefix(e, "InvalidInput: ") {
		t.Errorf("judge: %q", e)
	}
	_, id = b.post(t, []byte("abc"))
	b.one(t, 1, "hello", `{}`)
	if code, _ := b.get(id); code != http.StatusNotFound {
		t.Errorf("after a new load of the page: %d", code)
	}
}

func TestACarriedTagElsewhereIsRefused(t *testing.T) {
	b := opened(t)
	_, id := b.post(t, []byte("abc"))
	ref := fmt.Sprintf(`{"$":"carried","id":%q}`, id)
	for i, input := range []string{ref, `{"a":` + ref + `}`, `{"$":"date","v":` + ref + `}`, `{"$":"bytes","t":` + ref + `,"v":""}`,
		`{"$":"bytes","t":"Uint8Array","v":{"$":"carried","id":"` + id + `","more":1}}`, `{"$":"bytes","t":"Uint8Array","v":` + ref + `,"v":""}`} {
		if _, e := b.one(t, 10+i, "call", carriedCall(i+1, input)); !strings.HasPrefix(e, "InvalidInput: ") {
			t.Errorf("%s: %q", input, e)
		}
	}
	// A plain object of a program that looks like one is data.
	if got, e := b.one(t, 30, "call", carriedCall(30, `{"$":"object","v":[["$","carried"],["id","`+id+`"]]}`)); e != "" || !strings.Contains(got, `"$","carried"`) {
		t.Errorf("got %s %s", got, e)
	}
}

func TestWhatIsOnItsWayIsBounded(t *testing.T) {
	b := opened(t)
	if code, _ := b.post(t, make([]byte, 12<<20+1)); code != http.StatusRequestEntityTooLarge {
		t.Errorf("one that is too long: %d", code)
	}
	kept := 0
	for code := http.StatusOK; code == http.StatusOK && kept < 100; kept++ {
		if code, _ = b.post(t, make([]byte, 12<<20)); code != http.StatusOK && code != http.StatusInsufficientStorage {
			t.Fatalf("got %d", code)
		}
	}
	if kept != 22 { // 21 of 12 MiB fit into 256
		t.Errorf("%d were kept", kept-1)
	}
	bridge.Abort(b.Bridge, "the page has gone")
	if code, _ := b.post(t, []byte("abc")); code != http.StatusOK {
		t.Errorf("after the page has gone: %d", code)
	}
}
