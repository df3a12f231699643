package gate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/sqlite"
)

const continuation = `{"countersign":1,"entries":[]}`

// kept is a gate over a log in memory, whose pending runs are kept on disk.
type keptBench struct {
	bench
	waiting app.Waiting
	files   string // where they are kept
	card    presenter
}

func keeping(t *testing.T) *keptBench {
	t.Helper()
	// A log of its own is where waiting runs are kept; nothing is written into it.
	path := t.TempDir() + "/log.db"
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	b := &keptBench{bench: bench{log: &logtest.Memory{}}, waiting: log.Waiting(), files: sqlite.WaitingFor(path)}
	b.restart(t, functions(t), "build 1")
	if err := b.Begin(t.Context(), app.Run{ID: "r1", Request: "Cancel every open order", Code: "…", Model: "offline"}); err != nil {
		t.Fatal(err)
	}
	return b
}

// restart is what a new process knows: the log and what is kept.
func (b *keptBench) restart(t *testing.T, f app.Functions, build string) {
	t.Helper()
	b.Gate = gate.New(b.log, f, presenter(func(ctx context.Context, c app.Card) (app.Answer, error) { return b.card(ctx, c) }),
		gate.Keep(b.waiting, build))
}

// open is a card that nobody answers; it tells when it is there.
func open(there chan<- app.Card) presenter {
	return func(ctx context.Context, c app.Card) (app.Answer, error) {
		there <- c
		<-ctx.Done()
		return app.Answer{By: app.ByAborted}, nil
	}
}

// suspended leaves r1 waiting with n rows.
func suspended(t *testing.T, n int) *keptBench {
	t.Helper()
	b := keeping(t)
	there, over := make(chan app.Card, 1), make(chan error, 1)
	b.card = open(there)
	go func() {
		_, err := b.Hold(t.Context(), "r1", cancels(n), app.Value(continuation))
		over <- err
	}()
	<-there
	if err := b.AbortAll(t.Context(), "the app was closed"); err != nil {
		t.Fatal(err)
	}
	if err := <-over; app.CodeOf(err) != app.Cancelled {
		t.Fatalf("a suspended decision gave %v", err)
	}
	return b
}

func kinds(log *logtest.Memory) (kinds []app.Kind) {
	for _, e := range log.Entries() {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func TestAWaitingRunDoesNotGoOnWhileNobodyIsAsked(t *testing.T) {
	b := suspended(t, 2)
	asks, shown := false, 0
	b.Gate = gate.New(b.log, functions(t), presenter(func(context.Context, app.Card) (app.Answer, error) {
		shown++
		return app.Answer{By: app.ByUser}, nil
	}), gate.Keep(b.waiting, "build 1"), gate.Asks(func() bool { return asks }))
	const why = "nobody is asked"
	if list, err := b.Waiting(t.Context()); err != nil || len(list) != 1 || !strings.Contains(list[0].Problem, why) {
		t.Errorf("waiting: %+v, %v", list, err)
	}
	if _, err := b.Reopen(t.Context(), "r1"); app.CodeOf(err) != app.CannotResume || !strings.Contains(err.Error(), why) || shown != 0 {
		t.Errorf("%d cards, %v", shown, err)
	}
	asks = true // it waited on
	if list, err := b.Waiting(t.Context()); err != nil || len(list) != 1 || list[0].Problem != "" {
		t.Errorf("waiting: %+v, %v", list, err)
	}
	if out, err := b.Reopen(t.Context(), "r1"); err != nil || len(out.Reject) != 2 || shown != 1 {
		t.Errorf("%d cards, %+v, %v", shown, out, err)
	}
}

func TestARunWhoseCardWaitsIsSuspendedAndNothingIsDecided(t *testing.T) {
	b := suspended(t, 2)
	if got := kinds(b.log); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallRequested, app.CallRequested, app.RunSuspended}) {
		t.Errorf("the log has %v", got)
	}
	list, err := b.Waiting(t.Context())
	if err != nil || len(list) != 1 || list[0].RunID != "r1" || list[0].Calls != 2 || list[0].Problem != "" ||
		list[0].Title != "Cancel 2 orders?" || list[0].Request != "Cancel every open order" || list[0].Since.IsZero() {
		t.Errorf("waiting: %+v, %v", list, err)
	}
	if _, err := b.Consume(cancels(1)[0].Call); err == nil {
		t.Error("a call of a suspended run was let through")
	}
	if err := b.Begin(t.Context(), app.Run{ID: "r1"}); app.CodeOf(err) != app.BadRequest {
		t.Errorf("a suspended run began again: %v", err)
	}
	if err := b.End(t.Context(), "r1", app.StatusOK, nil); app.CodeOf(err) != app.RunEndedAlready {
		t.Errorf("a suspended run was ended: %v", err)
	}
}

func TestTheContinuationIsOnDiskBeforeTheCardShows(t *testing.T) {
	b := keeping(t)
	b.card = func(ctx context.Context, c app.Card) (app.Answer, error) {
		w, err := b.waiting.Read(ctx, "r1")
		if err != nil || w.Continuation.String() != continuation || len(w.Rows) != 3 || w.Rows[2].Digest != cancels(3)[2].Input.Digest() {
			t.Errorf("while the card shows there is %+v, %v", w, err)
		}
		return approveAll(ctx, c)
	}
	if _, err := b.Hold(t.Context(), "r1", cancels(3), app.Value(continuation)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.waiting.Read(t.Context(), "r1"); app.CodeOf(err) != app.NotWaiting {
		t.Errorf("it is still kept when it is decided: %v", err)
	}
}

func TestAWaitingRunIsDecidedOnceAfterARestart(t *testing.T) {
	b := suspended(t, 2)
	b.restart(t, functions(t), "build 1")
	var shown app.Card
	b.card = func(ctx context.Context, c app.Card) (app.Answer, error) {
		shown = c
		if list, _ := b.Waiting(ctx); len(list) != 0 {
			t.Errorf("listed while its card is open: %+v", list)
		}
		if _, err := b.Reopen(ctx, "r1"); app.CodeOf(err) != app.BadRequest {
			t.Errorf("opened twice: %v", err)
		}
		if err := b.Dismiss(ctx, "r1"); app.CodeOf(err) != app.BadRequest {
			t.Errorf("dismissed while its card is open: %v", err)
		}
		return app.Answer{Approve: []string{"c2"}, By: app.ByUser}, nil
	}
	o, err := b.Reopen(t.Context(), "r1")
	if err != nil || !slices.Equal(o.Approve, []string{"c2"}) || !slices.Equal(o.Reject, []string{"c1"}) {
		t.Fatalf("got %+v, %v", o, err)
	}
	if shown.Title != "Cancel 2 orders?" || shown.Request != "Cancel every open order" || len(shown.Rows) != 2 {
		t.Errorf("the card: %+v", shown)
	}
	rows := cancels(2)
	if _, err := b.Consume(rows[0].Call); app.CodeOf(err) != app.ApprovalRequired {
		t.Errorf("the rejected call: %v", err)
	}
	if _, err := b.Consume(rows[1].Call); err != nil {
		t.Errorf("the approved call: %v", err)
	}
	if _, err := b.Consume(rows[1].Call); app.CodeOf(err) != app.ApprovalRequired {
		t.Errorf("the approved call again: %v", err)
	}
	if _, err := b.Decide(t.Context(), "r1", rows); app.CodeOf(err) != app.BadRequest {
		t.Errorf("the rows were put to a second decision: %v", err)
	}
	if err := b.End(t.Context(), "r1", app.StatusOK, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 { // in this process, and in the next
		if _, err := b.Reopen(t.Context(), "r1"); app.CodeOf(err) != app.RunEndedAlready && app.CodeOf(err) != app.NotWaiting {
			t.Errorf("opened after its end: %v", err)
		}
		b.restart(t, functions(t), "build 1")
	}
	if got := kinds(b.log); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallRequested, app.CallRequested, app.RunSuspended,
		app.RunResumed, app.CallDecided, app.CallDecided, app.RunEnded}) {
		t.Errorf("the log has %v", got)
	}
}

func TestACallThatWasDecidedOrMadeBeforeIsNotDecidedAgainAfterARestart(t *testing.T) {
	b := keeping(t)
	b.card = approveAll
	if _, err := b.Hold(t.Context(), "r1", cancels(1), app.Value(continuation)); err != nil {
		t.Fatal(err)
	}
	_, leave, err := b.Enter(t.Context(), cancels(1)[0].Call)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	there, over := make(chan app.Card, 1), make(chan error, 1)
	b.card = open(there)
	go func() {
		_, err := b.Hold(t.Context(), "r1", cancels(2)[1:], app.Value(continuation))
		over <- err
	}()
	<-there
	if err := errors.Join(b.AbortAll(t.Context(), "closed"), <-over); app.CodeOf(err) != app.Cancelled {
		t.Fatal(err)
	}
	b.restart(t, functions(t), "build 1")
	b.card = approveAll
	if _, err := b.Reopen(t.Context(), "r1"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Decide(t.Context(), "r1", cancels(1)); app.CodeOf(err) != app.BadRequest {
		t.Errorf("decided again: %v", err)
	}
	if _, _, err := b.Enter(t.Context(), cancels(1)[0].Call); app.CodeOf(err) != app.BadRequest {
		t.Errorf("let in again: %v", err)
	}
	if _, err := b.Consume(cancels(1)[0].Call); app.CodeOf(err) != app.ApprovalRequired {
		t.Errorf("an approval of the first round is still good: %v", err)
	}
}

func TestADismissedRunIsRejectedByTheUserAndOver(t *testing.T) {
	b := suspended(t, 2)
	b.restart(t, functions(t), "build 1")
	b.card = noCard(t)
	b.log.SetFail(failOn(app.RunEnded))
	if err := b.Dismiss(t.Context(), "r1"); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("without a log: %v", err)
	}
	if list, _ := b.Waiting(t.Context()); len(list) != 1 {
		t.Errorf("a dismissal that is not in the log happened: %+v", list)
	}
	b.log.SetFail(nil)
	if err := b.Dismiss(t.Context(), "r1"); err != nil {
		t.Fatal(err)
	}
	for id, d := range decisions(t, b.log) {
		if d.Verdict != app.Reject || d.By != app.ByUser || !strings.Contains(d.Reason, "dismissed") {
			t.Errorf("%s: %+v", id, d)
		}
	}
	entries := b.log.Entries()
	var end app.RunEndedBody
	if last := entries[len(entries)-1]; last.Kind != app.RunEnded || json.Unmarshal(last.Body, &end) != nil || end.Status != app.StatusAborted || end.Error.Name != "Dismissed" {
		t.Errorf("the end: %+v", end)
	}
	if list, _ := b.Waiting(t.Context()); len(list) != 0 {
		t.Errorf("still listed: %+v", list)
	}
	if _, err := b.Reopen(t.Context(), "r1"); err == nil {
		t.Error("opened after it was dismissed")
	}
	if err := b.Dismiss(t.Context(), "r1"); err == nil {
		t.Error("dismissed twice")
	}
}

func TestARunThatCannotGoOnSaysWhyAndCanOnlyBeDismissed(t *testing.T) {
	other := func(name string, opts ...registry.Option) app.Functions {
		r, err := registry.New(registry.Define(name, done, opts...))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, c := range map[string]struct {
		functions app.Functions
		build     string
		why       string
	}{
		"the function is gone":         {other("orders.refund", registry.Marked()), "build 1", "orders.cancel, which it has called, does not exist any more"},
		"the function changed":         {other("orders.cancel", registry.Title("Cancel an order now"), registry.Plural("Cancel {n} orders"), registry.Marked()), "build 1", "orders.cancel, which it has called, has changed"},
		"another build of the library": {functions(t), "build 2", "another build of the sandbox"},
	} {
		t.Run(name, func(t *testing.T) {
			b := suspended(t, 1)
			b.restart(t, c.functions, c.build)
			b.card = noCard(t)
			if list, err := b.Waiting(t.Context()); err != nil || len(list) != 1 || !strings.Contains(list[0].Problem, c.why) {
				t.Errorf("listed as %+v, %v", list, err)
			}
			if _, err := b.Reopen(t.Context(), "r1"); app.CodeOf(err) != app.CannotResume || !strings.Contains(err.Error(), c.why) {
				t.Errorf("opened: %v", err)
			}
			if err := b.Dismiss(t.Context(), "r1"); err != nil {
				t.Error(err)
			}
		})
	}
}

// file is where the one run that waits is kept.
func (b *keptBench) file(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(b.files, "*.run"))
	if err != nil || len(names) != 1 {
		t.Fatalf("kept: %v, %v", names, err)
	}
	return names[0]
}

func TestARunWhoseFileIsDamagedWhileTheAppIsOnStaysAndCanOnlyBeDismissed(t *testing.T) {
	write := func(text func(before []byte) []byte) func(t *testing.T, file string) {
		return func(t *testing.T, file string) {
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	forged := write(func(before []byte) []byte {
		_, body, _ := bytes.Cut(before, []byte("\n"))
		body = bytes.Replace(body, []byte("Cancel every open order"), []byte("Cancel no open order"), 1)
		sum := sha256.Sum256(body)
		return append([]byte(hex.EncodeToString(sum[:])+"\n"), body...)
	})
	for name, c := range map[string]struct {
		damage func(t *testing.T, file string)
		why    string
	}{
		"a word changed":            {write(func(before []byte) []byte { return bytes.Replace(before, []byte("open"), []byte("shut"), 1) }), "checksum"},
		"cut":                       {write(func(before []byte) []byte { return before[:20] }), "checksum"},
		"empty":                     {write(func([]byte) []byte { return nil }), "checksum"},
		"changed with its checksum": {forged, "is not what it was"},
		"gone": {func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}, "is gone"},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				b := suspended(t, 2)
				if restarted {
					b.restart(t, functions(t), "build 1")
					if list, err := b.Waiting(t.Context()); err != nil || len(list) != 1 {
						t.Fatalf("before: %+v, %v", list, err)
					}
				}
				b.card = noCard(t)
				c.damage(t, b.file(t))
				if _, err := b.ReadWaiting(t.Context(), "r1"); app.CodeOf(err) != app.CannotResume || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "dismiss it") {
					t.Errorf("read: %v", err)
				}
				if _, err := b.Reopen(t.Context(), "r1"); app.CodeOf(err) != app.CannotResume || !strings.Contains(err.Error(), c.why) {
					t.Errorf("opened: %v", err)
				}
				list, _ := b.Waiting(t.Context())
				if len(list) != 1 || list[0].Request != "Cancel every open order" || list[0].Calls != 2 || !strings.Contains(list[0].Problem, c.why) {
					t.Errorf("listed as %+v", list)
				}
				if err := b.Dismiss(t.Context(), "r1"); err != nil {
					t.Fatal(err)
				}
				if got := decisions(t, b.log); len(got) != 2 || got["c1"].Verdict != app.Reject || got["c1"].By != app.ByUser {
					t.Errorf("decided: %+v", got)
				}
				if got := kinds(b.log); got[len(got)-1] != app.RunEnded {
					t.Errorf("the log has %v", got)
				}
				if list, _ := b.Waiting(t.Context()); len(list) != 0 {
					t.Errorf("still listed: %+v", list)
				}
			})
		}
	}
}

func TestWhatCannotBeKeptIsRefusedBeforeAnythingIsShown(t *testing.T) {
	big := `"` + strings.Repeat("x", 16<<20) + `"`
	for name, c := range map[string]struct{ text, why string }{
		"too large": {big, "at most 16777216 are taken"},
		"no value":  {`{"a":`, "not a canonical value"},
	} {
		t.Run(name, func(t *testing.T) {
			b := keeping(t)
			b.card = noCard(t)
			if _, err := b.Hold(t.Context(), "r1", cancels(1), app.Value(c.text)); app.CodeOf(err) != app.CannotWait || !strings.Contains(err.Error(), c.why) {
				t.Errorf("got %.300v", err)
			}
			if got := kinds(b.log); len(got) != 1 {
				t.Errorf("the log has %v", got)
			}
			// It can be asked without, and then ends with its page as ever.
			b.card = approveAll
			if o, err := b.Decide(t.Context(), "r1", cancels(1)); err != nil || len(o.Approve) != 1 {
				t.Errorf("asked without: %+v, %v", o, err)
			}
		})
	}
}

func TestWhatThePageItselfCancelsIsRejectedAndDoesNotWait(t *testing.T) {
	b := keeping(t)
	ctx, stop := context.WithCancel(t.Context())
	b.card = func(ctx context.Context, _ app.Card) (app.Answer, error) {
		stop()
		<-ctx.Done()
		return app.Answer{By: app.ByAborted}, nil
	}
	if o, err := b.Hold(ctx, "r1", cancels(1), app.Value(continuation)); err != nil || len(o.Reject) != 1 {
		t.Errorf("got %+v, %v", o, err)
	}
	if d := decisions(t, b.log)["c1"]; d.By != app.ByAborted {
		t.Errorf("decided %+v", d)
	}
	if list, _ := b.Waiting(t.Context()); len(list) != 0 {
		t.Errorf("waits: %+v", list)
	}
}

func TestAPageThatGoesLeavesItsRunWaiting(t *testing.T) {
	b := keeping(t)
	page := func() context.Context {
		ctx, leave := context.WithCancelCause(t.Context())
		b.card = func(ctx context.Context, c app.Card) (app.Answer, error) {
			leave(&gate.Gone{Reason: "the page was loaded anew"})
			return approveAll(ctx, c) // in the same moment
		}
		return ctx
	}
	if _, err := b.Hold(page(), "r1", cancels(1), app.Value(continuation)); app.CodeOf(err) != app.Cancelled {
		t.Errorf("got %v", err)
	}
	if got := kinds(b.log); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallRequested, app.RunSuspended}) {
		t.Errorf("the log has %v", got)
	}
	// It is opened, its page goes again, and it is opened again.
	if _, err := b.Reopen(page(), "r1"); app.CodeOf(err) != app.Cancelled {
		t.Errorf("got %v", err)
	}
	b.card = approveAll
	if o, err := b.Reopen(t.Context(), "r1"); err != nil || len(o.Approve) != 1 {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestWithoutALogAWaitingRunIsNotOpened(t *testing.T) {
	b := suspended(t, 1)
	b.card = noCard(t)
	b.log.SetFail(failOn(app.RunResumed))
	if _, err := b.Reopen(t.Context(), "r1"); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("got %v", err)
	}
	b.log.SetFail(nil)
	b.card = approveAll
	if o, err := b.Reopen(t.Context(), "r1"); err != nil || len(o.Approve) != 1 {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestARunThatIsDecidedEndsWithItsPage(t *testing.T) {
	b := keeping(t)
	b.card = approveAll
	if _, err := b.Hold(t.Context(), "r1", cancels(1), app.Value(continuation)); err != nil {
		t.Fatal(err)
	}
	if err := b.AbortAll(t.Context(), "closed"); err != nil {
		t.Fatal(err)
	}
	if got := kinds(b.log); got[len(got)-1] != app.RunEnded {
		t.Errorf("the log has %v", got)
	}
	if list, _ := b.Waiting(t.Context()); len(list) != 0 {
		t.Errorf("waits: %+v", list)
	}
}
