package sqlite

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gowebpki/jcs"
)

// Key is the secret of a log: 32 random bytes in a 0600 file beside the anchor,
// as 64 hex digits and a line feed. It signs checkpoints and exports, and makes
// the commitments in the place of secrets. Whoever changes the database without
// it can neither remove a prefix unseen nor guess a secret from its commitment.
type Key struct {
	seed []byte
}

// ErrNoKey says that there is no key file.
var ErrNoKey = errors.New("the key of the log is missing")

// LoadKey reads a key file.
func LoadKey(path string) (*Key, error) {
	text, err := readRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (%s)", ErrNoKey, path)
	}
	if err != nil {
		return nil, fmt.Errorf("the key of the log cannot be read: %w", err)
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("the key of the log %s is damaged: expected 64 hex digits; restore a copy, or move it aside to begin with a new one", path)
	}
	return &Key{seed}, nil
}

// makeKey makes a new key, which keep writes.
func makeKey() (*Key, error) {
	seed := make([]byte, ed25519.SeedSize)
	_, err := rand.Read(seed)
	return &Key{seed}, err
}

// keep writes a new key to where LoadKey reads it.
func (k *Key) keep(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("the key of the log cannot be made: %w", err)
	}
	if err := writeWhole(path, hex.EncodeToString(k.seed)+"\n"); err != nil {
		return fmt.Errorf("the key of the log cannot be made: %w", err)
	}
	return nil
}

// writeWhole writes a 0600 file that is there whole or not at all.
func writeWhole(path, text string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// Public is the public key in hex: what others need to check signatures.
func (k *Key) Public() string {
	return hex.EncodeToString(ed25519.NewKeyFromSeed(k.seed).Public().(ed25519.PublicKey))
}

// sign signs the canonical JSON of a statement, with its purpose before it, so
// that a signature for one purpose is none for another.
func (k *Key) sign(purpose string, statement []byte) (string, error) {
	text, err := signed(purpose, statement)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(k.seed), text)), nil
}

func signed(purpose string, statement []byte) ([]byte, error) {
	canonical, err := jcs.Transform(statement)
	if err != nil {
		return nil, err
	}
	return append([]byte(purpose+"\n"), canonical...), nil
}

// signedBy checks a signature that sign made.
func signedBy(public, signature, purpose string, statement []byte) bool {
	key, err := hex.DecodeString(public)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return false
	}
	sum, err := hex.DecodeString(signature)
	if err != nil {
		return false
	}
	text, err := signed(purpose, statement)
	return err == nil && ed25519.Verify(key, text, sum)
}

// commitment stands in the log for a secret: {"$":"secret","v":"SALT:SUM"}, with
// 16 random bytes and HMAC-SHA256 over them and the canonical JSON of the secret,
// both in hex. The salt keeps equal secrets from being seen as equal, the key
// keeps a short one from being guessed.
func (k *Key) commitment(part []byte) (map[string]string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	return map[string]string{"$": "secret", "v": hex.EncodeToString(salt) + ":" + k.mac(salt, part)}, nil
}

// Commits reports whether a commitment, the v of {"$":"secret"}, is one to this
// secret, given as canonical JSON.
func (k *Key) Commits(commitment string, secret []byte) bool {
	before, sum, _ := strings.Cut(commitment, ":")
	salt, err := hex.DecodeString(before)
	return err == nil && hmac.Equal([]byte(sum), []byte(k.mac(salt, secret)))
}

func (k *Key) mac(salt, part []byte) string {
	mac := hmac.New(sha256.New, k.secretsKey())
	mac.Write(salt)
	mac.Write(part)
	return hex.EncodeToString(mac.Sum(nil))
}

// secretsKey is derived, so that one key never serves two algorithms.
func (k *Key) secretsKey() []byte {
	mac := hmac.New(sha256.New, k.seed)
	mac.Write([]byte("countersign secrets"))
	return mac.Sum(nil)
}
