package sqlite

import (
	"encoding/json"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
)

// keepSecret puts commitments in the place of an entry's secrets. The digest of
// an input with secrets becomes a keyed one: equal for the entries of one call,
// and no help in guessing.
func (l *Log) keepSecret(e app.Entry) (app.Entry, error) {
	if len(e.Secrets) == 0 {
		return e, nil
	}
	var failed error
	body, err := app.Conceal(e.Body, e.Secrets, func(pointer string, part any) any {
		if digest, ok := part.(string); ok && pointer == "/digest" {
			if digest == "" {
				return digest
			}
			return "hmac-sha256:" + l.key.mac(nil, []byte(digest))
		}
		text, err := json.Marshal(part)
		if err == nil {
			text, err = jcs.Transform(text)
		}
		if err != nil {
			failed = err
			return nil
		}
		commitment, err := l.key.commitment(text)
		if err != nil {
			failed = err
		}
		return commitment
	})
	if err == nil {
		err = failed
	}
	e.Body, e.Secrets = body, nil
	return e, err
}
