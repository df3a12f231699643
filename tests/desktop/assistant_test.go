//go:build desktoptest

package desktop

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/tests/desk"
	"github.com/faustine-ai/countersign/tests/modelserver"
)

// atModel is a desk whose settings name the scripted server as the model, in the
// format of a provider. more are further settings, as members of the file.
func atModel(t *testing.T, server *modelserver.Server, provider string, more map[string]any) *desk.Desk {
	t.Helper()
	d := desk.At(t, t.TempDir(), "COUNTERSIGN_API_KEY_"+strings.ToUpper(provider)+"=a-test-key")
	settings := map[string]any{"model": map[string]any{"provider": provider, "baseURL": server.Address + "/v1", "name": "scripted"}}
	for name, value := range more {
		settings[name] = value
	}
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(d.Dir, "config", "countersign")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "settings.jsonc"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	d.Start()
	return d
}

// folderOf makes a folder with files, and the settings that let programs write there.
func folderOf(t *testing.T, files map[string]string) (path string, settings map[string]any) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "Desk")
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(path, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path, map[string]any{"folders": []any{map[string]any{"path": path, "name": "Desk", "write": true}}}
}

// answered waits until the page shows a text and nothing goes on.
func answered(t *testing.T, d *desk.Desk, text string) {
	t.Helper()
	desk.Eventually(t, "the page says “"+text+"”", func() bool {
		return strings.Contains(d.Text(), text) && string(d.Do("eval", "return !document.querySelector('.ask .stop')")) == "true"
	})
}

// runs script in the page and reads what it gives.
func inPage[T any](t *testing.T, d *desk.Desk, script string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(d.Do("eval", script), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// thenSays writes a program for the first request, and says a text once it has run.
func thenSays(code, text string) modelserver.Script {
	return func(asked modelserver.Asked) modelserver.Said {
		if len(asked.Outputs()) == 0 {
			return modelserver.Said{Text: "Let me see.", Code: code}
		}
		return modelserver.Said{Text: text}
	}
}

func TestEachProvidersFormatIsSpokenOverTheWholePath(t *testing.T) {
	for provider, path := range map[string]string{"anthropic": "/v1/messages", "openai": "/v1/responses", "compatible": "/v1/chat/completions"} {
		t.Run(provider, func(t *testing.T) {
			server := modelserver.Start(t, thenSays("return (await sdk.orders.list({ status: 'open' })).length", "That is **all** of them."))
			d := atModel(t, server, provider, nil)
			d.Types("How many orders are open?")
			answered(t, d, "That is all of them.")
			asked := server.Asked()
			if len(asked) != 2 || asked[0].Path != path {
				t.Fatalf("the model was asked %d times, first at %s", len(asked), asked[0].Path)
			}
			if !strings.Contains(asked[0].System, "declare const sdk") || !strings.Contains(asked[1].Outputs()[0], `"status":"ok"`) {
				t.Errorf("it was told %.200q and then %q", asked[0].System, asked[1].Outputs())
			}
			key := asked[0].Header.Get("Authorization") + asked[0].Header.Get("X-Api-Key")
			if !strings.Contains(key, "a-test-key") || asked[0].Header.Get("X-Countersign-Secret") != "" {
				t.Errorf("the model’s server got the headers %v", asked[0].Header)
			}
			if page := inPage[string](t, d, "return document.documentElement.outerHTML"); strings.Contains(page, "a-test-key") {
				t.Error("the page knows the key")
			}
			d.Close()
		})
	}
}

func TestFilesAreTidiedAfterApprovalAndARejectedRowStays(t *testing.T) {
	path, settings := folderOf(t, map[string]string{"a.txt": "one", "b.txt": "two", "keep.md": "three"})
	server := modelserver.Start(t, thenSays(`
const { entries } = await sdk.files.list({ path: 'Desk', glob: '*.txt' })
const moved = [], refused = []
for (const { path } of entries) {
  try { await sdk.files.move({ from: path, to: path.replace('Desk/', 'Desk/texts-') }); moved.push(path) }
  catch (error) { refused.push(path + ': ' + error.message) }
}
return { moved, refused }`, "Tidied what you allowed."))
	d := atModel(t, server, "compatible", settings)
	d.Types("Tidy my texts")
	d.Button("Run 2 selected")
	boxes, _ := d.Rows()
	d.Click(boxes[1])
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, "Tidied what you allowed.")
	for name, there := range map[string]bool{"texts-a.txt": true, "a.txt": false, "b.txt": true, "texts-b.txt": false, "keep.md": true} {
		if _, err := os.Stat(filepath.Join(path, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	output := server.Asked()[1].Outputs()[0]
	if !strings.Contains(output, "Desk/a.txt") || !strings.Contains(output, "rejected") {
		t.Errorf("the model reads %s", output)
	}
	if text := d.Text(); !strings.Contains(text, "Done, 1 call rejected") {
		t.Errorf("the page shows %s", text)
	}

	// The run’s entries are one press away, and its program can be run again, which asks anew.
	d.Do("eval", "document.querySelector('.run button[aria-label=\"Run again\"]').click()")
	d.Button("Run 2 selected") // the file that stayed, and the one that has another name now
	d.Click(d.Button("Reject all"))
	desk.Eventually(t, "the second run is shown", func() bool { return strings.Contains(d.Text(), "Run 2: Done, 2 calls rejected") })
	if n := len(server.Asked()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
	d.Do("eval", "document.querySelector('.run button[aria-label=\"Show in the log\"]').click()")
	desk.Eventually(t, "the log is shown", func() bool {
		return string(d.Do("eval", "return document.querySelector('.way[aria-current]')?.textContent ?? ''")) == `"Log"`
	})
	d.Close()
}

func TestAQuestionToASQLiteFileIsAnsweredWithoutACard(t *testing.T) {
	_, settings := folderOf(t, map[string]string{"readme.md": "x"})
	server := modelserver.Start(t, func(asked modelserver.Asked) modelserver.Said {
		switch len(asked.Outputs()) {
		case 0:
			return modelserver.Said{Code: "await sdk.database.execute({ file: 'Desk/shop.db', create: true, sql: \"CREATE TABLE item (name TEXT, price REAL); INSERT INTO item VALUES ('pen', 1.5), ('ink', 7), ('desk', 240)\" })"}
		case 1:
			return modelserver.Said{Code: "return (await sdk.database.query({ file: 'Desk/shop.db', sql: 'SELECT name, price FROM item WHERE price > ? ORDER BY price', parameters: [2] })).rows"}
		}
		return modelserver.Said{Text: "Two are dearer than two."}
	})
	d := atModel(t, server, "compatible", settings)
	d.Types("What is dearer than two?")
	d.Click(d.Button("Run 1 selected")) // making the file asks; the query does not
	answered(t, d, "Two are dearer than two.")
	// Two programs in one turn; the rows of the second are a table that sorts.
	shown := inPage[[]string](t, d, `
	  const table = document.querySelector('.value-table')
	  const rows = () => [...table.querySelectorAll('tbody tr')].map((row) => row.innerText.trim().split(/\s+/).join(' '))
	  table.querySelector('th button').click()
	  await new Promise((resolve) => setTimeout(resolve, 200))
	  return rows()`)
	if strings.Join(shown, ", ") != "desk 240, ink 7" {
		t.Errorf("sorted by name the table shows %q", shown)
	}
	if programs := inPage[int](t, d, "return document.querySelectorAll('.reply .run').length"); programs != 2 {
		t.Errorf("%d programs are shown in one answer", programs)
	}
	d.Close()
}

func TestAStoppedRunIsToldAndTheNextRequestWorks(t *testing.T) {
	server := modelserver.Start(t, func(asked modelserver.Asked) modelserver.Said {
		if strings.Contains(asked.Last().Text, "for ever") {
			return modelserver.Said{Code: "console.log('begun'); await new Promise(() => {})"}
		}
		return modelserver.Said{Text: "I am here."}
	})
	d := atModel(t, server, "compatible", nil)
	d.Types("Wait for ever")
	desk.Eventually(t, "the program runs", func() bool {
		return string(d.Do("eval", "return !!document.querySelector('.run-running .logs')")) == "true"
	})
	d.Keys("ctrl+period")
	desk.Eventually(t, "the page says that it was stopped", func() bool { return strings.Contains(d.Text(), "Stopped") })
	d.Types("Are you there?")
	answered(t, d, "I am here.")
	if output := server.Asked()[1].Messages; !strings.Contains(fmt.Sprint(output), "Stopped by the person") {
		t.Errorf("the model reads %v", output)
	}
	d.Close()
}

func TestAStoppedAnswerIsGivenUpAtTheServerAndStaysReadable(t *testing.T) {
	server := modelserver.Start(t, func(modelserver.Asked) modelserver.Said {
		return modelserver.Said{Text: "Once upon a time there was a machine that never came to an end.", Hold: true}
	})
	d := atModel(t, server, "anthropic", nil)
	d.Types("Tell me a story")
	desk.Eventually(t, "the answer streams", func() bool { return strings.Contains(d.Text(), "Once upon") })
	d.Keys("ctrl+period")
	desk.Eventually(t, "the server is let go", func() bool { return server.GivenUp() == 1 })
	answered(t, d, "Once upon")
	d.Close()
}

func TestABrokenModelIsExplainedAndTriedAgain(t *testing.T) {
	for name, broken := range map[string]struct {
		first modelserver.Said
		says  string // in the sentence for the person
	}{
		"the key is refused":    {modelserver.Said{Status: 401, Text: "invalid x-api-key"}, "key"},
		"too many requests":     {modelserver.Said{Status: 429, Text: "slow down"}, "slow down"},
		"the server fails":      {modelserver.Said{Status: 503, Text: "overloaded"}, "overloaded"},
		"the stream is dropped": {modelserver.Said{Text: strings.Repeat("This is cut in the middle. ", 20), Drop: true}, "No answer\nThe connection to the server at "},
	} {
		t.Run(name, func(t *testing.T) {
			mended := false
			server := modelserver.Start(t, func(modelserver.Asked) modelserver.Said {
				if mended {
					return modelserver.Said{Text: "Here I am again."}
				}
				return broken.first
			})
			d := atModel(t, server, "compatible", nil)
			d.TimeoutMs = 60_000
			d.Types("Hello")
			var said string
			desk.Eventually(t, "the page explains it", func() bool {
				said = inPage[string](t, d, "return document.querySelector('.notice-error:not(.programs-off)')?.innerText ?? ''")
				return said != ""
			})
			if !strings.Contains(said, "No answer") || !strings.Contains(said, broken.says) {
				t.Errorf("it says %q", said)
			}
			mended = true
			d.Do("eval", "document.querySelector('.notice-error:not(.programs-off) button').click()")
			answered(t, d, "Here I am again.")
			d.Close()
		})
	}
}

func TestAConversationGoesOnWhereItWasLeft(t *testing.T) {
	server := modelserver.Start(t, func(asked modelserver.Asked) modelserver.Said {
		switch {
		case len(asked.Outputs()) > 0:
			return modelserver.Said{Text: "The result was noted."}
		case strings.Contains(asked.Last().Text, "open"):
			return modelserver.Said{Code: "return { open: (await sdk.orders.list({ status: 'open' })).length > 0 }"}
		}
		return modelserver.Said{Text: fmt.Sprintf("I remember %d messages.", len(asked.Messages)-1)}
	})
	d := atModel(t, server, "compatible", nil)
	d.Types("Are orders open?")
	answered(t, d, "The result was noted.")
	d.Xdotool("type", "--delay", "4", "half a thought")
	desk.Eventually(t, "the draft is kept", func() bool {
		content, err := os.ReadFile(d.DataFile("conversations.db-wal"))
		return err == nil && strings.Contains(string(content), "half a thought")
	})
	d.Kill()
	d.Start()
	var shown map[string]any
	desk.Eventually(t, "the conversation is there again, with its run and its draft", func() bool {
		shown = inPage[map[string]any](t, d, `return {
		  text: document.body.innerText,
		  program: document.querySelector('.run .program')?.innerText ?? '',
		  result: document.querySelector('.run .value-boxed')?.innerText ?? '',
		  calls: document.querySelectorAll('.run .call-ok').length,
		  draft: document.querySelector('#request')?.value ?? '' }`)
		return strings.Contains(shown["text"].(string), "The result was noted.") && strings.Contains(shown["program"].(string), "orders.list") &&
			desk.Compact(shown["result"].(string)) == "{open:true}" && shown["calls"] == 1.0 && shown["draft"] == "half a thought"
	}, func() string { return fmt.Sprint(shown) })
	if n := len(server.Asked()); n != 2 {
		t.Errorf("the model was asked %d times: once by itself", n)
	}
	d.Focuses()
	d.Keys("ctrl+a", "Delete")
	d.Types("What do you remember?")
	answered(t, d, "I remember 4 messages.")
	d.Close()
}

func TestWhatWaitedGoesOnInItsConversationAndTheModelHearsOfIt(t *testing.T) {
	path, settings := folderOf(t, map[string]string{"a.txt": "one"})
	server := modelserver.Start(t, thenSays("await sdk.files.move({ from: 'Desk/a.txt', to: 'Desk/b.txt' }); return 'moved'", "It has moved."))
	d := atModel(t, server, "compatible", settings)
	d.Types("Move it")
	d.Button("Run 1 selected")
	d.Kill()
	d.Start()
	desk.Eventually(t, "it waits, and is shown where it was asked", func() bool {
		text := d.Text()
		return strings.Contains(text, "Waiting for you") && strings.Contains(text, "Interrupted")
	})
	press(d, ".waiting-buttons .send")
	d.Click(d.Button("Run 1 selected"))
	answered(t, d, "It has moved.")
	if _, err := os.Stat(filepath.Join(path, "b.txt")); err != nil {
		t.Error(err)
	}
	if asked := server.Asked(); len(asked) != 2 || !strings.Contains(asked[1].Outputs()[0], "moved") {
		t.Errorf("the model was asked %+v", asked)
	}
	d.Close()
}

func TestTheModeOfApprovalIsTheSettings(t *testing.T) {
	program := `
const moved = []
for (const name of ['a', 'b']) {
  try { moved.push((await sdk.files.move({ from: 'Desk/' + name + '.txt', to: 'Desk/' + name + '.md' })) ? name : '') }
  catch (error) { moved.push(error.name) }
}
return moved`
	t.Run("each: a card for every call, in turn", func(t *testing.T) {
		path, settings := folderOf(t, map[string]string{"a.txt": "one", "b.txt": "two"})
		settings["approval"] = "each"
		server := modelserver.Start(t, thenSays(program, "So be it."))
		d := atModel(t, server, "compatible", settings)
		d.Types("Rename them")
		d.Click(d.Button("Run 1 selected"))
		desk.Eventually(t, "the first has run before the second is asked", func() bool {
			_, err := os.Stat(filepath.Join(path, "a.md"))
			return err == nil
		})
		d.Click(d.Button("Reject all"))
		answered(t, d, "So be it.")
		if output := server.Asked()[1].Outputs()[0]; !strings.Contains(desk.Compact(output), "[a,ApprovalRejected]") {
			t.Errorf("the model reads %s", output)
		}
		d.Close()
	})
	t.Run("never: nobody is asked, and nothing runs", func(t *testing.T) {
		path, settings := folderOf(t, map[string]string{"a.txt": "one", "b.txt": "two"})
		settings["approval"] = "never"
		server := modelserver.Start(t, thenSays(program, "Not allowed."))
		d := atModel(t, server, "compatible", settings)
		d.Types("Rename them")
		answered(t, d, "Not allowed.")
		if _, err := os.Stat(filepath.Join(path, "a.txt")); err != nil {
			t.Error(err)
		}
		if output := server.Asked()[1].Outputs()[0]; strings.Count(output, "ApprovalRejected") < 2 {
			t.Errorf("the model reads %s", output)
		}
		d.Close()
	})
}

func TestConversationsAreFoundRenamedDeletedAndTheLogStays(t *testing.T) {
	server := modelserver.Start(t, thenSays("return (await sdk.orders.get({ id: 1041 })).id", "It is order **1041**, a teapot."))
	d := atModel(t, server, "compatible", nil)
	d.Types("Which order was the teapot?")
	answered(t, d, "a teapot")
	before := len(d.Calls())
	d.Keys("ctrl+n")
	desk.Eventually(t, "a new conversation is there", func() bool { return strings.Contains(d.Text(), "What should be done?") })
	d.Keys("ctrl+k")
	desk.Eventually(t, "the search has the focus", func() bool {
		return string(d.Do("eval", "return document.activeElement?.matches('.side-search input')")) == "true"
	})
	d.Xdotool("type", "--delay", "4", "teapo")
	desk.Eventually(t, "the search finds it in the answer", func() bool {
		return string(d.Do("eval", "return document.querySelector('.side-excerpt mark')?.textContent")) == `"teapot"`
	})
	d.Do("eval", "document.querySelector('button[aria-label^=Delete]').click()")
	desk.Eventually(t, "it has gone", func() bool { return strings.Contains(d.Text(), "Deleted “Which order") })
	d.Do("eval", "document.querySelector('.side-undo button').click()")
	desk.Eventually(t, "it is back", func() bool { return strings.Contains(d.Text(), "a teapot") })
	d.Do("eval", "document.querySelector('button[aria-label^=Delete]').click()")
	desk.Eventually(t, "it has gone again", func() bool { return strings.Contains(d.Text(), "Deleted “Which order") })
	d.Close()
	if after := len(d.Calls()); after != before || before == 0 {
		t.Errorf("the log had %d calls and has %d", before, after)
	}
	content, err := os.ReadFile(d.DataFile("conversations.db"))
	if err != nil || strings.Contains(string(content), "teapot") {
		t.Errorf("the file of conversations still has it (%v)", err)
	}
	d.Verifies()
}

func TestHundredsOfCallsAreOnTheCardInAMoment(t *testing.T) {
	_, settings := folderOf(t, map[string]string{"a.txt": "one"})
	server := modelserver.Start(t, thenSays(`
const writes = []
for (let i = 0; i < 256; i++) writes.push(sdk.files.write({ path: 'Desk/' + i + '.txt', text: 'x' }).catch(() => {}))
await Promise.all(writes)`, "None was written."))
	d := atModel(t, server, "compatible", settings)
	before := d.Spent()
	d.Types("Write them")
	desk.Eventually(t, "the card is open", func() bool {
		find := exec.Command("xdotool", "search", "--onlyvisible", "--name", "256 ")
		find.Env = d.Env
		return find.Run() == nil
	})
	spent := d.Spent() - before
	t.Logf("256 calls were on the card after %v of processor time", spent)
	if spent > 12*time.Second { // about two
		t.Errorf("that is too much")
	}
	d.Click(d.Button("Reject all"))
	answered(t, d, "None was written.")
	if shown := inPage[int](t, d, "return document.querySelectorAll('.run .call').length"); shown != 25 {
		t.Errorf("%d calls are drawn before the person asks for all", shown)
	}
	d.Close()
}
