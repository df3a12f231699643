package desk

import (
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/database"
	"github.com/faustine-ai/countersign/app/functions/desktop"
	"github.com/faustine-ai/countersign/app/functions/files"
	"github.com/faustine-ai/countersign/app/functions/web"
	"github.com/faustine-ai/countersign/app/mcp"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/session"
	"github.com/faustine-ai/countersign/app/settings"
)

// openFunctions makes the list of functions that follows the settings: what the
// setup has of its own, or the families that work on what the person has chosen
// and the tools of the MCP servers that the person has added.
func (d *desk) openFunctions(s setup, own []*app.Function) (err error) {
	if s.functions == nil {
		own = slices.Concat(own, d.families())
	}
	own = testFunctions(own)
	if d.functions, err = registry.NewLive(registry.Tighten(own, d.settings.Current().Tightened)...); err != nil {
		return err
	}
	var turn sync.Mutex // of several changes at once the last one stays
	list := func() {
		turn.Lock()
		defer turn.Unlock()
		all := registry.Tighten(slices.Concat(own, d.servers.Functions()), d.settings.Current().Tightened)
		if err := d.functions.Replace(all...); err != nil {
			slog.Error("the functions stay as they were", "error", err)
		}
	}
	d.servers = mcp.New(list, firstParts(own)...)
	d.closers = slices.Insert(d.closers, 0, d.servers.Close)
	follow := func(now settings.Settings) { d.servers.Set(serversOf(now)) } // which lists anew
	follow(d.settings.Current())
	stop := d.settings.Subscribe(follow)
	d.closers = slices.Insert(d.closers, 0, func() error { stop(); return nil })
	return nil
}

// families are those that work on what the person has chosen in the settings.
func (d *desk) families() []*app.Function {
	folders := folder.New(d.folders, ownFolders()...)
	hosts := func() []string { return d.settings.Current().Hosts }
	return slices.Concat(files.New(folders).Functions(), database.New(folders).Functions(), web.New(hosts).Functions(),
		desktop.New(session.System{}, folders).Functions())
}

// folders are those that are picked at the moment.
func (d *desk) folders() []folder.Folder {
	var picked []folder.Folder
	for _, f := range d.settings.Current().Folders {
		picked = append(picked, folder.Folder{Name: f.Name, Path: f.Path, Write: f.Write})
	}
	return picked
}

func serversOf(now settings.Settings) []mcp.Server {
	var servers []mcp.Server
	for _, s := range now.Servers {
		servers = append(servers, mcp.Server{Name: s.Name, Command: s.Command, Args: s.Args, Env: s.Env, URL: s.URL, Headers: s.Headers, ReadOnlyConfirmed: s.ReadOnlyConfirmed})
	}
	return servers
}

// firstParts are those of the names of our own functions, which no server can have.
func firstParts(functions []*app.Function) []string {
	var parts []string
	for _, f := range functions {
		parts = append(parts, firstPart(f.Name))
	}
	return parts
}

func firstPart(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}
