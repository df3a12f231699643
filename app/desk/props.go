package desk

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/demo"
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
	opened []func() error
}

// openProps opens, and makes when it is not there, what these families work on.
func openProps(folder string, families []string) (_ *props, err error) {
	p := &props{}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if slices.Contains(families, "orders") {
		if p.orders, err = orders.Open(filepath.Join(folder, "orders.db")); err != nil {
			return nil, err
		}
		p.opened = append(p.opened, p.orders.Close)
	}
	if slices.Contains(families, "mail") {
		if p.canary, err = probe.Open(); err != nil {
			return nil, err
		}
		p.opened = append(p.opened, p.canary.Close)
		if p.mail, err = mail.Open(filepath.Join(folder, "mail"), p.canary.Address()); err != nil {
			return nil, err
		}
	}
	return p, nil
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
