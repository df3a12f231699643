package conversations_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/conversations"
)

func TestAMadeFileIsForThisPersonOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "conversations.db")
	s := conversations.Open(t.Context(), path)
	ask(t, s, "conversation.save", saved("a", "A", 0, "one"))
	defer s.Close()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", info.Name(), info.Mode())
		}
	}
}

func TestWhatWasSavedIsThereAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "conversations.db")
	s := conversations.Open(t.Context(), path)
	ask(t, s, "conversation.save", saved("a", "Tidy", 0, "one", "two"))
	ask(t, s, "conversation.save", `{"id":"a","title":"Tidy","from":1,"messages":[{"words":"due","body":{"n":"due"}}],"runs":[{"toolCallId":"t","runId":"r","view":{"v":1}}]}`)
	ask(t, s, "conversation.draft", `{"id":"a","draft":"half"}`)
	ask(t, s, "conversation.leave", `{"left":{"at":"log"}}`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = conversations.Open(t.Context(), path)
	defer s.Close()
	var c conversations.Conversation
	read(t, ask(t, s, "conversation.read", `{"id":"a"}`), &c)
	if c.Title != "Tidy" || c.Draft != "half" || len(c.Messages) != 2 || string(c.Messages[1]) != `{"n":"due"}` ||
		len(c.Runs) != 1 || string(c.Runs[0].View) != `{"v":1}` {
		t.Errorf("it came back as %+v", c)
	}
	if left := ask(t, s, "conversation.left", `{}`); string(left) != `{"at":"log"}` {
		t.Errorf("the place came back as %s", left)
	}
	if of := ask(t, s, "conversation.ofRun", `{"runId":"r"}`); !strings.Contains(string(of), `"id":"a"`) {
		t.Errorf("the run belongs to %s", of)
	}
	if of := ask(t, s, "conversation.ofRun", `{"runId":"other"}`); string(of) != "null" {
		t.Errorf("another run belongs to %s", of)
	}
}

func TestOnlyThePersonsTitleStays(t *testing.T) {
	s := open(t)
	ask(t, s, "conversation.save", saved("a", "First", 0))
	ask(t, s, "conversation.save", saved("a", "Second", 0))
	titles(t, s, "Second")
	ask(t, s, "conversation.rename", `{"id":"a","title":" Mine "}`)
	ask(t, s, "conversation.save", saved("a", "Third", 0))
	titles(t, s, "Mine")
}

func TestTheListBeginsWithTheOneSpokenInLast(t *testing.T) {
	s := open(t)
	for _, id := range []string{"a", "b", "a"} {
		conversations.Tick(s)
		ask(t, s, "conversation.save", saved(id, id, 0))
	}
	var list []conversations.Summary
	if read(t, ask(t, s, "conversation.list", `{}`), &list); len(list) != 2 || list[0].ID != "a" {
		t.Errorf("the list is %+v", list)
	}
}

func TestSearch(t *testing.T) {
	s := open(t)
	ask(t, s, "conversation.save", saved("a", "Rechnungen", 0, "Räume die Rechnungen vom Mai auf", "Done: 12 files moved"))
	ask(t, s, "conversation.save", saved("b", "100% sure", 0, "nothing of note"))
	for text, expected := range map[string]string{
		"rechn":           "a", // words that begin so
		"RAUME":           "a", // case and accents do not matter
		"mai rechnungen":  "a", // every word, in any order
		"files rechnung":  "",  // but in one message
		`100%`:            "b", // a title, as it is written
		`"mai" OR note`:   "",  // what is FTS5's syntax is a word like others
		`NEAR(`:           "",
		"files moved":     "a",
		"  ":              "",
		"100_":            "",
		"rechnungen* -ma": "a",
	} {
		var found []conversations.Summary
		args, _ := json.Marshal(map[string]string{"text": text})
		read(t, ask(t, s, "conversation.search", string(args)), &found)
		var ids []string
		for _, c := range found {
			ids = append(ids, c.ID)
		}
		if strings.Join(ids, " ") != expected {
			t.Errorf("%q found %q, expected %q", text, ids, expected)
		}
	}
	var found []conversations.Summary
	read(t, ask(t, s, "conversation.search", `{"text":"moved"}`), &found)
	if found[0].Excerpt != "Done: 12 files \x02moved\x03" {
		t.Errorf("the excerpt is %q", found[0].Excerpt)
	}
}

func TestADeletedConversationIsGoneForGood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "conversations.db")
	s := conversations.Open(t.Context(), path)
	ask(t, s, "conversation.save", saved("a", "Kept", 0, "stays"))
	ask(t, s, "conversation.save", saved("b", "Zanzibar", 0, "the word quagmire"))
	ask(t, s, "conversation.delete", `{"id":"b"}`)
	titles(t, s, "Kept")
	for op, args := range map[string]string{
		"conversation.read": `{"id":"b"}`, "conversation.rename": `{"id":"b","title":"x"}`,
		"conversation.save": saved("b", "x", 0, "late words"), "conversation.delete": `{"id":"b"}`,
	} {
		if _, err := do(t, s, op, args); app.CodeOf(err) != conversations.NotFound {
			t.Errorf("%s of it: %v", op, err)
		}
	}
	var found []conversations.Summary
	if read(t, ask(t, s, "conversation.search", `{"text":"quagmire"}`), &found); len(found) > 0 {
		t.Errorf("a search still finds %v", found)
	}
	ask(t, s, "conversation.restore", `{"id":"b"}`)
	titles(t, s, "Kept", "Zanzibar")
	ask(t, s, "conversation.delete", `{"id":"b"}`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"quagmire", "Zanzibar"} {
			if bytes.Contains(content, []byte(word)) {
				t.Errorf("%s still has %q", filepath.Base(file), word)
			}
		}
	}
	s = conversations.Open(t.Context(), path)
	defer s.Close()
	if _, err := do(t, s, "conversation.restore", `{"id":"b"}`); app.CodeOf(err) != conversations.NotFound {
		t.Errorf("restore after a restart: %v", err)
	}
}

func TestWhatCannotBeSavedChangesNothing(t *testing.T) {
	s := open(t)
	ask(t, s, "conversation.save", saved("a", "A", 0, "one"))
	for name, args := range map[string]string{
		"a gap":            saved("a", "A", 3, "four"),
		"a bad id":         saved("../a", "A", 0, "one"),
		"no body":          `{"id":"a","title":"A","from":0,"messages":[{"words":"x"}],"runs":[]}`,
		"an unknown part":  `{"id":"a","title":"A","from":0,"messages":[],"runs":[],"more":1}`,
		"a run without id": `{"id":"a","title":"A","from":0,"messages":[],"runs":[{"toolCallId":"","runId":"","view":1}]}`,
	} {
		if _, err := do(t, s, "conversation.save", args); app.CodeOf(err) != app.BadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	var c conversations.Conversation
	if read(t, ask(t, s, "conversation.read", `{"id":"a"}`), &c); len(c.Messages) != 1 {
		t.Errorf("the conversation is now %+v", c)
	}
}

func TestAFileThatCannotBeUsedIsLeftAsItIs(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"it is no database": func(t *testing.T, path string) {
			if err := os.WriteFile(path, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"it is newer": func(t *testing.T, path string) {
			conversations.Open(t.Context(), path).Close()
			db, err := sql.Open("sqlite3", path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`); err != nil {
				t.Fatal(err)
			}
			db.Close()
		},
		"it is a folder": func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "conversations.db")
			spoil(t, path)
			before, _ := os.ReadFile(path)
			s := conversations.Open(t.Context(), path)
			_, err := do(t, s, "conversation.list", `{}`)
			if app.CodeOf(err) != conversations.Unusable || !strings.Contains(err.Error(), path) {
				t.Errorf("it answered %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func open(t *testing.T) *conversations.Store {
	s := conversations.Open(t.Context(), filepath.Join(t.TempDir(), "conversations.db"))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func saved(id, title string, from int, words ...string) string {
	change := conversations.Saved{ID: id, Title: title, From: from, Messages: []conversations.Message{}, Runs: []conversations.Run{}}
	for _, w := range words {
		change.Messages = append(change.Messages, conversations.Message{Words: w, Body: json.RawMessage(fmt.Sprintf("{\"n\":%q}", w))})
	}
	text, _ := json.Marshal(change)
	return string(text)
}

func do(t *testing.T, s *conversations.Store, name, args string) (json.RawMessage, error) {
	t.Helper()
	ops := s.Operations()
	at := slices.IndexFunc(ops, func(o app.Operation) bool { return o.Name == name })
	if at < 0 {
		t.Fatalf("there is no operation %s", name)
	}
	answer, err := ops[at].Do(context.Background(), json.RawMessage(args))
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return text, nil
}

func ask(t *testing.T, s *conversations.Store, name, args string) json.RawMessage {
	t.Helper()
	answer, err := do(t, s, name, args)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return answer
}

func read(t *testing.T, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func titles(t *testing.T, s *conversations.Store, expected ...string) {
	t.Helper()
	var list []conversations.Summary
	read(t, ask(t, s, "conversation.list", `{}`), &list)
	var have []string
	for _, c := range list {
		have = append(have, c.Title)
	}
	slices.Sort(have)
	slices.Sort(expected)
	if !slices.Equal(have, expected) {
		t.Errorf("the titles are %q, expected %q", have, expected)
	}
}
