// Package docs packs the documents that the command line prints.
package docs

import _ "embed"

// LogFormat says how the log and its exports are written, and how to check one
// without this program. Markdown.
//
//go:embed log-format.md
var LogFormat string
