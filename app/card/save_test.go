package card

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/value"
)

func TestAProposedNameIsABaseNameOfHarmlessCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "call-4-binary-2.bin",
		"invoice.pdf":                     "invoice.pdf",
		"отчёт 2026.txt":                  "отчёт_2026.txt",
		"../../.bashrc":                   "bashrc",
		`..\..\evil.exe`:                  "evil.exe",
		"/etc/passwd":                     "passwd",
		"..":                              "call-4-binary-2.bin",
		"-rf":                             "rf",
		".profile":                        "profile",
		"a\u202Egpj.exe":                  "call-4-binary-2.bin",
		"pаypal.pdf":                      "call-4-binary-2.bin", // Cyrillic а
		"a\nb":                            "call-4-binary-2.bin",
		"$(rm x);`y`|z.txt":               "__rm_x___y__z.txt",
		"???":                             "call-4-binary-2.bin",
		"con.":                            "con",
		strings.Repeat("x", 300) + ".png": strings.Repeat("x", 96) + ".png",
	} {
		if got := saveName(value.Binary{Name: in}, 4, 2); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestSavedBytesAreTheInputsAndThePersonsAlone(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x.bin")
	if err := os.WriteFile(to, bytes.Repeat([]byte{1}, 500), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := save(value.Binary{Bytes: []byte{9, 8, 7}}, to); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(to)
	if err != nil || !bytes.Equal(got, []byte{9, 8, 7}) {
		t.Errorf("got %v, %v", got, err)
	}
	if err := save(value.Binary{}, filepath.Join(to, "below-a-file")); err == nil {
		t.Error("a path that cannot be written was no error")
	}
}
