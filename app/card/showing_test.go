package card

import (
	"context"
	"errors"
	"testing"
)

func TestWhatBreaksApprovesNothingWhateverItSaysOfItsEnd(t *testing.T) {
	s := newShowing()
	s.isShown()
	s.fail(errors.New("a bug"))
	s.end(outcome{how: ran, ticks: []bool{true}})
	if out, err := s.wait(t.Context(), func() {}); err == nil || out.how == ran {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestAPressThatCameBeforeTheEndOfTheRunCounts(t *testing.T) {
	s := newShowing()
	s.isShown()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, err := s.wait(ctx, func() { s.end(outcome{how: ran, ticks: []bool{true}}) })
	if err != nil || out.how != ran {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestAWindowThatDoesNotAnswerWhenItIsToldToCloseIsClosed(t *testing.T) {
	s := newShowing()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	told := false
	out, err := s.wait(ctx, func() { told = true })
	if err != nil || out.how != closed || !told {
		t.Errorf("got %+v, %v, told: %v", out, err, told)
	}
}

func TestOnlyTheFirstEndCounts(t *testing.T) {
	s := newShowing()
	s.end(outcome{how: rejected})
	s.end(outcome{how: ran, ticks: []bool{true}})
	if out, err := s.wait(t.Context(), func() {}); err != nil || out.how != rejected {
		t.Errorf("got %+v, %v", out, err)
	}
}
