package keys

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/adrg/xdg"

	"github.com/faustine-ai/countersign/app"
)

// Source says where a key is.
type Source string

const (
	None        Source = "none"
	Environment Source = "environment"
	Keychain    Source = "keychain"
	File        Source = "file"
)

// Key is a key that was found.
type Key struct {
	Secret Secret
	From   Source
	Name   string // of the variable or the file
}

// Ring finds keys and keeps them.
type Ring struct {
	env   func(string) string
	chain keychain
	file  fileKeys
	turn  sync.Mutex // one change of the file at a time
}

// DefaultPath is where the file of keys is, for somebody who chose one:
// countersign/keys.json in the XDG config home.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "countersign", "keys.json") }

// New makes a ring whose file is at path.
func New(path string) *Ring { return &Ring{env: os.Getenv, file: fileKeys{path}} }

// Find gives the key for a slot. With none it gives a Key whose Secret is empty,
// and an error when that may be because a place could not be looked at.
func (r *Ring) Find(ctx context.Context, slot Slot) (Key, error) {
	for _, name := range slot.env {
		if text := strings.TrimSpace(r.env(name)); text != "" {
			secret, err := NewSecret(text)
			if err != nil {
				return Key{From: None}, fmt.Errorf("the variable %s: %w", name, err)
			}
			return Key{secret, Environment, name}, nil
		}
	}
	kept, fileErr := r.file.read()
	if text := kept[slot.name]; text != "" {
		return Key{Secret{text}, File, r.file.path}, nil
	}
	secret, err := r.chain.get(ctx, slot.name)
	if err == nil && !secret.Empty() {
		return Key{secret, Keychain, ""}, nil
	}
	if errors.Is(err, errNoKey) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("the keychain cannot be used: %w", err)
	}
	return Key{From: None}, errors.Join(fileErr, err)
}

// Set keeps a key in the keychain or, for somebody who chose that, in the file.
// What a person chose last counts: a key in the file goes before one in the
// keychain, and is taken away when one is put into the keychain.
func (r *Ring) Set(ctx context.Context, slot Slot, key Secret, in Source) error {
	r.turn.Lock()
	defer r.turn.Unlock()
	switch in {
	case Keychain:
		if err := r.chain.set(ctx, slot.name, key); err != nil {
			return &app.Error{Code: app.BadRequest, Cause: err, Message: "the keychain cannot be used: " + err.Error() + ". Nothing was kept; a file for your eyes only is the other way"}
		}
		if _, err := r.file.forget(slot.name); err != nil {
			return cannotKeep(err)
		}
	case File:
		if err := r.file.set(slot.name, key); err != nil {
			return cannotKeep(err)
		}
	default:
		return app.Errorf(app.BadRequest, "a key is kept in the keychain or in a file, not in %q", string(in))
	}
	return nil
}

func cannotKeep(err error) error {
	return &app.Error{Code: app.BadRequest, Cause: err, Message: "the file of keys cannot be used: " + err.Error()}
}

// Forget takes a key away from keychain and file. One in the environment stays:
// it is not ours.
func (r *Ring) Forget(ctx context.Context, slot Slot) error {
	r.turn.Lock()
	defer r.turn.Unlock()
	chainErr := r.chain.forget(ctx, slot.name)
	there, err := r.file.forget(slot.name)
	if err != nil {
		return cannotKeep(err)
	}
	if chainErr != nil && !errors.Is(chainErr, errNoKey) && !there {
		return &app.Error{Code: app.BadRequest, Cause: chainErr, Message: "the keychain cannot be used: " + chainErr.Error()}
	}
	return nil
}

// Status says where the key for a slot is, and never what it is.
type Status struct {
	From    Source `json:"from"`
	Name    string `json:"name"`    // of the variable or the file
	Tail    string `json:"tail"`    // the last four characters of a long key
	Problem string `json:"problem"` // why a place cannot be used; empty: nothing is wrong
	File    string `json:"file"`    // where the file would be
	Env     string `json:"env"`     // the variable that would be looked at first
}

// Status looks where Find looks.
func (r *Ring) Status(ctx context.Context, slot Slot) Status {
	key, err := r.Find(ctx, slot)
	s := Status{From: key.From, Name: key.Name, Tail: key.Secret.tail(), File: r.file.path, Env: slot.env[0]}
	if err == nil && key.From == File {
		err = reachable()
	}
	if err != nil {
		s.Problem = err.Error()
	}
	return s
}
