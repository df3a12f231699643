package settings

import (
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
)

var (
	topNames    = []string{"model", "folders", "hosts", "mcp", "limits", "approval", "tighten", "theme"}
	modelNames  = []string{"provider", "baseURL", "name"}
	folderNames = []string{"path", "name", "write"}
	serverNames = []string{"name", "command", "args", "env", "url", "headers", "readOnlyConfirmed"}
)

// Parse reads the text of a file. What it leaves out has its default. Folders in
// closed, and those that hold or lie in one of them, are refused: they are the
// app's own. The settings are of no use when one of the problems is a Mistake.
func Parse(text []byte, closed ...string) (Settings, []Problem) {
	r := &reader{text: text}
	s := Defaults()
	tree, ok := r.parse()
	if !ok {
		return s, r.problems
	}
	r.object(everything, tree, topNames, func(name string, v hujson.Value) {
		switch name {
		case "model":
			s.Model = r.model(v)
		case "folders":
			r.list(name, v, func(what string, v hujson.Value) { s.Folders = append(s.Folders, r.folder(what, v, closed)) })
			r.unique(v, "path", func(i int) string { return s.Folders[i].Path }, len(s.Folders))
			r.unique(v, "name", func(i int) string { return s.Folders[i].Name }, len(s.Folders))
		case "hosts":
			s.Hosts = r.texts(name, v, r.host)
		case "mcp":
			r.list(name, v, func(what string, v hujson.Value) { s.Servers = append(s.Servers, r.server(what, v)) })
			r.unique(v, "name", func(i int) string { return s.Servers[i].Name }, len(s.Servers))
		case "limits":
			r.limits(v, &s.Limits)
		case "approval":
			s.Approval, _ = oneOf(r, name, v, []Approval{Each, Batch, Never})
		case "tighten":
			s.Tighten = r.texts(name, v, r.pattern)
		case "theme":
			s.Theme, _ = oneOf(r, name, v, []Theme{System, Light, Dark})
		}
	})
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return s, r.problems
}

func (r *reader) model(v hujson.Value) Model {
	m := Model{Provider: Offline}
	var provider, name, address *hujson.Value
	known := r.object("model", v, modelNames, func(member string, v hujson.Value) {
		switch member {
		case "provider":
			provider = &v
			m.Provider, _ = oneOf(r, "model.provider", v, providers)
		case "baseURL":
			address = &v
			m.BaseURL, _ = r.string("model.baseURL", v)
		case "name":
			name = &v
			m.Name, _ = r.string("model.name", v)
		}
	})
	if m.Provider == "" || !known {
		return m // said already
	}
	if m.BaseURL != "" {
		m.BaseURL = r.address("model.baseURL", *address, m.BaseURL)
	}
	if m.Provider == Offline {
		if m.BaseURL != "" {
			r.mistake(*address, "model.baseURL: the offline model has no address; name a provider or leave it out")
		}
		return m
	}
	if m.Provider == Compatible && m.BaseURL == "" {
		r.mistake(*provider, "model: the provider \"compatible\" needs the address of its server, such as \"baseURL\": \"http://127.0.0.1:11434/v1\"")
	}
	if m.Name == "" {
		where := *provider
		if name != nil {
			where = *name
		}
		// No mistake: a provider lists its models only once it is there.
		r.warn(where, "model: no model is named yet, such as \"name\": \"…\"; nothing can be asked until one is")
	}
	return m
}

func (r *reader) folder(what string, v hujson.Value, closed []string) Folder {
	var f Folder
	var path *hujson.Value
	known := r.object(what, v, folderNames, func(member string, v hujson.Value) {
		switch member {
		case "path":
			path = &v
			f.Path, _ = r.string(what+".path", v)
		case "name":
			if f.Name, _ = r.string(what+".name", v); f.Name != "" {
				r.folderName(what+".name", v, f.Name)
			}
		case "write":
			f.Write = r.flag(what+".write", v)
		}
	})
	if path == nil {
		if known {
			r.mistake(v, "%s: expected a path", what)
		}
		return f
	}
	f.Path = r.folderPath(what+".path", *path, f.Path, closed)
	if f.Name == "" && f.Path != "" {
		if f.Name = filepath.Base(f.Path); !folderNameForm.MatchString(f.Name) {
			r.mistake(*path, "%s: the last part of the path cannot be the folder's name; give it one, such as \"name\": \"work\"", what)
		}
	}
	return f
}

func (r *reader) server(what string, v hujson.Value) Server {
	var s Server
	places := map[string]hujson.Value{}
	known := r.object(what, v, serverNames, func(member string, v hujson.Value) {
		places[member] = v
		whole := what + "." + member
		switch member {
		case "name":
			if s.Name, _ = r.string(whole, v); s.Name != "" {
				r.serverName(whole, v, s.Name)
			}
		case "command":
			if s.Command, _ = r.string(whole, v); s.Command != "" {
				r.command(whole, v, s.Command)
			}
		case "args":
			s.Args = r.texts(whole, v, nil)
		case "env":
			s.Env = r.pairs(whole, v, r.envName)
		case "url":
			if s.URL, _ = r.string(whole, v); s.URL != "" {
				s.URL = r.address(whole, v, s.URL)
			}
		case "headers":
			s.Headers = r.pairs(whole, v, r.headerName)
		case "readOnlyConfirmed":
			s.ReadOnlyConfirmed = r.confirmed(whole, v)
		}
	})
	if !known {
		return s
	}
	if _, named := places["name"]; !named || s.Name == "" {
		r.mistake(v, "%s: expected a name, which its functions begin with", what)
	}
	switch {
	case s.Command == "" && s.URL == "":
		r.mistake(v, "%s: expected a command that starts the server, or its url", what)
	case s.Command != "" && s.URL != "":
		r.mistake(v, "%s: expected either command or url, got both", what)
	case s.URL != "" && (len(s.Args) > 0 || len(s.Env) > 0):
		r.mistake(v, "%s: args and env belong to a command, and this server has a url", what)
	case s.Command != "" && len(s.Headers) > 0:
		r.mistake(v, "%s: headers belong to a url, and this server has a command", what)
	}
	return s
}

func (r *reader) limits(v hujson.Value, into *Limits) {
	var names []string
	for _, l := range limits {
		names = append(names, l.name)
	}
	r.object("limits", v, names, func(name string, v hujson.Value) {
		l := limits[slices.Index(names, name)]
		if n, ok := r.count("limits."+name, v, l.most); ok {
			*l.of(into) = n
		}
	})
}
