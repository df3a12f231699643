package keys

import (
	"net/url"
	"strings"
)

// Slot is a place that has one key.
type Slot struct {
	name string   // in keychain and file
	env  []string // variables, the first that is set counts
}

// usual are the variables in which other programs keep keys of providers' own
// services.
var usual = map[string]string{"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}

// SlotFor is the place of the key for a provider at an address. own says that the
// address is the provider's own. Addresses with one origin share a key.
func SlotFor(provider, address string, own bool) Slot {
	s := Slot{name: provider, env: []string{"COUNTERSIGN_API_KEY_" + strings.ToUpper(provider)}}
	if own {
		if name, is := usual[provider]; is {
			s.env = append(s.env, name)
		}
		return s
	}
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		s.name += " " + u.Scheme + "://" + strings.ToLower(u.Host)
	} else {
		s.name += " " + address
	}
	return s
}
