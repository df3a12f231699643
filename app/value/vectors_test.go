package value_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

type vectors struct {
	Values []struct {
		Name, Text string
		SHA256     app.Digest
	}
	Canonicalised []struct{ Name, Text, Canonical string }
	Refused       []struct{ Name, Text, Why string }
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	text, err := os.ReadFile("../../tests/vectors/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Values) == 0 || len(v.Canonicalised) == 0 || len(v.Refused) == 0 {
		t.Fatal("a list of the vectors is empty")
	}
	return v
}

func TestSharedVectors(t *testing.T) {
	all := readVectors(t)
	for _, v := range all.Values {
		t.Run("value/"+v.Name, func(t *testing.T) {
			got, err := value.Parse([]byte(v.Text), "input")
			if err != nil {
				t.Fatal(err)
			}
			if got.Digest() != v.SHA256 {
				t.Errorf("digest %s, want %s", got.Digest(), v.SHA256)
			}
		})
	}
	for _, v := range all.Canonicalised {
		t.Run("canonicalised/"+v.Name, func(t *testing.T) {
			got, err := value.Canonical([]byte(v.Text), "input")
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != v.Canonical {
				t.Errorf("got %s, want %s", got, v.Canonical)
			}
			if _, err := value.Parse([]byte(v.Text), "input"); app.CodeOf(err) != app.InvalidInput {
				t.Errorf("Parse took text that is not canonical: %v", err)
			}
		})
	}
	for _, v := range all.Refused {
		t.Run("refused/"+v.Name, func(t *testing.T) {
			got, err := value.Canonical([]byte(v.Text), "input")
			if app.CodeOf(err) != app.InvalidInput {
				t.Errorf("got %s and error %v, want InvalidInput because of %s", got, err, v.Why)
			}
		})
	}
}
