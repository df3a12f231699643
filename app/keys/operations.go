package keys

import (
	"context"
	"encoding/json"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Operations are what the page may ask for, of the slot that is in use then:
//
//	model.key.status {}                            → Status
//	model.key.set    {key, in: "keychain"|"file"}  → Status
//	model.key.forget {}                            → Status
//
// A key goes in and never comes out. slot gives false when no model asks for one.
func (r *Ring) Operations(slot func() (Slot, bool)) []app.Operation {
	type set struct {
		Key string `json:"key"`
		In  Source `json:"in"`
	}
	with := func(do func(context.Context, Slot, json.RawMessage) error) func(context.Context, json.RawMessage) (any, error) {
		return func(ctx context.Context, raw json.RawMessage) (any, error) {
			in, is := slot()
			if !is {
				return nil, app.Errorf(app.BadRequest, "the offline model needs no key; choose a provider first")
			}
			if err := do(ctx, in, raw); err != nil {
				return nil, err
			}
			return r.Status(ctx, in), nil
		}
	}
	return []app.Operation{
		{Name: "model.key.status", Do: with(func(_ context.Context, _ Slot, raw json.RawMessage) error {
			_, err := operation.Args[operation.None]("model.key.status", raw)
			return err
		})},
		{Name: "model.key.set", Do: with(func(ctx context.Context, in Slot, raw json.RawMessage) error {
			a, err := operation.Args[set]("model.key.set", raw)
			if err != nil {
				// What could not be read may be the key.
				return app.Errorf(app.BadRequest, "model.key.set: expected {key, in}")
			}
			key, err := NewSecret(a.Key)
			if err != nil {
				return app.Errorf(app.InvalidInput, "%v", err)
			}
			return r.Set(ctx, in, key, a.In)
		})},
		{Name: "model.key.forget", Do: with(func(ctx context.Context, in Slot, raw json.RawMessage) error {
			if _, err := operation.Args[operation.None]("model.key.forget", raw); err != nil {
				return err
			}
			return r.Forget(ctx, in)
		})},
	}
}
