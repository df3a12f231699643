package orders

import (
	"context"

	"github.com/faustine-ai/countersign/app"
)

// cancel cancels an open order. The condition is part of the statement, so two
// callers cannot both succeed.
func (s *Store) cancel(ctx context.Context, id int64, reason string) (record, error) {
	changed, err := s.change(ctx,
		"UPDATE orders SET status = 'cancelled', reason = ? WHERE id = ? AND status = 'open'", reason, id)
	if err != nil {
		return record{}, err
	}
	r, err := s.get(ctx, id)
	if err != nil {
		return record{}, err
	}
	if changed {
		return r, nil
	}
	switch r.status {
	case "cancelled":
		return record{}, app.Errorf(app.FunctionFailed, "order %d is cancelled already", id)
	case "shipped", "delivered":
		return record{}, app.Errorf(app.FunctionFailed, "order %d cannot be cancelled: it is %s, and only an open order can be; orders.refund can give its money back", id, r.status)
	default:
		return record{}, app.Errorf(app.FunctionFailed, "order %d cannot be cancelled: it is %s, and only an open order can be", id, r.status)
	}
}

// refund gives back a part of what was paid for a shipped or delivered order.
// What is given back in all never exceeds its total.
func (s *Store) refund(ctx context.Context, id int64, dollars float64, reason string) (record, error) {
	cents, err := centsOf(dollars)
	if err != nil {
		return record{}, app.Errorf(app.InvalidInput, "input.amount: %s", err)
	}
	changed, err := s.change(ctx, `UPDATE orders
		SET refunded = refunded + ?1, status = CASE WHEN refunded + ?1 = cents THEN 'refunded' ELSE status END, reason = ?2
		WHERE id = ?3 AND status IN ('shipped', 'delivered') AND refunded + ?1 <= cents`, cents, reason, id)
	if err != nil {
		return record{}, err
	}
	r, err := s.get(ctx, id)
	if err != nil {
		return record{}, err
	}
	if changed {
		return r, nil
	}
	switch r.status {
	case "shipped", "delivered":
		return record{}, app.Errorf(app.FunctionFailed, "order %d cannot be refunded by %s: %s of its %s is left to refund", id, money(cents), money(r.cents-r.refunded), money(r.cents))
	case "open":
		return record{}, app.Errorf(app.FunctionFailed, "order %d cannot be refunded: it is open; orders.cancel cancels it", id)
	default:
		return record{}, app.Errorf(app.FunctionFailed, "order %d cannot be refunded: it is %s already", id, r.status)
	}
}

func (s *Store) change(ctx context.Context, statement string, arguments ...any) (bool, error) {
	result, err := s.db.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return false, err
	}
	count, err := result.RowsAffected()
	return count == 1, err
}
