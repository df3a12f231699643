package operation_test

import (
	"encoding/json"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

func TestArgumentsAreOneObjectOfKnownMembers(t *testing.T) {
	type named struct {
		Name string `json:"name"`
	}
	for raw, want := range map[string]app.Code{
		`{"name":"a"}`:            "",
		`{}`:                      "",
		``:                        app.BadRequest,
		`{"name":1}`:              app.BadRequest,
		`{"name":"a","other":1}`:  app.BadRequest,
		`{"name":"a","name":"b"}`: app.BadRequest,
		`{"name":"\ud800"}`:       app.BadRequest,
		`{"name":"a"} {}`:         app.BadRequest,
	} {
		_, err := operation.Args[named]("test", json.RawMessage(raw))
		var code app.Code
		if err != nil {
			code = app.CodeOf(err)
		}
		if code != want {
			t.Errorf("%q: got %q (%v), want %q", raw, code, err, want)
		}
	}
}
