package gate

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestAFunctionWordsItsRowOrTheInputSpeaks(t *testing.T) {
	for name, c := range map[string]struct {
		row  func(context.Context, app.Value) string
		want string
	}{
		"its own words":        {func(_ context.Context, v app.Value) string { return "Order " + string(v) }, "Order 1042"},
		"none":                 {nil, ""},
		"a panic":              {func(context.Context, app.Value) string { panic("a bug") }, ""},
		"an end of its thread": {func(context.Context, app.Value) string { runtime.Goexit(); return "x" }, ""},
		"too many":             {func(context.Context, app.Value) string { return strings.Repeat("x", maxWords+1) }, ""},
		"too slow":             {func(ctx context.Context, _ app.Value) string { <-ctx.Done(); select {} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := words(t.Context(), &app.Function{Row: c.row}, app.Value("1042")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
