package settings

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// state is what the page is told.
type state struct {
	Revision int64     `json:"revision"`
	Path     string    `json:"path"`
	Exists   bool      `json:"exists"`
	Fixed    bool      `json:"fixed"` // of a demo; changes are refused
	InForce  Source    `json:"inForce"`
	Settings page      `json:"settings"`
	Defaults page      `json:"defaults"`
	Problems []Problem `json:"problems"`
}

func (s *Store) state(status Status) state {
	return state{
		status.Revision, s.config.Path, status.Exists, s.fixed, status.Source,
		toPage(status.Settings), toPage(Defaults()), append([]Problem{}, status.Problems...),
	}
}

// Operations are what the page may ask for:
//
//	settings.read   {}                                → state
//	settings.watch  {since: revision}                 → state, when it is another one
//	settings.change {revision, settings, confirmed}   → {applied, loosened: [{field, text, …}], state}
//	settings.reload {}                                → state
//	settings.aside  {}                                → state; the file with mistakes is put aside
func (s *Store) Operations() []app.Operation {
	type since struct {
		Since int64 `json:"since"`
	}
	type change struct {
		Revision  int64 `json:"revision"`
		Settings  page  `json:"settings"`
		Confirmed bool  `json:"confirmed"`
	}
	type changed struct {
		Applied  bool     `json:"applied"`
		Loosened []Change `json:"loosened"`
		State    state    `json:"state"`
	}
	return []app.Operation{
		op("settings.read", func(context.Context, operation.None) (any, error) { return s.state(s.Status()), nil }),
		op("settings.watch", func(ctx context.Context, a since) (any, error) {
			status, err := s.Watch(ctx, a.Since)
			return s.state(status), err
		}),
		op("settings.change", func(_ context.Context, a change) (any, error) {
			wanted, err := fromPage(a.Settings, s.Current())
			if err != nil {
				return nil, err
			}
			result, err := s.Change(a.Revision, wanted, a.Confirmed)
			if err != nil {
				return nil, err
			}
			return changed{result.Applied, append([]Change{}, result.Loosened...), s.state(s.Status())}, nil
		}),
		op("settings.reload", func(context.Context, operation.None) (any, error) {
			s.Reload()
			return s.state(s.Status()), nil
		}),
		op("settings.aside", func(context.Context, operation.None) (any, error) {
			if err := s.PutAside(); err != nil {
				return nil, err
			}
			return s.state(s.Status()), nil
		}),
	}
}

func op[T any](name string, do func(context.Context, T) (any, error)) app.Operation {
	return app.Operation{Name: name, Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
		args, err := operation.Args[T](name, raw)
		if err != nil {
			return nil, err
		}
		return do(ctx, args)
	}}
}

// shown puts old values in the place of those that the page was not shown.
func shown(server string, pairs map[string]*string, old map[string]string) (map[string]string, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	values := make(map[string]string, len(pairs))
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		switch value := pairs[name]; {
		case value != nil:
			values[name] = *value
		default:
			kept, is := old[name]
			if !is {
				return nil, app.Errorf(app.InvalidInput, "the MCP server %s: write the value of %s again; what it was before belongs to another server", server, name)
			}
			values[name] = kept
		}
	}
	return values, nil
}
