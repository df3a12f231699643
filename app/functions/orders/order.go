package orders

import "context"

// Order is an order as functions give it to programs.
type Order struct {
	ID       int64   `json:"id"`
	Customer string  `json:"customer"`
	Item     string  `json:"item"`
	Total    float64 `json:"total" jsonschema:"in dollars"`
	Status   string  `json:"status" jsonschema:"open, shipped, delivered, cancelled or refunded"`
	Placed   string  `json:"placed" jsonschema:"local date: 2026-11-23"`
	Refunded float64 `json:"refunded,omitempty" jsonschema:"what was given back of it, in dollars"`
}

func (r record) order() Order {
	return Order{ID: r.id, Customer: r.customer, Item: r.item, Total: dollarsOf(r.cents), Status: r.status, Placed: r.placed, Refunded: dollarsOf(r.refunded)}
}

// All returns every order, oldest first.
func (s *Store) All(ctx context.Context) ([]Order, error) { return s.orders(ctx, filter{}) }

func (s *Store) orders(ctx context.Context, f filter) ([]Order, error) {
	records, err := s.list(ctx, f)
	if err != nil {
		return nil, err
	}
	orders := make([]Order, len(records)) // never nil: a program iterates over it
	for i, r := range records {
		orders[i] = r.order()
	}
	return orders, nil
}
