package bridge

import (
	"context"
	"encoding/json"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// SelfTest has the page run its isolation checks in place of opening.
type SelfTest struct {
	Canary string                          // an address that nothing in the sandbox may reach
	Report func(raw json.RawMessage) error // takes each result; an error refuses it
}

type selfTestReply struct {
	Canary string `json:"canary"`
}

func selfTestReport(b *Bridge, _ context.Context, _ *load, r request) (any, error) {
	if b.config.SelfTest == nil {
		return nil, app.Errorf(app.BadRequest, "selftest.report: this start is no self-test")
	}
	if err := b.config.SelfTest.Report(r.Args); err != nil {
		return nil, app.Errorf(app.BadRequest, "%s", err.Error())
	}
	return operation.None{}, nil
}
