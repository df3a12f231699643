//go:build !linux && !windows && !(darwin && cgo)

package card

import (
	"context"
	"errors"
)

// show cannot: there is no native card for this system yet, so everything that
// needs a decision is rejected.
func show(context.Context, *sheet) (outcome, error) {
	return outcome{}, errors.New("there is no approval card for this system yet; nothing is approved")
}
