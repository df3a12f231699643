package desk

import (
	"context"
	"net/http"
	"slices"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/keys"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/settings"
)

// models is all that answers for a model.
type models struct {
	handler    http.Handler // of the page's model traffic
	operations []app.Operation
	end        func() // the page is gone; what it asked of a model ends
}

// openModels joins the offline player, and the forwarder to the model that the
// settings name, with the key that is kept for it.
func (b Build) openModels(d *desk, s setup) (*models, error) {
	player, err := model.Offline(s.scene)
	if err != nil {
		return nil, err
	}
	ring := keys.New(keys.DefaultPath())
	set := func() settings.Model { return d.settings.Current().Model }
	forwarder := model.NewForwarder(model.Config{
		Agent: "Countersign/" + b.Version,
		Target: func() model.Target {
			m := set()
			return model.Target{Provider: string(m.Provider), Address: m.Address(), Name: m.Name}
		},
		Key: func(ctx context.Context, t model.Target) (string, error) {
			own := t.Address == settings.Provider(t.Provider).Address()
			key, err := ring.Find(ctx, keys.SlotFor(t.Provider, t.Address, own))
			return key.Secret.Reveal(), err
		},
	})
	slot := func() (keys.Slot, bool) {
		m := set()
		if m.Provider == settings.Offline {
			return keys.Slot{}, false
		}
		return keys.SlotFor(string(m.Provider), m.Address(), m.Address() == m.Provider.Address()), true
	}
	return &models{
		handler:    model.Both(player, forwarder),
		operations: slices.Concat(ring.Operations(slot), forwarder.Operations()),
		end:        forwarder.EndAll,
	}, nil
}
