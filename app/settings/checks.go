package settings

import (
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/idna"
)

var (
	folderNameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}$`)
	serverNameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}$`)
	digestForm     = regexp.MustCompile(`^[0-9a-f]{64}$`)
	envNameForm    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	functionForm   = regexp.MustCompile(`^(\*|[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$-]*)*(\.\*)?)$`)
)

// texts reads a list of texts, each once.
func (r *reader) texts(what string, v hujson.Value, check func(what string, v hujson.Value, text string) string) []string {
	list := []string{}
	seen := map[string]bool{}
	r.list(what, v, func(what string, v hujson.Value) {
		text, ok := r.string(what, v)
		if !ok {
			return
		}
		if check == nil {
			list = append(list, text)
			return
		}
		if text = check(what, v, text); text != "" && seen[text] {
			r.mistake(v, "%s: %q stands in the list twice; leave one", what, text)
		}
		seen[text] = true
		list = append(list, text)
	})
	return list
}

// pairs reads an object of names and texts.
func (r *reader) pairs(what string, v hujson.Value, check func(what string, v hujson.Value, name string)) map[string]string {
	pairs := map[string]string{}
	r.object(what, v, nil, func(name string, v hujson.Value) {
		check(what, v, name)
		// What a mistake says must not repeat the value, which is secret.
		literal, ok := v.Value.(hujson.Literal)
		if !ok || literal.Kind() != '"' {
			r.mistake(v, "%s.%s: expected a text in quotes", what, name)
			return
		}
		text := literal.String()
		if !httpguts.ValidHeaderFieldValue(text) {
			r.mistake(v, "%s.%s: expected a text of visible characters on one line", what, name)
			return
		}
		pairs[name] = text
	})
	return pairs
}

// confirmed reads tools and the definitions by which the person confirmed them.
func (r *reader) confirmed(what string, v hujson.Value) map[string]string {
	tools := map[string]string{}
	r.object(what, v, nil, func(tool string, v hujson.Value) {
		digest, ok := r.string(what+"."+tool, v)
		if ok && !digestForm.MatchString(digest) {
			r.mistake(v, "%s.%s: expected the 64 hex digits that stand for the tool's definition; confirm it in the app, which writes them", what, tool)
		}
		tools[tool] = digest
	})
	return tools
}

// unique refuses a list in which two elements have the same name or path.
func (r *reader) unique(v hujson.Value, what string, of func(int) string, n int) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return
	}
	seen := map[string]bool{}
	for i := range min(n, len(array.Elements)) {
		if of(i) != "" && seen[of(i)] {
			r.mistake(array.Elements[i], "two have the %s %q; expected each once", what, of(i))
		}
		seen[of(i)] = true
	}
}

// address checks where requests go: https, or http to a machine nearby.
func (r *reader) address(what string, v hujson.Value, text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme == "" || u.Hostname() == "" || u.Opaque != "":
		r.mistake(v, "%s: expected an address such as https://example.com/v1, got %q", what, text)
	case u.User != nil:
		r.mistake(v, "%s: expected an address without a name and password in it; keep a key in the keychain", what)
	case u.RawQuery != "" || u.Fragment != "":
		r.mistake(v, "%s: expected an address that ends with its path, got one with “?” or “#”", what)
	case u.Scheme != "https" && u.Scheme != "http":
		r.mistake(v, "%s: expected https, or http on this machine or a private network, got %s", what, u.Scheme)
	case u.Scheme == "http" && !nearby(u.Hostname()):
		r.mistake(v, "%s: %s is not on this machine or a private network, where http is allowed; use https, or whoever carries it can read and change everything", what, u.Hostname())
	case u.Scheme == "http" && !loopback(u.Hostname()):
		r.warn(v, "%s: http is not encrypted; whoever is on the network can read what is sent to %s", what, u.Hostname())
	}
	return strings.TrimRight(text, "/")
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

func nearby(host string) bool {
	ip, err := netip.ParseAddr(host)
	return loopback(host) || err == nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

func (r *reader) host(what string, v hujson.Value, text string) string {
	name, wild := strings.CutPrefix(text, "*.")
	ascii, err := idna.Lookup.ToASCII(name)
	switch {
	case strings.ContainsAny(text, "/:@?#"):
		r.mistake(v, "%s: expected the name of a host alone, such as example.com, got %q", what, text)
	case net.ParseIP(name) != nil:
		r.mistake(v, "%s: expected the name of a host, got the address %q; addresses are always asked about", what, text)
	case err != nil || ascii == "":
		r.mistake(v, "%s: %q is not the name of a host", what, text)
	case !strings.Contains(ascii, "."):
		r.mistake(v, "%s: expected a whole name such as example.com, got %q", what, text)
	case wild:
		return "*." + ascii
	}
	return ascii
}

func (r *reader) pattern(what string, v hujson.Value, text string) string {
	if !functionForm.MatchString(text) {
		r.mistake(v, "%s: expected the name of a function such as files.read, or files.* for the family, or * for all, got %q", what, text)
	}
	return text
}

func (r *reader) folderName(what string, v hujson.Value, name string) {
	if !folderNameForm.MatchString(name) {
		r.mistake(v, "%s: expected up to 64 letters, digits, blanks, “_”, “.” and “-”, beginning with a letter or digit, got %q", what, name)
	}
}

func (r *reader) serverName(what string, v hujson.Value, name string) {
	if !serverNameForm.MatchString(name) {
		r.mistake(v, "%s: expected up to 32 letters, digits and “_”, beginning with a letter, got %q", what, name)
	}
}

func (r *reader) command(what string, v hujson.Value, command string) {
	if strings.ContainsRune(command, filepath.Separator) && !filepath.IsAbs(command) {
		r.mistake(v, "%s: expected a name that is looked up in PATH, or a whole path, got %q", what, command)
	}
}

func (r *reader) envName(what string, v hujson.Value, name string) {
	if !envNameForm.MatchString(name) {
		r.mistake(v, "%s: %q is not the name of an environment variable", what, name)
	}
}

func (r *reader) headerName(what string, v hujson.Value, name string) {
	if !httpguts.ValidHeaderFieldName(name) {
		r.mistake(v, "%s: %q is not the name of a header", what, name)
	}
}

// folderPath checks a folder. One that is missing is a warning: a disk that is
// not plugged in must not take every other setting out of force.
func (r *reader) folderPath(what string, v hujson.Value, path string, closed []string) string {
	if path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		r.mistake(v, "%s: expected a whole path, such as /home/you/Documents, got %q", what, path)
		return path
	}
	path = filepath.Clean(path)
	if own, reason := within(path, closed); own {
		r.mistake(v, "%s: %s; choose another folder", what, reason)
		return path
	}
	switch info, err := os.Stat(path); {
	case os.IsNotExist(err):
		r.warn(v, "%s: there is no folder %s at the moment; functions get an error until it is there", what, path)
	case err != nil:
		r.warn(v, "%s: the folder cannot be looked at: %v", what, reasonOf(err))
	case !info.IsDir():
		r.mistake(v, "%s: expected a folder, and %s is a file", what, path)
	}
	return path
}

// within says whether a folder holds one of the app's own, or lies in it: the
// functions would reach settings, keys and the log.
func within(path string, closed []string) (bool, string) {
	if path == string(filepath.Separator) {
		return true, "this is everything on the machine, the app's own settings and log too"
	}
	mine := resolved(path)
	for _, c := range closed {
		own := resolved(c)
		if inside(own, mine) || inside(mine, own) {
			return true, fmt.Sprintf("%s holds or lies in %s, where the app keeps its own settings, keys and log", path, c)
		}
	}
	return false, ""
}

func inside(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && (rel == "." || rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)))
}

// resolved follows links as far as the path exists.
func resolved(path string) string {
	path = filepath.Clean(path)
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

func reasonOf(err error) error {
	if path, ok := err.(*fs.PathError); ok {
		return path.Err
	}
	return err
}
