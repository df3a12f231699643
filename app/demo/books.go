package demo

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

// Books is the name of the folder of the scene ask-the-database; its database is
// Books/invoices.db.
const Books = "Books"

const booksSchema = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE invoices (
	id       INTEGER PRIMARY KEY,
	customer INTEGER NOT NULL REFERENCES customers (id),
	amount   REAL NOT NULL,
	due      TEXT NOT NULL, -- 2026-11-23
	paid     TEXT,          -- when
	reminded TEXT           -- when
);`

var customers = []string{
	"Mira Patel", "Jonas Weber", "Harbour Books", "Green Door Café", "Aya Tanaka", "Studio Lindqvist", "Tomas Berg", "Ines Oliveira",
}

// Invoice is as much of an invoice as a check looks at.
type Invoice struct {
	ID                  int64
	Due, Paid, Reminded string // local dates; "": not
}

// MakeBooks makes the database of the scene ask-the-database: 400 invoices, due
// on days around now.
func MakeBooks(file string, now time.Time) (err error) {
	db, err := openBooks(file, "rwc")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	if _, err := tx.Exec(booksSchema); err != nil {
		return err
	}
	for i, name := range customers {
		if _, err := tx.Exec("INSERT INTO customers VALUES (?, ?)", i+1, name); err != nil {
			return err
		}
	}
	day := func(n int) string {
		return time.Date(now.Year(), now.Month(), now.Day()+n, 12, 0, 0, 0, now.Location()).Format(time.DateOnly)
	}
	for i := range 400 {
		due := i*7%230 - 200 // from 200 days ago to a month from now
		var paid, reminded any
		if i%9 != 0 {
			paid = day(min(due-3, 0))
		}
		if i%27 == 0 && due < -90 {
			reminded = day(due + 30)
		}
		amount := float64(1000+i*3571%90000) / 100
		if _, err := tx.Exec("INSERT INTO invoices VALUES (?, ?, ?, ?, ?, ?)", 2001+i, i*5%len(customers)+1, amount, day(due), paid, reminded); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func openBooks(file, mode string) (*sql.DB, error) {
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: "mode=" + mode}
	return sql.Open("sqlite3", address.String())
}

// ReadBooks reads every invoice, by number.
func ReadBooks(ctx context.Context, file string) (invoices []Invoice, err error) {
	db, err := openBooks(file, "ro")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, "SELECT id, due, coalesce(paid, ''), coalesce(reminded, '') FROM invoices ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("read the invoices: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var i Invoice
		if err := rows.Scan(&i.ID, &i.Due, &i.Paid, &i.Reminded); err != nil {
			return nil, err
		}
		invoices = append(invoices, i)
	}
	return invoices, rows.Err()
}

// remindedOverdue: exactly the invoices that are unpaid, sixty days over and not
// reminded of were noted as reminded, if and only if that was approved; and the
// query that tried to change something has failed.
func remindedOverdue(e Ending, all []*call, say Say) {
	approved, refusals := false, 0
	for _, c := range all {
		switch {
		case c.fn == "database.execute":
			approved = approved || c.approved()
		case c.requested:
			say("%s came to a card", c.fn)
		case c.fn == "database.query" && c.settled != nil && c.settled.Error != nil:
			refusals++
		}
	}
	if refusals != 1 {
		say("%d queries failed, expected the one that tried to change something", refusals)
	}
	limit := time.Date(e.Now.Year(), e.Now.Month(), e.Now.Day()-60, 12, 0, 0, 0, e.Now.Location()).Format(time.DateOnly)
	overdue := 0
	for i, was := range e.Before.Invoices {
		is := e.After.Invoices[i]
		want := was
		if was.Paid == "" && was.Reminded == "" && was.Due < limit {
			overdue++
			if approved {
				want.Reminded = e.Now.Format(time.DateOnly)
			}
		}
		if is != want {
			say("invoice %d is %+v, expected %+v", was.ID, is, want)
		}
	}
	if overdue == 0 || len(e.After.Invoices) != len(e.Before.Invoices) {
		say("%d of %d invoices were overdue before, and there are %d now", overdue, len(e.Before.Invoices), len(e.After.Invoices))
	}
}
