package desk

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// cardSize is the file that remembers how large the person made the card.
func cardSize() string { return filepath.Join(xdg.StateHome, "countersign", "card.json") }
