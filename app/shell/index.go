package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
)

var secretMeta = regexp.MustCompile(`<meta name="countersign-secret" content=""\s*/?>`)

var secretForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// indexWith returns the host page with the secret of this start in its meta.
func indexWith(assets fs.FS, secret string) ([]byte, error) {
	if !secretForm.MatchString(secret) { // it goes into markup as it is
		return nil, errors.New("shell: expected a secret of 64 hex digits")
	}
	page, err := fs.ReadFile(assets, "index.html")
	if err != nil {
		return nil, fmt.Errorf("the host page is not built (run make build): %w", err)
	}
	if n := len(secretMeta.FindAll(page, -1)); n != 1 {
		return nil, fmt.Errorf(`shell: expected one <meta name="countersign-secret" content=""> in index.html, found %d`, n)
	}
	return secretMeta.ReplaceAllLiteral(page, []byte(`<meta name="countersign-secret" content="`+secret+`">`)), nil
}
