package mcp

import (
	"maps"
	"os"
	"slices"
)

// passed are the variables that a server gets of ours: where things are and which
// language is spoken. Everything else, such as keys and the way to the session
// bus, is given only by name, in the settings.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
	// what programs on Windows cannot start without
	"SystemRoot", "SystemDrive", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "PATHEXT", "COMSPEC", "ProgramFiles", "ProgramData",
}

// environment is the whole one of a server.
func environment(added map[string]string) []string {
	var all []string
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			if _, own := added[name]; !own {
				all = append(all, name+"="+value)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(added)) {
		all = append(all, name+"="+added[name])
	}
	return all
}
