package keys

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// service is what the keychain shows as the owner of our keys.
const service = "countersign"

// answerTime is how long the keychain may take: it may ask the person to unlock it.
const answerTime = 2 * time.Minute

// errNoKey says that the keychain works and has no such key.
var errNoKey = errors.New("no such key")

// keychain is the system's. It has no way to cancel: a call that is given up
// ends by itself, when the person answers or the keychain goes.
type keychain struct{}

func (keychain) get(ctx context.Context, name string) (Secret, error) {
	return asked(ctx, func() (Secret, error) {
		text, err := keyring.Get(service, name)
		return Secret{text}, err
	})
}

func (keychain) set(ctx context.Context, name string, key Secret) error {
	_, err := asked(ctx, func() (struct{}, error) { return struct{}{}, keyring.Set(service, name, key.text) })
	return err
}

func (keychain) forget(ctx context.Context, name string) error {
	_, err := asked(ctx, func() (struct{}, error) { return struct{}{}, keyring.Delete(service, name) })
	return err
}

func asked[T any](ctx context.Context, do func() (T, error)) (T, error) {
	var none T
	if err := reachable(); err != nil {
		return none, err
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- answer{none, fmt.Errorf("the keychain failed: %v", p)}
			}
		}()
		value, err := do()
		done <- answer{value, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	select {
	case a := <-done:
		if errors.Is(a.err, keyring.ErrNotFound) {
			return none, errNoKey
		}
		return a.value, a.err
	case <-ctx.Done():
		return none, errors.New("the keychain did not answer; it may wait to be unlocked")
	}
}
