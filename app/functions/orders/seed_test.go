package orders

import (
	"path/filepath"
	"testing"
	"time"
)

// lastWeek is the demo's own definition, by another way than seed.go's: walk
// back to the Sunday before this week, and from there to its Monday.
func lastWeek(now time.Time) (monday, sunday string) {
	day := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, now.Location())
	for day.Weekday() != time.Monday {
		day = day.AddDate(0, 0, -1)
	}
	day = day.AddDate(0, 0, -1)
	sunday = day.Format(time.DateOnly)
	for day.Weekday() != time.Monday {
		day = day.AddDate(0, 0, -1)
	}
	return day.Format(time.DateOnly), sunday
}

// Every day of five years: each weekday, the borders of months and years, a
// leap day, years with 53 ISO weeks, and the days on which clocks change.
func everyDay(t *testing.T, check func(now time.Time)) {
	t.Helper()
	for _, name := range []string{"UTC", "America/New_York", "Pacific/Apia", "America/Sao_Paulo"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, hour := range []int{0, 23} {
			first := time.Date(2023, 12, 1, hour, 59, 59, 0, zone)
			for n := range 5 * 366 {
				check(first.AddDate(0, 0, n))
			}
		}
	}
}

func TestExactlyThreeOrdersMatchTheSceneOnEveryDay(t *testing.T) {
	everyDay(t, func(now time.Time) {
		orders, err := seedOrders(now)
		if err != nil {
			t.Fatal(err)
		}
		monday, sunday := lastWeek(now)
		var matches []int64
		for _, o := range orders {
			if o.status == "open" && o.cents > 100_00 && o.placed >= monday && o.placed <= sunday {
				matches = append(matches, o.id)
			}
		}
		if len(matches) != 3 || matches[0] != 1041 || matches[1] != 1047 || matches[2] != 1052 {
			t.Fatalf("on %s (%s): orders %v match, expected 1041, 1047 and 1052", now, now.Weekday(), matches)
		}
	})
}

func TestSeededOrdersAreInOrderAndNeverInTheFuture(t *testing.T) {
	everyDay(t, func(now time.Time) {
		orders, err := seedOrders(now)
		if err != nil {
			t.Fatal(err)
		}
		if len(orders) != 60 {
			t.Fatalf("%d orders, expected 60", len(orders))
		}
		for i, o := range orders {
			if o.placed > now.Format(time.DateOnly) {
				t.Fatalf("on %s: order %d is placed on %s", now, o.id, o.placed)
			}
			if i > 0 && o.placed < orders[i-1].placed {
				t.Fatalf("on %s: order %d is older than the one before it", now, o.id)
			}
		}
	})
}

func TestTheSceneHasNearMissesOnEachSide(t *testing.T) {
	now := time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC) // a Wednesday
	store := openStore(t, now)
	monday, sunday := lastWeek(now)
	for _, c := range []struct {
		name string
		is   func(record) bool
	}{
		{"open, last week, exactly $100", func(r record) bool {
			return r.status == "open" && r.cents == 100_00 && r.placed >= monday && r.placed <= sunday
		}},
		{"over $100, last week, shipped", func(r record) bool {
			return r.status == "shipped" && r.cents > 100_00 && r.placed >= monday && r.placed <= sunday
		}},
		{"open, over $100, the day before last week", func(r record) bool {
			return r.status == "open" && r.cents > 100_00 && r.placed == "2026-11-22"
		}},
		{"open, over $100, the day after last week", func(r record) bool {
			return r.status == "open" && r.cents > 100_00 && r.placed == "2026-11-30"
		}},
		{"a match on the first day", func(r record) bool { return r.id == 1041 && r.placed == monday }},
		{"a match on the last day, one cent over", func(r record) bool {
			return r.id == 1052 && r.placed == sunday && r.cents == 100_01
		}},
	} {
		found, err := store.list(t.Context(), filter{})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, r := range found {
			if c.is(r) {
				count++
			}
		}
		if count == 0 {
			t.Errorf("no order is %s", c.name)
		}
	}
}

func openStore(t *testing.T, now time.Time) *Store {
	t.Helper()
	store, err := OpenAt(filepath.Join(t.TempDir(), "orders.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}
