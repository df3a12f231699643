package settings

import (
	"strings"
	"testing"
)

func good(t *testing.T, text string) Settings {
	t.Helper()
	s, problems := Parse([]byte(text))
	if wrong(problems) {
		t.Fatalf("%v in\n%s", problems, text)
	}
	return s
}

func TestTheFirstFileSaysTheDefaultsAndStaysAsItIs(t *testing.T) {
	if s := good(t, string(template)); !s.Equal(Defaults()) {
		t.Errorf("the template means %+v", s)
	}
	edited, err := Edit(nil, Defaults())
	if err != nil || string(edited) != string(template) {
		t.Errorf("%v\n%s", err, edited)
	}
}

const commented = `// mine
{
	"folders": [
		// the invoices
		{"path": "/nowhere/invoices"}, // read only on purpose
		{"path": "/nowhere/notes", "name": "notes", "write": true},
	],
	"hosts": [
		"a.example.com", // first
		/* second */ "b.example.com",
	],
	"mcp": [
		// the wiki
		{
			"name": "wiki",
			"url": "https://wiki.example.com/mcp", // inside
			"headers": {"Authorization": "Bearer x"}, // secret
		},
	],
	"limits": {
		"calls": 12, // few
	},
}
`

func TestAChangeOnScreenKeepsCommentsAndTheRest(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Settings)
		gone   []string // lines that may go
		come   []string // texts that must come
	}{
		{"nothing", func(*Settings) {}, nil, nil},
		{"theme", func(s *Settings) { s.Theme = Dark }, nil, []string{`"theme": "dark"`}},
		{"a folder more", func(s *Settings) { s.Folders = append(s.Folders, Folder{"/nowhere/x", "x", true}) }, nil, []string{`"/nowhere/x"`}},
		{"a folder less", func(s *Settings) { s.Folders = s.Folders[1:] }, []string{"the invoices", "read only on purpose"}, nil},
		{"a folder that may be written", func(s *Settings) { s.Folders[0].Write = true }, nil, []string{`"write": true}, // read only on purpose`}},
		{"a folder's name", func(s *Settings) { s.Folders[1].Name = "n2" }, nil, []string{`"n2"`}},
		{"a host between", func(s *Settings) { s.Hosts = []string{"a.example.com", "c.example.com", "b.example.com"} }, nil, []string{`"c.example.com"`}},
		{"a host less", func(s *Settings) { s.Hosts = s.Hosts[:1] }, []string{"second"}, nil},
		{"a server's address", func(s *Settings) { s.Servers[0].URL = "https://other.example.com/mcp" }, nil, []string{`"https://other.example.com/mcp", // inside`}},
		{"a confirmed tool", func(s *Settings) {
			s.Servers[0].ReadOnlyConfirmed = map[string]string{"search": strings.Repeat("0a", 32)}
		}, nil, []string{"readOnlyConfirmed"}},
		{"a limit", func(s *Settings) { s.Limits.Calls = 13 }, nil, []string{`"calls": 13, // few`}},
		{"another limit", func(s *Settings) { s.Limits.LogLines = 13 }, nil, []string{`"logLines": 13`}},
		{"a model", func(s *Settings) { s.Model = Model{OpenAI, "", "m"} }, nil, []string{`"provider":`}},
		{"strict", func(s *Settings) { s.Approval, s.Tighten = Never, []string{"*"} }, nil, []string{`"never"`, `["*"]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := good(t, commented)
			c.change(&s)
			edited, err := Edit([]byte(commented), s)
			if err != nil {
				t.Fatal(err)
			}
			for _, comment := range []string{"mine", "the invoices", "read only on purpose", "first", "second", "the wiki", "inside", "secret", "few"} {
				if !strings.Contains(string(edited), comment) && !strings.Contains(strings.Join(c.gone, " "), comment) {
					t.Errorf("the comment %q is gone", comment)
				}
			}
			for _, text := range c.come {
				if !strings.Contains(string(edited), text) {
					t.Errorf("%s is not there", text)
				}
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("\n%s", edited)
			}
			if c.name == "nothing" && string(edited) != commented {
				t.Error("a change of nothing changed the file")
			}
		})
	}
}
