package app

// Call is one invocation of a function by a program.
type Call struct {
	RunID  string `json:"runId"`
	CallID string `json:"callId"` // unique over the whole run
	Seq    int    `json:"seq"`    // 1, 2, … in the order the program called
	Fn     string `json:"fn"`
	Input  Value  `json:"input"`
}
