package orders

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app"
)

const columns = "id, customer, item, cents, refunded, status, placed, reason"

// statuses are those that an order can have, in the order of its life.
var statuses = []string{"open", "shipped", "delivered", "cancelled", "refunded"}

// filter narrows a list of orders; an empty member does not.
type filter struct {
	status   string
	from, to string // local dates, both included
	customer string // a part of the name, in any case
}

// check refuses what would silently match nothing.
func (f filter) check() error {
	if f.status != "" && !slices.Contains(statuses, f.status) {
		return app.Errorf(app.InvalidInput, "input.status: expected one of %s, got %q", strings.Join(statuses, ", "), f.status)
	}
	for _, member := range []struct{ name, date string }{{"from", f.from}, {"to", f.to}} {
		if member.date == "" {
			continue
		}
		if _, err := time.Parse(time.DateOnly, member.date); err != nil {
			return app.Errorf(app.InvalidInput, "input.%s: expected a date such as 2026-11-23, got %q", member.name, member.date)
		}
	}
	if f.from != "" && f.to != "" && f.from > f.to {
		return app.Errorf(app.InvalidInput, "input.from: expected a date not after input.to, got %s after %s", f.from, f.to)
	}
	return nil
}

// list returns the orders that match, oldest first.
func (s *Store) list(ctx context.Context, f filter) ([]record, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT "+columns+` FROM orders
		WHERE (?1 = '' OR status = ?1) AND (?2 = '' OR placed >= ?2) AND (?3 = '' OR placed <= ?3)
		ORDER BY placed, id`, f.status, f.from, f.to)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []record{}
	for rows.Next() {
		r, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		// SQLite folds the case of ASCII letters only; names have others.
		if f.customer == "" || strings.Contains(strings.ToLower(r.customer), strings.ToLower(f.customer)) {
			found = append(found, r)
		}
	}
	return found, rows.Err()
}

// get returns one order.
func (s *Store) get(ctx context.Context, id int64) (record, error) {
	r, err := scan(s.db.QueryRowContext(ctx, "SELECT "+columns+" FROM orders WHERE id = ?", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return record{}, app.Errorf(app.FunctionFailed, "there is no order %d; orders.list gives the ids that exist", id)
	}
	return r, err
}

func scan(into func(...any) error) (record, error) {
	var r record
	err := into(&r.id, &r.customer, &r.item, &r.cents, &r.refunded, &r.status, &r.placed, &r.reason)
	return r, err
}
