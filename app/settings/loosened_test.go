package settings

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// some is settings with something of everything.
func some() Settings {
	s := Defaults()
	s.Model = Model{Compatible, "http://127.0.0.1:11434/v1", "llama"}
	s.Folders = []Folder{{"/a", "a", false}, {"/b", "b", true}}
	s.Hosts = []string{"a.example.com", "*.b.example.com"}
	s.Servers = []Server{
		{Name: "run", Command: "server", Args: []string{"-x"}, Env: map[string]string{"TOKEN": "s3cret"}, ReadOnlyConfirmed: map[string]string{"search": "1"}},
		{Name: "wiki", URL: "https://wiki.example", Headers: map[string]string{"Authorization": "s3cret"}},
	}
	s.Approval = Each
	s.Tighten = []string{"files.read", "web.*"}
	return s
}

func TestWhatLoosens(t *testing.T) {
	for _, c := range []struct {
		fields string // of Settings, that the case is about
		name   string
		change func(*Settings)
		want   string // field of the loosening; empty: none
	}{
		{"Model.Provider", "another provider", func(s *Settings) { s.Model = Model{OpenAI, "", "m"} }, "model"},
		{"Model.Provider", "no model any more", func(s *Settings) { s.Model = Model{Provider: Offline} }, ""},
		{"Model.BaseURL", "another address", func(s *Settings) { s.Model.BaseURL = "https://other.example/v1" }, "model"},
		{"Model.Name", "another model there", func(s *Settings) { s.Model.Name = "other" }, ""},
		{"Folders.Path", "a folder more", func(s *Settings) { s.Folders = append(s.Folders, Folder{"/c", "c", false}) }, "folders"},
		{"Folders.Path", "another folder of that name", func(s *Settings) { s.Folders[0].Path = "/c" }, "folders"},
		{"Folders.Path", "a folder less", func(s *Settings) { s.Folders = s.Folders[:1] }, ""},
		{"Folders.Name", "another name", func(s *Settings) { s.Folders[0].Name = "z" }, ""},
		{"Folders.Write", "writing", func(s *Settings) { s.Folders[0].Write = true }, "folders"},
		{"Folders.Write", "no writing", func(s *Settings) { s.Folders[1].Write = false }, ""},
		{"Hosts", "a host more", func(s *Settings) { s.Hosts = append(s.Hosts, "c.example.com") }, "hosts"},
		{"Hosts", "a host that was allowed by a pattern", func(s *Settings) { s.Hosts = append(s.Hosts, "x.b.example.com", "*.y.b.example.com") }, ""},
		{"Hosts", "the host above a pattern", func(s *Settings) { s.Hosts = append(s.Hosts, "b.example.com") }, "hosts"},
		{"Hosts", "a wider pattern", func(s *Settings) { s.Hosts = append(s.Hosts, "*.example.com") }, "hosts"},
		{"Hosts", "a host less", func(s *Settings) { s.Hosts = s.Hosts[:1] }, ""},
		{"Servers.Name", "a server more", func(s *Settings) { s.Servers = append(s.Servers, Server{Name: "n", Command: "c"}) }, "mcp"},
		{"Servers.Name", "a server less", func(s *Settings) { s.Servers = s.Servers[:1] }, ""},
		{"Servers.Command", "another command", func(s *Settings) { s.Servers[0].Command = "other" }, "mcp"},
		{"Servers.Args", "another argument", func(s *Settings) { s.Servers[0].Args = []string{"-y"} }, "mcp"},
		{"Servers.Env", "another value", func(s *Settings) { s.Servers[0].Env = map[string]string{"TOKEN": "0ther"} }, "mcp"},
		{"Servers.URL", "another address", func(s *Settings) { s.Servers[1].URL = "https://other.example" }, "mcp"},
		{"Servers.Headers", "another header", func(s *Settings) { s.Servers[1].Headers = map[string]string{"X": "s3cret"} }, "mcp"},
		{"Servers.ReadOnlyConfirmed", "a tool more", func(s *Settings) { s.Servers[1].ReadOnlyConfirmed = map[string]string{"get": "1"} }, "mcp.readOnlyConfirmed"},
		{"Servers.ReadOnlyConfirmed", "another definition", func(s *Settings) { s.Servers[0].ReadOnlyConfirmed = map[string]string{"search": "2"} }, "mcp.readOnlyConfirmed"},
		{"Servers.ReadOnlyConfirmed", "a tool less", func(s *Settings) { s.Servers[0].ReadOnlyConfirmed = nil }, ""},
		{"Limits.WallClockMs", "more", func(s *Settings) { s.Limits.WallClockMs++ }, "limits.wallClockMs"},
		{"Limits.BusyMs", "more", func(s *Settings) { s.Limits.BusyMs++ }, "limits.busyMs"},
		{"Limits.Calls", "more", func(s *Settings) { s.Limits.Calls++ }, "limits.calls"},
		{"Limits.Calls", "fewer", func(s *Settings) { s.Limits.Calls-- }, ""},
		{"Limits.InFlight", "more", func(s *Settings) { s.Limits.InFlight++ }, "limits.inFlight"},
		{"Limits.SourceBytes", "more", func(s *Settings) { s.Limits.SourceBytes++ }, "limits.sourceBytes"},
		{"Limits.InputBytes", "more", func(s *Settings) { s.Limits.InputBytes++ }, "limits.inputBytes"},
		{"Limits.OutputBytes", "more", func(s *Settings) { s.Limits.OutputBytes++ }, "limits.outputBytes"},
		{"Limits.LogLines", "more", func(s *Settings) { s.Limits.LogLines++ }, "limits.logLines"},
		{"Limits.LogBytes", "more", func(s *Settings) { s.Limits.LogBytes++ }, "limits.logBytes"},
		{"Approval", "once for all", func(s *Settings) { s.Approval = Batch }, "approval"},
		{"Approval", "never", func(s *Settings) { s.Approval = Never }, ""},
		{"Tighten", "one less", func(s *Settings) { s.Tighten = s.Tighten[1:] }, "tighten"},
		{"Tighten", "its family in its place", func(s *Settings) { s.Tighten = []string{"files.*", "web.*"} }, ""},
		{"Tighten", "one of the family in its place", func(s *Settings) { s.Tighten = []string{"files.read", "web.fetch"} }, "tighten"},
		{"Tighten", "everything", func(s *Settings) { s.Tighten = []string{"*"} }, ""},
		{"Theme", "dark", func(s *Settings) { s.Theme = Dark }, ""},
	} {
		t.Run(c.fields+" "+c.name, func(t *testing.T) {
			before, after := some(), some()
			c.change(&after)
			if before.Equal(after) {
				t.Error("the change is not seen at all")
			}
			got := Loosened(before, after)
			var fields []string
			for _, change := range got {
				fields = append(fields, change.Field)
				text, err := json.Marshal(change)
				if err != nil || strings.Contains(string(text), "s3cret") || strings.Contains(string(text), "0ther") {
					t.Errorf("%s, %v", text, err)
				}
			}
			if strings.Join(fields, " ") != c.want {
				t.Errorf("got %v, want %q", got, c.want)
			}
			covered[c.fields] = true
		})
	}
	for _, field := range leaves(reflect.TypeFor[Settings](), "") {
		if !covered[field] {
			t.Errorf("nothing here says whether a change of %s loosens", field)
		}
	}
}

var covered = map[string]bool{}

// leaves are the fields of a struct, and of those in it.
func leaves(of reflect.Type, path string) (names []string) {
	switch {
	case of.Kind() == reflect.Struct:
		for i := range of.NumField() {
			names = append(names, leaves(of.Field(i).Type, strings.TrimPrefix(path+"."+of.Field(i).Name, "."))...)
		}
	case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct:
		return leaves(of.Elem(), path)
	default:
		return []string{path}
	}
	return names
}

func TestNothingIsLooserThanItself(t *testing.T) {
	if got := Loosened(some(), some()); len(got) > 0 {
		t.Error(got)
	}
	if got := Loosened(some(), Strictest()); len(got) > 0 {
		t.Errorf("the strictest settings loosen: %v", got)
	}
}
