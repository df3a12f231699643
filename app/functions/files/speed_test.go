package files_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

// A folder of a thousand files, looked at in the ways that programs do.
func BenchmarkAThousandFiles(bench *testing.B) {
	for _, c := range []struct{ fn, input string }{
		{"list", `{"path":"Docs"}`}, {"list", `{"glob":"**/*.txt","path":"Docs"}`}, {"search", `{"path":"Docs","text":"needle"}`}, {"read", `{"path":"Docs/file0001.txt"}`}, {"stat", `{"path":"Docs/file0001.txt"}`},
	} {
		bench.Run(c.fn, func(bench *testing.B) {
			b := newBench(bench)
			for i := range 1000 {
				b.make(bench, fmt.Sprintf("Docs/file%04d.txt=%s", i, strings.Repeat("hay ", 250)))
			}
			f, _ := b.Find("files." + c.fn)
			for bench.Loop() {
				if _, err := f.Run(bench.Context(), app.Call{Input: app.Value(c.input)}); err != nil {
					bench.Fatal(err)
				}
			}
		})
	}
}
