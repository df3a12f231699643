package files

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

const (
	maxText  = 1 << 20 // bytes of a file that one call gives as text
	maxBytes = 8 << 20 // and as bytes: as base64 they fit a value
)

type readInput struct {
	Path   string `json:"path" jsonschema:"such as Downloads/letter.txt"`
	As     string `json:"as,omitempty" jsonschema:"text (when left out) or bytes"`
	From   int64  `json:"from,omitempty" jsonschema:"begin at this byte"`
	Length *int64 `json:"length,omitempty" jsonschema:"at most so many bytes"`
}

type readOutput struct {
	Path     string       `json:"path"`
	Size     int64        `json:"size" jsonschema:"of the whole file, in bytes"`
	Modified time.Time    `json:"modified"`
	Text     *string      `json:"text,omitempty"`
	Encoding string       `json:"encoding,omitempty" jsonschema:"of the text in the file: utf-8, utf-16le, utf-16be or windows-1252 (guessed)"`
	Bytes    value.Tagged `json:"bytes,omitempty" jsonschema:"a Uint8Array, in place of text"`
	Next     *int64       `json:"next,omitempty" jsonschema:"the file goes on: call again with from set to this"`
}

func (f *Files) read(ctx context.Context, in readInput) (readOutput, error) {
	most := int64(maxText)
	switch in.As {
	case "", "text":
	case "bytes":
		most = maxBytes
	default:
		return readOutput{}, app.Errorf(app.InvalidInput, "input.as: expected text or bytes, got %q", in.As)
	}
	if in.From < 0 || in.Length != nil && *in.Length < 1 {
		return readOutput{}, app.Errorf(app.InvalidInput, "input: expected from to be 0 or more and length 1 or more")
	}
	if in.Length != nil {
		most = min(most, *in.Length)
	}
	place, err := f.folders.At(in.Path)
	if err != nil {
		return readOutput{}, err
	}
	defer place.Close()
	file, err := place.Open()
	if err != nil {
		return readOutput{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return readOutput{}, place.Explain(err)
	}
	// One byte more tells whether the file goes on: its size may change meanwhile,
	// and files such as those below /proc say 0.
	data, err := io.ReadAll(io.NewSectionReader(readerAt{ctx, file}, in.From, most+1))
	if err != nil {
		return readOutput{}, stopped(ctx, place, err)
	}
	whole := int64(len(data)) <= most
	if !whole {
		data = data[:most]
	}
	out := readOutput{Path: place.Path, Size: info.Size(), Modified: entryOf("", "", info).Modified}
	used := len(data)
	if in.As == "bytes" {
		out.Bytes = value.Tagged(value.Bytes(data))
	} else {
		head, err := io.ReadAll(io.NewSectionReader(file, 0, headSize))
		if err != nil {
			return readOutput{}, place.Explain(err)
		}
		if in.From > 0 && cutsCharacter(head, data) {
			return readOutput{}, app.Errorf(app.InvalidInput, "input.from: byte %d is inside a character; begin where an earlier answer's next says, or read bytes", in.From)
		}
		text, encoding, n, ok := decode(data, head, in.From == 0, whole)
		if !ok {
			return readOutput{}, app.Errorf(app.FunctionFailed, "%s is no text; read it with as: \"bytes\"", place.Path)
		}
		out.Text, out.Encoding, used = &text, encoding, n
		if used == 0 && !whole {
			return readOutput{}, app.Errorf(app.InvalidInput, "input.length: %d bytes do not hold one character here; ask for more", len(data))
		}
	}
	if !whole {
		next := in.From + int64(used)
		out.Next = &next
	}
	return out, nil
}

// readerAt ends with its context.
type readerAt struct {
	ctx  context.Context
	file io.ReaderAt
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.file.ReadAt(p, off)
	if errors.Is(err, io.EOF) && n > 0 {
		return n, nil // the next read says so
	}
	return n, err
}
