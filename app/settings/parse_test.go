package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAMistakeIsToldWithItsPlaceAndWhatWasExpected(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		line, column int
		says         string
	}{
		{"an open brace", "{\n  \"theme\": \"dark\"", 2, 18, "ends too early"},
		{"no comma", "{\n  \"theme\": \"dark\"\n  \"hosts\": []\n}", 3, 3, "invalid character"},
		{"a list", "[]", 1, 1, "expected an object in { }, got a list"},
		{"an unknown name", "{\n\t\"folder\": []\n}", 2, 2, `there is no setting "folder"; did you mean "folders"?`},
		{"a far-off name", `{"zzzzzzzzzzzz": 1}`, 1, 2, `expected model, folders, hosts`},
		{"case", `{"Theme": "dark"}`, 1, 2, `did you mean "theme"?`},
		{"an unknown name inside", "{\"model\": {\n\"provider\": \"openai\", \"nmae\": \"x\"}}", 2, 23, `did you mean "name"?`},
		{"twice", "{\"theme\": \"dark\",\n \"theme\": \"light\"}", 2, 2, "stands here twice"},
		{"after letters of more bytes", `{/* ünï */ "theme": "blue"}`, 1, 21, `expected "system", "light" or "dark", got "blue"`},
		{"a number for a text", `{"theme": 3}`, 1, 11, "expected a text in quotes, got 3"},
		{"a hidden letter", `{"hosts": ["exam\u202eple.com"]}`, 1, 12, "visible characters"},
		{"not UTF-8", "{\"hosts\": [\"\xff\"]}", 1, 13, "expected UTF-8, got the byte 0xff"},
		{"a mark", "\ufeff{}", 1, 1, "byte order mark"},
		{"no address", `{"model": {"provider": "compatible", "name": "x"}}`, 1, 24, "needs the address"},
		{"an address for nobody", `{"model": {"baseURL": "https://x.example"}}`, 1, 23, "the offline model has no address"},
		{"an unknown provider", `{"model": {"provider": "claude", "name": "x"}}`, 1, 24, `expected "offline", "anthropic", "openai" or "compatible", got "claude"`},
		{"plain http far away", `{"model": {"provider": "openai", "name": "x", "baseURL": "http://example.com/v1"}}`, 1, 58, "use https"},
		{"another scheme", `{"model": {"provider": "openai", "name": "x", "baseURL": "ftp://example.com/v1"}}`, 1, 58, "expected https"},
		{"no host", `{"model": {"provider": "openai", "name": "x", "baseURL": "example.com/v1"}}`, 1, 58, "such as https://example.com/v1"},
		{"a password in the address", `{"model": {"provider": "openai", "name": "x", "baseURL": "https://me:pw@example.com/v1"}}`, 1, 58, "without a name and password"},
		{"a query", `{"model": {"provider": "openai", "name": "x", "baseURL": "https://example.com/v1?key=1"}}`, 1, 58, "ends with its path"},
		{"a folder without a path", `{"folders": [{"name": "x"}]}`, 1, 14, "expected a path"},
		{"a folder somewhere", `{"folders": [{"path": "docs"}]}`, 1, 23, "expected a whole path"},
		{"everything", `{"folders": [{"path": "/", "name": "all"}]}`, 1, 23, "everything on the machine"},
		{"a file", `{"folders": [{"path": "/etc/passwd"}]}`, 1, 23, "is a file"},
		{"a folder twice", `{"folders": [{"path": "/nowhere"}, {"path": "/nowhere/", "name": "y"}]}`, 1, 36, `two have the path "/nowhere"`},
		{"a name twice", `{"folders": [{"path": "/nowhere/a"}, {"path": "/elsewhere/a"}]}`, 1, 38, `two have the name "a"`},
		{"a strange folder name", `{"folders": [{"path": "/nowhere", "name": "../x"}]}`, 1, 43, "beginning with a letter or digit"},
		{"write in words", `{"folders": [{"path": "/nowhere", "write": "yes"}]}`, 1, 44, "expected true or false"},
		{"a host with a scheme", `{"hosts": ["https://example.com"]}`, 1, 12, "the name of a host alone"},
		{"a host that is an address", `{"hosts": ["127.0.0.1"]}`, 1, 12, "got the address"},
		{"every host", `{"hosts": ["*"]}`, 1, 12, "is not the name of a host"},
		{"a whole top level", `{"hosts": ["*.com"]}`, 1, 12, "expected a whole name"},
		{"a host twice", `{"hosts": ["a.example.com", "A.example.com"]}`, 1, 29, "stands in the list twice"},
		{"a server without a way", `{"mcp": [{"name": "x"}]}`, 1, 10, "expected a command"},
		{"a server with two", `{"mcp": [{"name": "x", "command": "y", "url": "https://x.example"}]}`, 1, 10, "either command or url"},
		{"a server without a name", `{"mcp": [{"command": "y"}]}`, 1, 10, "expected a name"},
		{"a server with a dotted name", `{"mcp": [{"name": "a.b", "command": "y"}]}`, 1, 19, "beginning with a letter"},
		{"a command from somewhere", `{"mcp": [{"name": "x", "command": "./y"}]}`, 1, 35, "a whole path"},
		{"headers for a command", `{"mcp": [{"name": "x", "command": "y", "headers": {"A": "b"}}]}`, 1, 10, "headers belong to a url"},
		{"args for a url", `{"mcp": [{"name": "x", "url": "https://x.example", "args": ["b"]}]}`, 1, 10, "belong to a command"},
		{"a header over two lines", `{"mcp": [{"name": "x", "url": "https://x.example", "headers": {"A": "b\nc"}}]}`, 1, 69, "on one line"},
		{"a confirmation in words", `{"mcp": [{"name": "x", "command": "y", "readOnlyConfirmed": {"search": "yes"}}]}`, 1, 72, "64 hex digits"},
		{"a limit of nothing", `{"limits": {"calls": 0}}`, 1, 22, "expected a whole number from 1 to 1000000, got 0"},
		{"a limit below", `{"limits": {"calls": -1}}`, 1, 22, "from 1"},
		{"a limit in parts", `{"limits": {"calls": 1.5}}`, 1, 22, "whole number"},
		{"a limit in words", `{"limits": {"calls": "many"}}`, 1, 22, `got "many"`},
		{"a limit too far", `{"limits": {"wallClockMs": 99999999999999}}`, 1, 28, "to 86400000"},
		{"an unknown limit", `{"limits": {"wallclockMs": 1}}`, 1, 13, `did you mean "wallClockMs"?`},
		{"no way of asking", `{"approval": "always"}`, 1, 14, `expected "each", "batch" or "never", got "always"`},
		{"no function", `{"tighten": ["files read"]}`, 1, 14, "the name of a function"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := Parse([]byte(c.text))
			if !wrong(problems) {
				t.Fatal("it passed")
			}
			p := problems[slices.IndexFunc(problems, func(p Problem) bool { return p.Severity == Mistake })]
			if p.Line != c.line || p.Column != c.column || !strings.Contains(p.Text, c.says) {
				t.Errorf("got %d:%d %s; expected %d:%d …%s…", p.Line, p.Column, p.Text, c.line, c.column, c.says)
			}
		})
	}
}

func TestWhatASecretIsStaysOutOfItsMistake(t *testing.T) {
	_, problems := Parse([]byte(`{"mcp": [{"name": "x", "url": "https://x.example", "headers": {"Authorization": "se\u0007cret"}, "env": {"a-b": "secret"}}]}`))
	for _, p := range problems {
		if strings.Contains(p.Text, "cret") {
			t.Error(p.Text)
		}
	}
	if len(problems) == 0 {
		t.Error("it passed")
	}
}

func TestAFileIsReadAsItIsMeant(t *testing.T) {
	s := good(t, `{
		// everything
		"model": {"provider": "compatible", "baseURL": "http://127.0.0.1:11434/v1/", "name": "llama"},
		"folders": [{"path": "/nowhere/Documents/"}],
		"hosts": ["Example.COM", "*.bücher.example"],
		"mcp": [{"name": "wiki", "url": "https://wiki.example/mcp", "headers": {"Authorization": "Bearer x"}}],
		"limits": {"calls": 7},
		"approval": "each",
		"tighten": ["files.*"],
		"theme": "dark",
	}`)
	want := Defaults()
	want.Model = Model{Compatible, "http://127.0.0.1:11434/v1", "llama"}
	want.Folders = []Folder{{"/nowhere/Documents", "Documents", false}}
	want.Hosts = []string{"example.com", "*.xn--bcher-kva.example"}
	want.Servers = []Server{{Name: "wiki", URL: "https://wiki.example/mcp", Headers: map[string]string{"Authorization": "Bearer x"}}}
	want.Limits.Calls = 7
	want.Approval, want.Tighten, want.Theme = Each, []string{"files.*"}, Dark
	if !s.Equal(want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	for name, tightened := range map[string]bool{"files.read": true, "files": false, "filesystem.read": false, "web.fetch": false} {
		if s.Tightened(name) != tightened {
			t.Errorf("%s: tightened is %v", name, !tightened)
		}
	}
}

func TestWhatIsOnlyUnwiseIsAWarning(t *testing.T) {
	for text, says := range map[string]string{
		`{"model": {"provider": "compatible", "baseURL": "http://192.168.1.5/v1", "name": "x"}}`: "not encrypted",
		`{"model": {"provider": "openai"}}`:          "no model is named yet",
		`{"folders": [{"path": "/nowhere/at-all"}]}`: "at the moment",
	} {
		_, problems := Parse([]byte(text))
		if len(problems) != 1 || problems[0].Severity != Warning || !strings.Contains(problems[0].Text, says) {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

func TestNoFunctionGetsTheAppsOwnFolders(t *testing.T) {
	home := t.TempDir()
	own := filepath.Join(home, ".config", "countersign")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(own, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{home, own, filepath.Join(own, "below"), filepath.Join(home, "x", "..", ".config"), link, filepath.Join(link, "below")} {
		if _, problems := Parse([]byte(`{"folders": [{"path": "`+path+`", "name": "x"}]}`), own); !wrong(problems) {
			t.Errorf("%s was let through", path)
		}
	}
	if _, problems := Parse([]byte(`{"folders": [{"path": "`+own+`2", "name": "x"}]}`), own); wrong(problems) {
		t.Errorf("its neighbour: %v", problems)
	}
}
