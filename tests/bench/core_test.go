// Package bench measures what crosses packages.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/sqlite"
)

type order struct {
	ID int `json:"id"`
}

type approver struct{}

func (approver) Present(_ context.Context, c app.Card) (app.Answer, error) {
	a := app.Answer{By: app.ByUser}
	for _, r := range c.Rows {
		a.Approve = append(a.Approve, r.CallID)
	}
	return a, nil
}

type page struct {
	*bridge.Bridge
	secret string
	id     int
}

// open opens the whole core, with the real log, behind a bridge.
func open(b *testing.B) *page {
	b.Helper()
	log, err := sqlite.Open(filepath.Join(b.TempDir(), "log.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	return openWith(b, log)
}

func openWith(b *testing.B, log app.Log) *page {
	b.Helper()
	echo := func(_ context.Context, in order) (order, error) { return in, nil }
	functions, err := registry.New(registry.Define("orders.get", echo), registry.Define("orders.cancel", echo, registry.Marked()))
	if err != nil {
		b.Fatal(err)
	}
	held := gate.New(log, functions, approver{})
	p := &page{}
	if p.secret, err = bridge.NewSecret(); err != nil {
		b.Fatal(err)
	}
	if p.Bridge, err = bridge.New(bridge.Config{Secret: p.secret, Log: log, Functions: functions, Gate: held, Dispatch: dispatch.New(log, functions, held)}); err != nil {
		b.Fatal(err)
	}
	p.do(b, `"hello","args":{}`)
	p.do(b, `"run.begin","args":{"runId":"r1","request":"","code":"","model":""}`)
	return p
}

// do sends requests in one envelope and polls until all are answered.
func (p *page) do(b *testing.B, ops ...string) {
	var submit []string
	for _, op := range ops {
		p.id++
		submit = append(submit, fmt.Sprintf(`{"id":%d,"op":%s}`, p.id, op))
	}
	for answered := 0; answered < len(ops); {
		var reply struct {
			Done []struct{ Error *struct{ Message string } }
		}
		text := p.Call(fmt.Sprintf(`{"secret":%q,"submit":[%s]}`, p.secret, strings.Join(submit, ",")))
		if err := json.Unmarshal([]byte(text), &reply); err != nil || len(reply.Done) == 0 || reply.Done[0].Error != nil {
			b.Fatal(text, err)
		}
		answered, submit = answered+len(reply.Done), nil
	}
}

func call(fn string, i int) string {
	return fmt.Sprintf(`"call","args":{"runId":"r1","callId":"c%d","seq":%d,"fn":%q,"input":{"id":7}}`, i, i, fn)
}

// One unmarked call after the other, their entries committed meanwhile.
func BenchmarkUnmarkedCall(b *testing.B) {
	p := open(b)
	for i := 1; b.Loop(); i++ {
		p.do(b, call("orders.get", i))
	}
}

// The same with a log in memory: the difference is what logging adds.
func BenchmarkUnmarkedCallWithoutADisk(b *testing.B) {
	p := openWith(b, &logtest.Memory{})
	for i := 1; b.Loop(); i++ {
		p.do(b, call("orders.get", i))
	}
}

// Thirty-two unmarked calls in one envelope, as Promise.all makes them.
func BenchmarkUnmarkedCallsTogether(b *testing.B) {
	p := open(b)
	for i := 1; b.Loop(); i += 32 {
		var ops []string
		for n := range 32 {
			ops = append(ops, call("orders.get", i+n))
		}
		p.do(b, ops...)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/32, "µs/call")
}

// A decision and its call: requested, decided, started, settled.
func BenchmarkMarkedCall(b *testing.B) {
	p := open(b)
	for i := 1; b.Loop(); i++ {
		p.do(b, fmt.Sprintf(`"decide","args":{"runId":"r1","rows":[{"callId":"c%d","seq":%d,"fn":"orders.cancel","input":{"id":7}}]}`, i, i))
		p.do(b, call("orders.cancel", i))
	}
}
