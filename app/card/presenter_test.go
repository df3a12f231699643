package card

import (
	"reflect"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestOnlyTheRunButtonApprovesAndOnlyTickedRows(t *testing.T) {
	s := &sheet{Rows: []sheetRow{{CallID: "a"}, {CallID: "b"}, {CallID: "c"}}}
	for _, c := range []struct {
		name    string
		out     outcome
		aborted bool
		want    app.Answer
	}{
		{"run all", outcome{ran, []bool{true, true, true}, "", size{}}, false, app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
		{"run some, with a reason", outcome{ran, []bool{true, false, true}, " too dear ", size{}}, false, app.Answer{Approve: []string{"a", "c"}, Reason: "too dear", By: app.ByUser}},
		{"a press just before the run ended still counts", outcome{ran, []bool{true, false, false}, "", size{}}, true, app.Answer{Approve: []string{"a"}, By: app.ByUser}},
		{"reject ignores ticks", outcome{rejected, []bool{true, true, true}, "no", size{}}, false, app.Answer{Reason: "no", By: app.ByUser}},
		{"closed", outcome{closed, []bool{true, true, true}, "", size{}}, false, app.Answer{By: app.ByClosed}},
		{"closed by the end of the run", outcome{closed, nil, "", size{}}, true, app.Answer{By: app.ByAborted}},
		{"ticks of another card", outcome{ran, []bool{true}, "", size{}}, false, app.Answer{By: app.ByClosed}},
		{"an unknown ending", outcome{ending(9), []bool{true, true, true}, "", size{}}, false, app.Answer{By: app.ByClosed}},
		{"no ending", outcome{}, false, app.Answer{By: app.ByClosed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.out.answer(s, c.aborted); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
