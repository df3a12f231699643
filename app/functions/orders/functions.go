package orders

import (
	"context"
	"fmt"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

type listInput struct {
	Status   string `json:"status,omitempty" jsonschema:"only orders with this status: open, shipped, delivered, cancelled or refunded"`
	From     string `json:"from,omitempty" jsonschema:"only orders placed on this date or later: 2026-11-23"`
	To       string `json:"to,omitempty" jsonschema:"only orders placed on this date or earlier: 2026-11-29"`
	Customer string `json:"customer,omitempty" jsonschema:"only orders of customers whose name contains this"`
}

type getInput struct {
	ID int64 `json:"id"`
}

type cancelInput struct {
	ID     int64  `json:"id"`
	Reason string `json:"reason,omitempty" jsonschema:"why, in a few words"`
}

type cancelOutput struct {
	ID     int64  `json:"id"`
	Status string `json:"status"`
}

type refundInput struct {
	ID     int64   `json:"id"`
	Amount float64 `json:"amount" jsonschema:"in dollars, at most two decimals"`
	Reason string  `json:"reason,omitempty" jsonschema:"why, in a few words"`
}

// valid refuses what can only fail before a card asks for it.
func (in refundInput) valid() error {
	if _, err := centsOf(in.Amount); err != nil {
		return app.Errorf(app.InvalidInput, "input.amount: %s", err)
	}
	return nil
}

type refundOutput struct {
	ID       int64   `json:"id"`
	Status   string  `json:"status"`
	Refunded float64 `json:"refunded" jsonschema:"what was given back for this order in all, in dollars"`
}

// Functions returns the family's functions, working on this store.
func (s *Store) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("orders.list", func(ctx context.Context, in listInput) ([]Order, error) {
			return s.orders(ctx, filter{status: in.Status, from: in.From, to: in.To, customer: in.Customer})
		},
			registry.Title("List orders"),
			registry.Description("Orders that match every given member, oldest first; all of them when none is given."),
		),
		registry.Define("orders.get", func(ctx context.Context, in getInput) (Order, error) {
			r, err := s.get(ctx, in.ID)
			return r.order(), err
		},
			registry.Title("Look up an order"),
			registry.Description("One order."),
		),
		registry.Define("orders.cancel", func(ctx context.Context, in cancelInput) (cancelOutput, error) {
			r, err := s.cancel(ctx, in.ID, in.Reason)
			return cancelOutput{ID: r.id, Status: r.status}, err
		},
			registry.Title("Cancel an order"),
			registry.Plural("Cancel {n} orders"),
			registry.Description("Cancels an order that is still open. It cannot be undone."),
			registry.Marked(),
			registry.Row(func(ctx context.Context, in cancelInput) string { return s.words(ctx, in.ID) }),
		),
		registry.Define("orders.refund", func(ctx context.Context, in refundInput) (refundOutput, error) {
			r, err := s.refund(ctx, in.ID, in.Amount, in.Reason)
			return refundOutput{ID: r.id, Status: r.status, Refunded: dollarsOf(r.refunded)}, err
		},
			registry.Title("Refund an order"),
			registry.Plural("Refund {n} orders"),
			registry.Description("Gives back all or a part of what was paid for a shipped or delivered order."),
			registry.Marked(), registry.Valid(refundInput.valid),
			registry.Row(func(ctx context.Context, in refundInput) string {
				cents, err := centsOf(in.Amount)
				if err != nil {
					return s.words(ctx, in.ID)
				}
				return fmt.Sprintf("%s back · %s", money(cents), s.words(ctx, in.ID))
			}),
		),
	}
}

// words name an order for the person who decides about it: “Order 1042 · Ada
// Lovelace · $129.00 · open”.
func (s *Store) words(ctx context.Context, id int64) string {
	r, err := s.get(ctx, id)
	if err != nil {
		return fmt.Sprintf("Order %d · not found", id)
	}
	return fmt.Sprintf("Order %d · %s · %s · %s", r.id, r.customer, money(r.cents), r.status)
}
