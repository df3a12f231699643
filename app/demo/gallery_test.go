package demo

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// gallery plays demos with a program that does what its script says.
func gallery(t *testing.T, script string) *Gallery {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	g := NewGallery(program, []Shown{{Name: "one", Title: "t", Notice: "n"}})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func ask[T any](t *testing.T, ctx context.Context, g *Gallery, name, args string) (T, error) {
	t.Helper()
	for _, o := range g.Operations() {
		if o.Name == name {
			value, err := o.Do(ctx, json.RawMessage(args))
			typed, _ := value.(T)
			return typed, err
		}
	}
	t.Fatalf("no operation %s", name)
	panic("unreachable")
}

func TestADemoIsPlayedByAProcessAndItsEndIsTold(t *testing.T) {
	for script, want := range map[string]Played{
		`[ "$1 $2" = "demo one" ]`:                              {Good: true},
		`echo "countersign: the demo was closed" >&2; exit 1`:   {Message: "the demo was closed"},
		`echo noise >&2; echo "countersign: a\n b" >&2; exit 1`: {Message: "a\n b"},
		`exit 3`: {Message: "exit status 3"},
	} {
		if got, err := ask[Played](t, t.Context(), gallery(t, script), "demo.play", `{"name":"one"}`); err != nil || got != want {
			t.Errorf("%s: %+v, %v", script, got, err)
		}
	}
}

func TestOnlyADemoOfTheListIsPlayedAndOnlyOnceAtATime(t *testing.T) {
	g := gallery(t, `trap 'exit 1' INT; while :; do sleep 0.05; done`)
	for _, args := range []string{`{"name":"two"}`, `{"name":"--help"}`, `{"name":""}`, `{}`, `{"name":"one","more":1}`} {
		if _, err := ask[Played](t, t.Context(), g, "demo.play", args); app.CodeOf(err) != app.BadRequest {
			t.Errorf("%s: %v", args, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := ask[Played](t, ctx, g, "demo.play", `{"name":"one"}`)
		ended <- err
	}()
	playing := func() bool {
		list, err := ask[[]Shown](t, t.Context(), g, "demos", `{}`)
		return err == nil && list[0].Playing
	}
	for deadline := time.Now().Add(time.Minute); !playing(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not play")
		}
	}
	if _, err := ask[Played](t, t.Context(), g, "demo.play", `{"name":"one"}`); err == nil || !strings.Contains(err.Error(), "plays already") {
		t.Errorf("a second time: %v", err)
	}
	cancel()
	if err := <-ended; app.CodeOf(err) != app.Cancelled || !playing() {
		t.Errorf("a page that is loaded again: %v, playing %v", err, playing())
	}
}

func TestClosingEndsWhatStillPlays(t *testing.T) {
	g := gallery(t, `trap 'exit 1' INT; while :; do sleep 0.05; done`)
	ended := make(chan Played, 1)
	go func() {
		got, _ := ask[Played](t, t.Context(), g, "demo.play", `{"name":"one"}`)
		ended <- got
	}()
	for !g.list()[0].Playing {
		time.Sleep(time.Millisecond)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-ended; got.Good || g.list()[0].Playing {
		t.Errorf("%+v", got)
	}
	if _, err := ask[Played](t, t.Context(), g, "demo.play", `{"name":"one"}`); app.CodeOf(err) != app.Cancelled {
		t.Errorf("after closing: %v", err)
	}
}
