package settings

import "slices"

// Provider is a kind of server for models: it fixes the form of the traffic.
type Provider string

const (
	Offline    Provider = "offline"    // no model: the demos' recorded one
	Anthropic  Provider = "anthropic"  // messages
	OpenAI     Provider = "openai"     // responses and chat completions
	Compatible Provider = "compatible" // chat completions, anywhere: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter
)

var providers = []Provider{Offline, Anthropic, OpenAI, Compatible}

// Address is the base address of the provider's own service; empty when it has
// none, and the settings must name one.
func (p Provider) Address() string {
	switch p {
	case Anthropic:
		return "https://api.anthropic.com/v1"
	case OpenAI:
		return "https://api.openai.com/v1"
	}
	return ""
}

// Known says whether there is such a provider.
func (p Provider) Known() bool { return slices.Contains(providers, p) }

// Address is where requests for this model go: the base address that is set, or
// the provider's own. Empty for the offline model.
func (m Model) Address() string {
	if m.Provider == Offline {
		return ""
	}
	if m.BaseURL != "" {
		return m.BaseURL
	}
	return m.Provider.Address()
}
