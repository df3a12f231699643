package sqlite

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
)

// The documented form, written by encoding/json and made canonical by jcs.
func documented(t *testing.T, e app.Entry) string {
	t.Helper()
	m := map[string]any{"at": e.At.UTC().Format("2006-01-02T15:04:05.000Z"), "body": e.Body, "kind": e.Kind, "number": e.Number, "previous": e.Previous, "runId": e.RunID}
	if e.CallID != "" {
		m["callId"] = e.CallID
	}
	if e.Fn != "" {
		m["fn"] = e.Fn
	}
	if e.Seq != 0 {
		m["seq"] = e.Seq
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(canonical)
}

func FuzzAnEntryIsHashedOverItsCanonicalJSON(f *testing.F) {
	f.Add("r1", "c1", "orders.list", `{"b":1,"a":"x"}`, 3, int64(1764410400120))
	f.Add("", "", "", `{}`, 0, int64(0))
	f.Add("\x00\x1f\"\\\u2028<&>\u007f", "😀", "\b\f\n\r\t/", `[1e21,-5e-7,"é"]`, -7, int64(-1))
	f.Fuzz(func(t *testing.T, run, call, fn, body string, seq int, ms int64) {
		e := app.Entry{Number: 5, At: time.UnixMilli(ms), Kind: app.CallStarted, RunID: run, CallID: call, Fn: fn, Seq: seq % (1 << 52), Body: json.RawMessage(body), Previous: strings.Repeat("ab", 32)}
		prepared, err := (&Log{}).prepare(e)
		if err != nil {
			return
		}
		got := string(preimage(nil, formatTime(prepared.At), prepared, prepared.Body))
		if want := documented(t, prepared); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestALongBodyHasTheHashOfTheSameText(t *testing.T) {
	for _, length := range []int{longBody - 1, longBody, 3 * longBody} {
		e := app.Entry{Number: 5, At: time.UnixMilli(7), Kind: app.CallSettled, RunID: "r", CallID: "c", Fn: "a.b", Seq: 2, Body: json.RawMessage(strings.Repeat("7", length))}
		at := formatTime(e.At)
		if got, _ := hashOf(at, e, e.Body, nil); got != digest(preimage(nil, at, e, e.Body)) {
			t.Errorf("a body of %d bytes: got %s", length, got)
		}
	}
}

func TestTheFirstEntryNamesTheLog(t *testing.T) {
	// printf 'countersign log 0' | sha256sum
	if got, want := genesis("0"), digest([]byte("countersign log 0")); got != want || len(got) != 64 {
		t.Errorf("got %s", got)
	}
}
