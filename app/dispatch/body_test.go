package dispatch

import (
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// What a log holds must not depend on how it is written.
func TestABodyIsWrittenAsEncodingJSONWouldWriteIt(t *testing.T) {
	long := value.Bytes(make([]byte, 100_000))
	for _, b := range []app.CallStartedBody{
		{Digest: app.Value(`7`).Digest(), Input: app.Value(`7`)},
		{Digest: long.Digest(), Input: long},
		{Digest: app.Value(`{}`).Digest(), Marked: true},
	} {
		if got, want := startedText(b), marshal(b); string(got) != string(want) {
			t.Errorf("got %.200s, want %.200s", got, want)
		}
	}
	for _, b := range []app.CallSettledBody{
		{Ms: 0.012, Value: app.Value(`{"a":"é","b":[1,null]}`)},
		{Ms: 0, Value: app.Value(`null`)},
		{Ms: 1234.5, Late: true, Value: long},
		{Ms: 3, Error: &app.Reason{Name: "FunctionFailed", Message: "a \"quoted\" thing\n"}},
		{Ms: 0.001, Late: true},
		{Ms: 5e-7, Value: app.Value(`1`)},
	} {
		if got, want := settledText(b), marshal(b); string(got) != string(want) {
			t.Errorf("got %.200s, want %.200s", got, want)
		}
	}
}
