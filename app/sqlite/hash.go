package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// The hash chain, exactly, so that anyone can check a log without this program:
//
//	hash      = lower-case hex of SHA-256 over the UTF-8 bytes of the entry's
//	            canonical JSON (RFC 8785): an object with the members at, body,
//	            kind, number, previous, runId, and callId, fn, seq where they are
//	            not empty ("" or 0). hash itself is not in it.
//	at        = UTC with exactly three decimals: 2026-11-29T10:00:00.000Z
//	body      = the JSON value itself, not text; verifying also checks that the
//	            stored text is one JSON value, or bytes could move between it and
//	            its neighbours
//	previous  = hash of the entry before; of entry 1: SHA-256 of
//	            "countersign log " and the id of the log
//
// preimage writes that canonical JSON directly, since going through a general
// canonicaliser for each of a million entries is slow; a test holds it against
// gowebpki/jcs.

// timeFormat is how at is written.
const timeFormat = "2006-01-02T15:04:05.000Z"

func formatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

// genesis is what entry 1 has as previous.
func genesis(logID string) string { return digest([]byte("countersign log " + logID)) }

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// hashOf computes an entry's hash. at and body are the stored texts. buffer is
// scratch space that is returned for the next call.
func hashOf(at string, e app.Entry, body, buffer []byte) (hash string, grown []byte) {
	if len(body) < longBody {
		buffer = preimage(buffer[:0], at, e, body)
		return digest(buffer), buffer
	}
	sum := sha256.New()
	for _, part := range [][]byte{beforeBody(nil, at), body, afterBody(nil, e)} {
		sum.Write(part) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil)), buffer
}

// longBody is from where a body is not copied only to be hashed, in bytes.
const longBody = 64 << 10

func preimage(b []byte, at string, e app.Entry, body []byte) []byte {
	return afterBody(append(beforeBody(b, at), body...), e)
}

func beforeBody(b []byte, at string) []byte {
	return append(appendString(append(b, `{"at":`...), at), `,"body":`...)
}

func afterBody(b []byte, e app.Entry) []byte {
	if e.CallID != "" {
		b = appendString(append(b, `,"callId":`...), e.CallID)
	}
	if e.Fn != "" {
		b = appendString(append(b, `,"fn":`...), e.Fn)
	}
	b = appendString(append(b, `,"kind":`...), string(e.Kind))
	b = strconv.AppendInt(append(b, `,"number":`...), e.Number, 10)
	b = appendString(append(b, `,"previous":`...), e.Previous)
	b = appendString(append(b, `,"runId":`...), e.RunID)
	if e.Seq != 0 {
		b = strconv.AppendInt(append(b, `,"seq":`...), int64(e.Seq), 10)
	}
	return append(b, '}')
}

// appendString quotes s as RFC 8785 does: the two-character escapes of JSON,
// \u00xx in lower case for other control characters, everything else as it is.
func appendString(b []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			if c < 0x20 {
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}

// Fits reports whether an entry's hash is that of what it says. Whether it is an
// entry of the chain, only verifying tells.
func Fits(e app.Entry) bool {
	hash, _ := hashOf(formatTime(e.At), e, e.Body, nil)
	return hash == e.Hash
}
