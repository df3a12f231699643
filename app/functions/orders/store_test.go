package orders

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

var wednesday = time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC)

func TestAStoreKeepsItsOrdersWhenOpenedAgainOnAnotherDay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a store? 100%#.db")
	first, err := OpenAt(path, wednesday)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.cancel(t.Context(), 1041, "asked to"); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := OpenAt(path, wednesday.AddDate(0, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	order, err := second.get(t.Context(), 1041)
	if err != nil || order.status != "cancelled" || order.reason != "asked to" || order.placed != "2026-11-23" {
		t.Fatalf("order 1041 is %+v, %v", order, err)
	}
	all, err := second.list(t.Context(), filter{})
	if err != nil || len(all) != 60 {
		t.Fatalf("%d orders, %v", len(all), err)
	}
}

func TestTheFileIsReadableByItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.db")
	store, err := OpenAt(path, wednesday)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", filepath.Base(name), info.Mode().Perm())
		}
	}
}

func TestANewerOrForeignFileIsRefused(t *testing.T) {
	newer := filepath.Join(t.TempDir(), "newer.db")
	db, err := sql.Open("sqlite3", newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	if err := os.WriteFile(foreign, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{newer: "got 99", foreign: "not a database"} {
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("opening %s gives %v, expected it to say %q", path, err, want)
		}
		if path != foreign {
			continue // asking for WAL is written into any SQLite file's header
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
			t.Errorf("%s was changed: %v", path, err)
		}
	}
}

func TestListNarrowsByEveryMember(t *testing.T) {
	store := openStore(t, wednesday)
	for _, c := range []struct {
		name string
		filter
		want []int64
	}{
		{"status and dates, both ends included", filter{status: "open", from: "2026-11-23", to: "2026-11-23"}, []int64{1041, 1042}},
		{"a customer's part in any case, beyond ASCII", filter{customer: "CAFÉ", from: "2026-11-23"}, []int64{1043, 1056}},
		{"nothing", filter{customer: "nobody"}, nil},
		{"no pattern characters", filter{customer: "%"}, nil},
		{"no SQL", filter{customer: "' OR '1'='1"}, nil},
	} {
		found, err := store.list(t.Context(), c.filter)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var ids []int64
		for _, r := range found {
			ids = append(ids, r.id)
		}
		if len(ids) != len(c.want) || (len(ids) > 0 && (ids[0] != c.want[0] || ids[len(ids)-1] != c.want[len(c.want)-1])) {
			t.Errorf("%s: got %v, expected %v", c.name, ids, c.want)
		}
	}
}

func TestChangesRefuseWithAReadableReason(t *testing.T) {
	store := openStore(t, wednesday)
	ctx := t.Context()
	if _, err := store.refund(ctx, 1001, 40, ""); err != nil { // $48, delivered
		t.Fatal(err)
	}
	cancel := func(id int64) func() error {
		return func() error { _, err := store.cancel(ctx, id, ""); return err }
	}
	refund := func(id int64, dollars float64) func() error {
		return func() error { _, err := store.refund(ctx, id, dollars, ""); return err }
	}
	list := func(f filter) func() error {
		return func() error { _, err := store.list(ctx, f); return err }
	}
	for _, c := range []struct {
		name string
		do   func() error
		code app.Code
		want string
	}{
		{"cancel a shipped one", cancel(1043), app.FunctionFailed, "order 1043 cannot be cancelled: it is shipped, and only an open order can be; orders.refund can give its money back"},
		{"cancel twice", cancel(1045), app.FunctionFailed, "order 1045 is cancelled already"},
		{"cancel none", cancel(7), app.FunctionFailed, "there is no order 7; orders.list gives the ids that exist"},
		{"refund an open one", refund(1041, 1), app.FunctionFailed, "order 1041 cannot be refunded: it is open; orders.cancel cancels it"},
		{"refund a cancelled one", refund(1045, 1), app.FunctionFailed, "order 1045 cannot be refunded: it is cancelled already"},
		{"refund more than is left", refund(1001, 8.01), app.FunctionFailed, "order 1001 cannot be refunded by $8.01: $8.00 of its $48.00 is left to refund"},
		{"refund a fraction of a cent", refund(1001, 0.005), app.InvalidInput, "input.amount: expected an amount with at most two decimals, got 0.005"},
		{"refund nothing", refund(1001, 0), app.InvalidInput, "input.amount: expected an amount from 0.01 to 10000000 dollars, got 0"},
		{"refund a debt", refund(1001, -5), app.InvalidInput, "input.amount: expected an amount from 0.01 to 10000000 dollars, got -5"},
		{"list by an unknown status", list(filter{status: "Open"}), app.InvalidInput, `input.status: expected one of open, shipped, delivered, cancelled, refunded, got "Open"`},
		{"list from no date", list(filter{from: "last week"}), app.InvalidInput, `input.from: expected a date such as 2026-11-23, got "last week"`},
		{"list to no day", list(filter{to: "2026-02-30"}), app.InvalidInput, `input.to: expected a date such as 2026-11-23, got "2026-02-30"`},
		{"list backwards", list(filter{from: "2026-02-02", to: "2026-02-01"}), app.InvalidInput, "input.from: expected a date not after input.to, got 2026-02-02 after 2026-02-01"},
	} {
		err := c.do()
		if app.CodeOf(err) != c.code || err == nil || err.Error() != string(c.code)+": "+c.want {
			t.Errorf("%s:\n got %v\nwant %s: %s", c.name, err, c.code, c.want)
		}
	}
}

func TestARefundOfTheWholeMarksTheOrder(t *testing.T) {
	store := openStore(t, wednesday)
	part, err := store.refund(t.Context(), 1001, 47.71, "late")
	if err != nil || part.status != "delivered" || part.refunded != 47_71 {
		t.Fatalf("%+v, %v", part, err)
	}
	whole, err := store.refund(t.Context(), 1001, 0.29, "late")
	if err != nil || whole.status != "refunded" || whole.refunded != 48_00 {
		t.Fatalf("%+v, %v", whole, err)
	}
}

func TestOfManyCancellingAtOnceOneSucceeds(t *testing.T) {
	store := openStore(t, wednesday)
	errs := make([]error, 16)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() { _, errs[i] = store.cancel(t.Context(), 1047, "race") })
	}
	group.Wait()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
		} else if !strings.Contains(err.Error(), "cancelled already") {
			t.Error(err)
		}
	}
	if succeeded != 1 {
		t.Errorf("%d succeeded, expected 1", succeeded)
	}
}

func TestCentsAreExact(t *testing.T) {
	for cents := int64(1); cents <= 200_000; cents++ {
		if back, err := centsOf(dollarsOf(cents)); err != nil || back != cents {
			t.Fatalf("%d cents come back as %d, %v", cents, back, err)
		}
	}
	for cents, want := range map[int64]string{1: "$0.01", 99_999: "$999.99", 100_000: "$1,000.00", 123_456_789: "$1,234,567.89"} {
		if got := money(cents); got != want {
			t.Errorf("%d cents are %s, expected %s", cents, got, want)
		}
	}
}
