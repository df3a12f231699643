package settings

// Limits end a run that exceeds one of them. Sizes are in bytes, times in
// milliseconds. The JSON names are those that the sandbox takes.
type Limits struct {
	WallClockMs int64 `json:"wallClockMs"` // of a pass, not while waiting for a person
	BusyMs      int64 `json:"busyMs"`      // one stretch with no call executing
	Calls       int64 `json:"calls"`
	InFlight    int64 `json:"inFlight"` // further calls wait
	SourceBytes int64 `json:"sourceBytes"`
	InputBytes  int64 `json:"inputBytes"`  // of one call
	OutputBytes int64 `json:"outputBytes"` // of the value that a program returns
	LogLines    int64 `json:"logLines"`
	LogBytes    int64 `json:"logBytes"`
}

// DefaultLimits are those of the sandbox.
func DefaultLimits() Limits {
	return Limits{
		WallClockMs: 60_000,
		BusyMs:      10_000,
		Calls:       256,
		InFlight:    32,
		SourceBytes: 256 << 10,
		InputBytes:  1 << 20,
		OutputBytes: 4 << 20,
		LogLines:    1_000,
		LogBytes:    256 << 10,
	}
}

// limit is one of them, by name.
type limit struct {
	name string
	of   func(*Limits) *int64
	most int64  // more is a slip, and would make the page fail before the limit does
	unit string // as people read it
}

const (
	day      = 24 * 60 * 60 * 1000
	gibibyte = 1 << 30
)

var limits = []limit{
	{"wallClockMs", func(l *Limits) *int64 { return &l.WallClockMs }, day, "ms"},
	{"busyMs", func(l *Limits) *int64 { return &l.BusyMs }, day, "ms"},
	{"calls", func(l *Limits) *int64 { return &l.Calls }, 1_000_000, "calls"},
	{"inFlight", func(l *Limits) *int64 { return &l.InFlight }, 10_000, "calls"},
	{"sourceBytes", func(l *Limits) *int64 { return &l.SourceBytes }, gibibyte, "bytes"},
	{"inputBytes", func(l *Limits) *int64 { return &l.InputBytes }, gibibyte, "bytes"},
	{"outputBytes", func(l *Limits) *int64 { return &l.OutputBytes }, gibibyte, "bytes"},
	{"logLines", func(l *Limits) *int64 { return &l.LogLines }, 10_000_000, "lines"},
	{"logBytes", func(l *Limits) *int64 { return &l.LogBytes }, gibibyte, "bytes"},
}
