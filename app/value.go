package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Value is a JavaScript value in the canonical tagged form: JSON text whose
// keys are sorted and whose numbers are written as RFC 8785 (JCS) says, with
// values that JSON lacks as an object with the single key "$" first, such as
// {"$":"undefined"}. Package value makes and checks it; once made it is never
// changed, so its bytes are what is shown, logged, digested and executed.
type Value json.RawMessage

// Digest is the SHA-256 of a Value's bytes, in lower-case hex.
type Digest string

// Digest computes the digest that binds a decision to this value.
func (v Value) Digest() Digest {
	sum := sha256.Sum256(v)
	return Digest(hex.EncodeToString(sum[:]))
}

// MarshalJSON lets a Value stand inside other JSON as it is.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return v, nil
}

// UnmarshalJSON keeps the text as it came; the receiver canonicalises.
func (v *Value) UnmarshalJSON(data []byte) error {
	*v = append((*v)[:0], data...)
	return nil
}

func (v Value) String() string { return string(v) }
