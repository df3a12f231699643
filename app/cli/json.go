package cli

import (
	"encoding/json"
	"io"
)

// writeJSON writes rows as one list, for people to read too.
func writeJSON[Row any](w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(rows)
}

// writeJSONLines writes each row as a line.
func writeJSONLines[Row any](w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, row := range rows {
		if err := e.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
