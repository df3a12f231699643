package model

import (
	"net/http"
	"net/url"
	"strings"
)

// Target is the model that the settings name, and where it is.
type Target struct {
	Provider string // anthropic, openai or compatible; anything else: no model
	Address  string // base address, such as https://api.openai.com/v1
	Name     string // of the model, as the provider calls it; may be empty
}

// who is the target in a sentence.
func (t Target) who() string {
	switch {
	case t.Provider == "anthropic" && t.host() == "api.anthropic.com":
		return "Anthropic"
	case t.Provider == "openai" && t.host() == "api.openai.com":
		return "OpenAI"
	}
	return "The server at " + t.host()
}

func (t Target) host() string {
	if u, err := url.Parse(t.Address); err == nil && u.Host != "" {
		return u.Host
	}
	return t.Address
}

// needsKey says whether nothing can be asked without a key.
func (t Target) needsKey() bool { return t.Provider == "anthropic" || t.Provider == "openai" }

// anthropicVersion is the form of the messages that the page's library speaks.
const anthropicVersion = "2023-06-01"

// sign puts the key into a request, in the way of the provider.
func (t Target) sign(header http.Header, key string) {
	if t.Provider == "anthropic" {
		if header.Get("Anthropic-Version") == "" {
			header.Set("Anthropic-Version", anthropicVersion)
		}
		if key != "" {
			header.Set("X-Api-Key", key)
		}
		return
	}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
}

// may are what the page may ask of each provider. Nothing else below the base
// address is reachable: files, fine-tuning, organisation.
var may = map[string][]string{
	"anthropic":  {"POST messages", "GET models"},
	"openai":     {"POST responses", "POST chat/completions", "GET models"},
	"compatible": {"POST chat/completions", "GET models"},
}

// split takes the provider and what is asked of it out of /model/<provider>/….
func split(path string) (provider, rest string, ok bool) {
	path, ok = strings.CutPrefix(path, "/model/")
	if !ok {
		return "", "", false
	}
	provider, rest, ok = strings.Cut(path, "/")
	return provider, rest, ok
}
