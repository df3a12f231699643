package orders

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
)

//go:embed seed.csv
var seedTable string

// firstID is the id of the oldest order of a new store.
const firstID = 1001

// seedOrders returns the orders of a new store as of now: the rows of seed.csv,
// in which week 0 is the current calendar week, 1 the last one, and day 1 is
// Monday. Rows of the current week that would lie in the future are placed
// today, so the last week's orders are the same on every day of the week.
func seedOrders(now time.Time) ([]record, error) {
	rows, err := csv.NewReader(strings.NewReader(seedTable)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read seed.csv: %w", err)
	}
	records := make([]record, 0, len(rows)-1)
	for i, row := range rows[1:] {
		week, weekErr := strconv.Atoi(row[0])
		day, dayErr := strconv.Atoi(row[1])
		total, totalErr := strconv.ParseFloat(row[4], 64)
		if weekErr != nil || dayErr != nil || totalErr != nil {
			return nil, fmt.Errorf("seed.csv, line %d: expected numbers for week, day and total, got %q", i+2, row)
		}
		cents, err := centsOf(total)
		if err != nil {
			return nil, fmt.Errorf("seed.csv, line %d: %w", i+2, err)
		}
		records = append(records, record{
			id:       firstID + int64(i),
			customer: row[2],
			item:     row[3],
			cents:    cents,
			status:   row[5],
			placed:   placedOn(now, week, day),
		})
	}
	return records, nil
}

// placedOn is the date of a day of the calendar week that lies weeks before the
// one of now, but never after now.
func placedOn(now time.Time, weeks, day int) string {
	sinceMonday := (int(now.Weekday()) + 6) % 7
	// Noon exists on every day in every zone; midnight does not.
	date := time.Date(now.Year(), now.Month(), now.Day()-sinceMonday-7*weeks+day-1, 12, 0, 0, 0, now.Location())
	today := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, now.Location())
	if date.After(today) {
		date = today
	}
	return date.Format(time.DateOnly)
}
