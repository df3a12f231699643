package desktop

import (
	"context"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

// runs are the kinds of files that a desktop may run when it is asked to open them,
// beside those that are marked as programs.
var runs = map[string]bool{
	".desktop": true, ".appimage": true, ".sh": true, ".run": true, ".bin": true, ".jar": true, ".py": true, ".pl": true, ".rb": true, ".js": true,
	".exe": true, ".msi": true, ".bat": true, ".cmd": true, ".com": true, ".scr": true, ".ps1": true, ".vbs": true, ".lnk": true, ".url": true, ".app": true, ".command": true,
	".deb": true, ".rpm": true, ".flatpakref": true, ".snap": true,
}

func (d *Desktop) open(ctx context.Context, in openInput) (none, error) {
	uri, err := d.uriOf(in)
	if err != nil {
		return none{}, err
	}
	return none{}, d.asked(ctx, "open it", func(ctx context.Context) error { return d.system.Open(ctx, uri) })
}

// valid refuses what can only fail before a card asks for it.
func (in openInput) valid() error {
	switch {
	case (in.URL == "") == (in.Path == ""):
		return app.Errorf(app.InvalidInput, "input: expected url or path, and not both")
	case in.Path != "":
		return folder.CheckPath(in.Path)
	}
	_, err := webURI(in.URL)
	return err
}

func (d *Desktop) uriOf(in openInput) (string, error) {
	if in.Path != "" {
		return d.fileURI(in.Path)
	}
	return webURI(in.URL)
}

// webURI takes an address of the web, written anew so that nothing in it is read
// otherwise by the program that gets it.
func webURI(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || len(text) > 8<<10 {
		return "", app.Errorf(app.InvalidInput, "input.url: expected an address such as https://example.com/page; only https is opened")
	}
	if u.User != nil {
		return "", app.Errorf(app.InvalidInput, "input.url: an address with a name or password in it is not opened")
	}
	return u.String(), nil
}

// fileURI names a file by where it really is. Which program opens it is for the
// person's desktop to say.
func (d *Desktop) fileURI(given string) (string, error) {
	place, err := d.folders.At(given)
	if err != nil {
		return "", err
	}
	defer place.Close()
	real, info, err := place.Real()
	if err != nil {
		return "", err
	}
	if err := opens(place, info, real); err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: real}).String(), nil
}

func opens(place *folder.Place, info fs.FileInfo, real string) error {
	switch folder.KindOf(info.Mode()) {
	case folder.Sub:
		return nil
	case folder.File:
	default:
		return app.Errorf(app.FunctionFailed, "%s is no file or folder that a program could open", place.Path)
	}
	if info.Mode().Perm()&0o111 != 0 || runs[strings.ToLower(path.Ext(real))] {
		return app.Errorf(app.FunctionFailed, "%s is a program, or could be run as one, and is not opened; the person can do it in their file manager", place.Path)
	}
	return nil
}

// openWords say what would be opened, and where it goes.
func (d *Desktop) openWords(_ context.Context, in openInput) string {
	uri, err := d.uriOf(in)
	if err != nil {
		return ""
	}
	if in.Path != "" {
		return in.Path + " · in your own program"
	}
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	return u.Host + " · in your browser"
}
