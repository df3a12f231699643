//go:build desktoptest

package desktop

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
	"github.com/faustine-ai/countersign/tests/modelserver"
)

func TestAToolOfAnMCPServerAsksAndRuns(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(t.TempDir(), "notes.txt")
	server := modelserver.Start(t, func(asked modelserver.Asked) modelserver.Said {
		if len(asked.Outputs()) == 0 {
			return modelserver.Said{Code: "return await sdk.notes.add_note({ text: 'buy ink' })"}
		}
		return modelserver.Said{Text: "It is noted."}
	})
	d := atModel(t, server, "compatible", map[string]any{"mcp": []any{map[string]any{
		"name": "notes", "command": self, "env": map[string]any{serveMCP: "1", "NOTES": notes},
	}}})
	// The tool is on the list once its server has started; the next request tells the model.
	desk.Eventually(t, "the server has started", func() bool {
		return strings.Contains(strings.Join(d.OverTheBridge(`{op: 'functions', args: {}}`), ""), "notes.add_note")
	})
	d.Types("Note that I need ink")
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, "It is noted.")
	if content, err := os.ReadFile(notes); err != nil || string(content) != "buy ink\n" {
		t.Errorf("the notes are %q, %v", content, err)
	}
	asked := server.Asked()
	if !strings.Contains(asked[0].System, "add_note(") || !strings.Contains(asked[1].Outputs()[0], "noted") {
		t.Errorf("the model read %q", asked[1].Outputs())
	}
	d.Close()
}

func TestAHostThatIsNotAllowedAsksAndThisComputerIsNeverReached(t *testing.T) {
	reached := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer inside.Close()
	server := modelserver.Start(t, thenSays(`
const tried = []
for (const url of ['https://not-allowed.example/', '`+inside.URL+`/secret']) {
  try { await sdk.web.fetch({ url }); tried.push(url) } catch (error) { tried.push(error.name + ': ' + error.message) }
}
return tried`, "Neither was reached."))
	d := atModel(t, server, "compatible", map[string]any{"hosts": []string{"example.org"}})
	d.Types("Fetch both")
	d.Button("Run 2 selected")
	boxes, _ := d.Rows()
	d.Click(boxes[0])
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, "Neither was reached.")
	output := server.Asked()[1].Outputs()[0]
	if reached != 0 || !strings.Contains(output, "ApprovalRejected") || !strings.Contains(output, "127.0.0.1") {
		t.Errorf("reached %d times; the model reads %s", reached, output)
	}
	d.Close()
}
