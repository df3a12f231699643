package review

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app/operation"
)

// Trouble is what the person should know of the app's own log from its start on.
type Trouble struct {
	Title string `json:"title"`
	Text  string `json:"text"` // what was found, in sentences
	Do    string `json:"do"`   // what comes of it, and what to do
}

// atStart waits until the start has verified the log.
func (r *Review) atStart(ctx context.Context, _ operation.None) (any, error) {
	answer := struct {
		Trouble *Trouble `json:"trouble"`
	}{}
	if r.config.Log == nil {
		return answer, nil
	}
	found, err := r.config.Log.AtStart(ctx)
	switch {
	case err != nil:
		return nil, err
	case found.Trouble != nil && found.Report.State != "":
		answer.Trouble = &Trouble{"The log is not intact", sentence(found.Report.Message),
			fmt.Sprintf("Nothing new runs on it. Close the app, look at the log with “countersign log verify”, then restore a copy of %s, or move it aside together with its anchor %s.", r.config.Path, found.Report.AnchoredIn)}
	case found.Trouble != nil:
		answer.Trouble = &Trouble{"Whether the log is intact is not known", sentence(message(found.Trouble)),
			"Nothing new runs on it. Close the app, and look at the log with “countersign log verify”."}
	case found.NoAnchor != "":
		answer.Trouble = &Trouble{"The anchor of the log was missing", sentence(found.NoAnchor),
			"A new one was made. If you have noted the head of this log earlier, compare it in the log, under Trust."}
	case found.NoKey != "":
		answer.Trouble = &Trouble{"The key of the log was missing", sentence(found.NoKey),
			"A new one was made, and the log says so. If the old key turns up, keep it for the exports that it signed."}
	}
	return answer, nil
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + strings.TrimRight(text[size:], ".") + "."
}
