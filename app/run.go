package app

// Status is how a pass of a run ended. Pending is the one that can go on.
type Status string

const (
	StatusOK      Status = "ok"
	StatusError   Status = "error"
	StatusLimit   Status = "limit"
	StatusAborted Status = "aborted"
	StatusPending Status = "pending"
)

// Run is one execution of a program.
type Run struct {
	ID      string `json:"runId"`
	Request string `json:"request"` // what the person asked, as they wrote it
	Code    string `json:"code"`    // the program as the model wrote it
	Model   string `json:"model"`   // who wrote the program
}
