package app

import (
	"errors"
	"fmt"
)

// Code is a stable, machine-readable kind of error. Texts are free; codes are
// the contract.
type Code string

const (
	UnknownFunction  Code = "UnknownFunction"
	InvalidInput     Code = "InvalidInput"
	InvalidOutput    Code = "InvalidOutput"
	ApprovalRequired Code = "ApprovalRequired" // a marked call without an unused decision
	LogUnavailable   Code = "LogUnavailable"   // the log cannot be written
	NotRecorded      Code = "NotRecorded"      // somebody has decided, and that could not be logged: nothing was approved
	Cancelled        Code = "Cancelled"
	RunEndedAlready  Code = "RunEnded"
	CannotWait       Code = "CannotWait"   // a pending run cannot be kept, so it would not survive; ask without a continuation
	NotWaiting       Code = "NotWaiting"   // no such run waits
	CannotResume     Code = "CannotResume" // a waiting run can only be dismissed; the message says why
	Unauthorized     Code = "Unauthorized" // the per-start secret is missing or wrong
	BadRequest       Code = "BadRequest"
	FunctionFailed   Code = "FunctionFailed" // the function returned an error
	FunctionPanicked Code = "FunctionPanicked"
	Internal         Code = "Internal"
)

// Error is an error that may be shown: Message says what was expected, what
// came, and what to do. Cause is for our own logs and never leaves the process.
type Error struct {
	Code    Code
	Message string
	Cause   error
}

// Errorf makes an *Error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf returns the code of err, or Internal where it has none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
