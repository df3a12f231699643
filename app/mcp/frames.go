package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// frames reads messages whole and bounded, and passes them on with their structured
// content moved (see moved). What is no message goes by as it is: the SDK says what
// is wrong with it.
type frames struct {
	io.Closer
	lines *bufio.Reader
	ends  func(line []byte) bool // whether a line is the last of a message
	pass  func(frame []byte) []byte
	ready []byte
	err   error
}

// A message whose structured content is moved becomes twice as long at most, since
// it is a string then.
const maxMoved = 2*maxMessage + 1<<10

var errLarge = errors.New("its answer is larger than 16 MiB")

// linesOf reads messages that are a line each, as processes write them.
func linesOf(from io.ReadCloser) io.ReadCloser {
	return newFrames(from, func([]byte) bool { return true }, func(line []byte) []byte {
		text := moved(line)
		if !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
		return text
	})
}

// wholeOf reads one message.
func wholeOf(from io.ReadCloser) io.ReadCloser {
	return newFrames(from, func([]byte) bool { return false }, moved)
}

// eventsOf reads messages that are server-sent events, which an empty line ends.
func eventsOf(from io.ReadCloser) io.ReadCloser {
	return newFrames(from, func(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }, movedEvent)
}

func newFrames(from io.ReadCloser, ends func([]byte) bool, pass func([]byte) []byte) *frames {
	return &frames{Closer: from, lines: bufio.NewReaderSize(from, 64<<10), ends: ends, pass: pass}
}

// Read gives what has passed.
func (f *frames) Read(p []byte) (int, error) {
	for len(f.ready) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		f.ready, f.err = f.next()
	}
	n := copy(p, f.ready)
	f.ready = f.ready[n:]
	return n, nil
}

func (f *frames) next() ([]byte, error) {
	var frame []byte
	line := 0 // where the last line begins
	for {
		piece, err := f.lines.ReadSlice('\n')
		frame = append(frame, piece...)
		switch {
		case len(frame) > maxMessage:
			return nil, errLarge
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && len(frame) == 0:
			return nil, err
		case err != nil:
			return f.pass(frame), err
		case f.ends(frame[line:]):
			return f.pass(frame), nil
		default:
			line = len(frame)
		}
	}
}

// movedEvent moves what the data of an event say, in however many lines.
func movedEvent(event []byte) []byte {
	var data, rest [][]byte
	for line := range bytes.Lines(event) {
		line = bytes.TrimRight(line, "\r\n")
		if said, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, bytes.TrimPrefix(said, []byte(" ")))
		} else if len(line) > 0 {
			rest = append(rest, line)
		}
	}
	message := bytes.Join(data, []byte("\n"))
	text := moved(message)
	if bytes.Equal(text, message) {
		return event
	}
	rest = append(rest, append([]byte("data: "), text...), nil, nil)
	return bytes.Join(rest, []byte("\n"))
}
