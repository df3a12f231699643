//go:build desktoptest

package faults

import (
	"strings"
	"testing"
)

func TestAFunctionThatFailsInAnyWayEndsItsCallAndNothingElse(t *testing.T) {
	d := scene(t, "faults")
	shows(t, d, "Done.")
	d.Verifies()
	fate := map[string]string{}
	for _, call := range d.Calls() {
		fate[call.Fn] = call.Outcome
	}
	for _, name := range []string{"panic", "nil", "index", "goexit", "nan", "cycle", "channel", "error", "empty"} {
		if fate["test."+name] != "error" {
			t.Errorf("test.%s ended as %q, expected error", name, fate["test."+name])
		}
	}
	if fate["test.echo"] != "ok" {
		t.Errorf("test.echo ended as %q", fate["test.echo"])
	}
	// What the program saw is on the page: names and causes, no stack of ours.
	text := d.Text()
	for _, want := range []string{"FunctionPanicked", "InvalidOutput", "FunctionFailed: it is broken", "failed without saying why"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q:\n%s", want, text)
		}
	}
	for _, never := range []string{"goroutine", ".go:", ": 'no error'"} {
		if strings.Contains(text, never) {
			t.Errorf("the page shows %q:\n%s", never, text)
		}
	}
	// Half a megabyte of bytes went there and back through the asset handler, and
	// kinds that JSON lacks came back as they were.
	flat := strings.NewReplacer(" ", "", "\n", "", "\"", "", "'", "").Replace(text)
	for _, want := range []string{"bytes:true", "kinds:truebigint3"} {
		if !strings.Contains(flat, want) {
			t.Errorf("the page does not show %s:\n%s", want, text)
		}
	}
	for _, e := range entries(t, d) {
		if e.Fn == "test.echo" && e.Kind == "call.started" && len(e.Body) < 600_000 {
			t.Errorf("the log has %d bytes of the input, expected all of it", len(e.Body))
		}
	}
	answers(t, d)
	d.Close()
}
