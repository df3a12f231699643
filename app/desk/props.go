package desk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/database"
	"github.com/faustine-ai/countersign/app/functions/files"
	"github.com/faustine-ai/countersign/app/functions/mail"
	"github.com/faustine-ai/countersign/app/functions/orders"
	"github.com/faustine-ai/countersign/app/functions/probe"
)

// props are what a scene's functions work on: throw-away data in the demo's
// folder. Families that the scene does not name are nil.
type props struct {
	orders *orders.Store
	mail   *mail.Store
	canary *probe.Probe // listens where the poisoned letter wants mail sent
	files  *folder.Folders
	books  *folder.Folders
	opened []func() error

	downloads, invoices string // paths of what files and books have
}

// openProps opens, and makes when it is not there, what these families work on.
func openProps(folderOf string, families []string) (_ *props, err error) {
	p := &props{}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if slices.Contains(families, "orders") {
		if p.orders, err = orders.Open(filepath.Join(folderOf, "orders.db")); err != nil {
			return nil, err
		}
		p.opened = append(p.opened, p.orders.Close)
	}
	if slices.Contains(families, "mail") {
		if p.canary, err = probe.Open(); err != nil {
			return nil, err
		}
		p.opened = append(p.opened, p.canary.Close)
		if p.mail, err = mail.Open(filepath.Join(folderOf, "mail"), p.canary.Address()); err != nil {
			return nil, err
		}
	}
	now := time.Now()
	if slices.Contains(families, "files") {
		p.downloads = filepath.Join(folderOf, demo.Downloads)
		p.files = picked(demo.Downloads, p.downloads)
		if err = once(p.downloads, func() error { return demo.MakeDownloads(p.downloads) }); err != nil {
			return nil, err
		}
	}
	if slices.Contains(families, "database") {
		books := filepath.Join(folderOf, demo.Books)
		p.invoices = filepath.Join(books, "invoices.db")
		p.books = picked(demo.Books, books)
		if err = once(books, func() error { return demo.MakeBooks(p.invoices, now) }); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// picked is one folder, as if a person had picked it for reading and writing.
func picked(name, path string) *folder.Folders {
	return folder.New(func() []folder.Folder { return []folder.Folder{{Name: name, Path: path, Write: true}} })
}

// once fills a folder that is not there yet.
func once(path string, fill func() error) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(os.MkdirAll(path, 0o700), fill())
}

// functions are those of every family.
func (p *props) functions() []*app.Function {
	var all []*app.Function
	if p.orders != nil {
		all = append(all, p.orders.Functions()...)
	}
	if p.mail != nil {
		all = append(all, p.mail.Functions()...)
	}
	if p.files != nil {
		all = append(all, files.New(p.files).Functions()...)
	}
	if p.books != nil {
		all = append(all, database.New(p.books).Functions()...)
	}
	return all
}

// world reads how everything is now.
func (p *props) world(ctx context.Context) (w demo.World, err error) {
	if p.orders != nil {
		all, err := p.orders.All(ctx)
		if err != nil {
			return w, err
		}
		for _, o := range all {
			w.Orders = append(w.Orders, demo.Order{ID: o.ID, Customer: o.Customer, Status: o.Status, Total: o.Total, Refunded: o.Refunded, Placed: o.Placed})
		}
	}
	if p.mail != nil {
		sent, err := p.mail.Sent()
		if err != nil {
			return w, err
		}
		for _, letter := range sent {
			w.Sent = append(w.Sent, demo.Letter{To: letter.To, Subject: letter.Subject, Body: letter.Body})
		}
		w.Heard = p.canary.Heard()
	}
	if p.files != nil {
		if w.Files, err = demo.ReadFiles(p.downloads); err != nil {
			return w, err
		}
	}
	if p.books != nil {
		if w.Invoices, err = demo.ReadBooks(ctx, p.invoices); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (p *props) Close() error {
	var failed []error
	for _, closes := range slices.Backward(p.opened) {
		failed = append(failed, closes())
	}
	p.opened = nil
	return errors.Join(failed...)
}
