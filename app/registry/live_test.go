package registry_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

func TestALiveRegistryGivesEachListAsItWas(t *testing.T) {
	live, err := registry.NewLive(define("a.one"))
	if err != nil {
		t.Fatal(err)
	}
	before := app.Now(live)
	if err := live.Replace(define("a.one"), define("a.two")); err != nil {
		t.Fatal(err)
	}
	if _, ok := live.Find("a.two"); !ok || len(live.All()) != 2 {
		t.Error("the new function is not there")
	}
	if _, ok := before.Find("a.two"); ok || len(before.All()) != 1 {
		t.Error("the earlier list has changed")
	}
	if err := live.Replace(define("a"), define("a.two")); err == nil || len(live.All()) != 2 {
		t.Errorf("a wrong list was taken: %v", err)
	}
}

func TestWhoWatchesIsToldOfEachChangeAndOfNothingElse(t *testing.T) {
	live, err := registry.NewLive(define("a.one"))
	if err != nil {
		t.Fatal(err)
	}
	watch := live.Operations()[0]
	ask := func(ctx context.Context, args string) (string, error) {
		got, err := watch.Do(ctx, json.RawMessage(args))
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(got)
		return string(text), err
	}
	first, err := ask(t.Context(), `{"since":0}`)
	if err != nil || !strings.HasPrefix(first, `{"revision":1,"functions":[{"name":"a.one","title":"a.one"`) {
		t.Fatalf("%s, %v", first, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := live.Replace(define("a.one")); err != nil { // the same for who reads it
		t.Fatal(err)
	}
	if got, err := ask(ctx, `{"since":1}`); app.CodeOf(err) != app.Cancelled {
		t.Errorf("told of nothing: %s, %v", got, err)
	}
	answer := make(chan string, 1)
	go func() {
		got, _ := ask(t.Context(), `{"since":1}`)
		answer <- got
	}()
	if err := live.Replace(define("a.two")); err != nil {
		t.Fatal(err)
	}
	if got := <-answer; !strings.HasPrefix(got, `{"revision":2,"functions":[{"name":"a.two"`) {
		t.Errorf("got %s", got)
	}
	if _, err := ask(t.Context(), `{}x`); app.CodeOf(err) != app.BadRequest {
		t.Errorf("got %v", err)
	}
}

func TestTighteningMarksAndNeverUnmarks(t *testing.T) {
	functions := []*app.Function{
		define("a.never"), registry.Define("a.always", cancel, registry.Marked()),
		registry.Define("a.depends", cancel, registry.MarkedIf(func(in cancelInput) bool { return in.ID > 10 })), define("b.never"),
	}
	got := registry.Tighten(functions, func(name string) bool { return strings.HasPrefix(name, "a.") })
	for i, want := range []app.Approval{app.ApprovalAlways, app.ApprovalAlways, app.ApprovalAlways, app.ApprovalNever} {
		if got[i].Approval != want {
			t.Errorf("%s: %s", got[i].Name, got[i].Approval)
		}
	}
	if functions[0].Approval != app.ApprovalNever {
		t.Error("the definition that was given has changed")
	}
	if marked, err := got[2].Judge(app.Value(`{"id":1}`)); !marked || err != nil {
		t.Errorf("an input that was not marked: %v, %v", marked, err)
	}
}
