package dispatch

import (
	"encoding/json"
	"strconv"

	"github.com/faustine-ai/countersign/app"
)

// The bodies of the two entries of every call, as encoding/json would write them.
// It would look at each byte of the value once more, and a value may be 16 MiB
// long; these take it as the canonical text that it is.

func startedText(b app.CallStartedBody) json.RawMessage {
	text := make([]byte, 0, len(b.Input)+128)
	text = append(text, `{"digest":"`...)
	text = append(text, b.Digest...) // hex
	text = append(text, '"')
	if len(b.Input) > 0 {
		text = append(append(text, `,"input":`...), b.Input...)
	}
	text = append(text, `,"marked":`...)
	return append(strconv.AppendBool(text, b.Marked), '}')
}

func settledText(b app.CallSettledBody) json.RawMessage {
	if b.Error != nil || len(b.Value) == 0 || b.Ms < 0 || b.Ms > 0 && b.Ms < 1e-6 || b.Ms >= 1e21 {
		return marshal(b) // texts that are ours to quote, numbers that have an exponent
	}
	text := make([]byte, 0, len(b.Value)+64)
	text = append(text, '{')
	if b.Late {
		text = append(text, `"late":true,`...)
	}
	text = append(text, `"ms":`...)
	text = strconv.AppendFloat(text, b.Ms, 'f', -1, 64)
	text = append(append(text, `,"value":`...), b.Value...)
	return append(text, '}')
}

func marshal(body any) json.RawMessage {
	text, err := json.Marshal(body)
	if err != nil {
		panic("dispatch: a body cannot fail to marshal: " + err.Error())
	}
	return text
}
