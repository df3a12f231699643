package mail

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
)

// Letter is a letter as functions give it to programs.
type Letter struct {
	ID      int64  `json:"id"`
	From    string `json:"from"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Date    string `json:"date" jsonschema:"2026-11-23T09:14:00+01:00"`
	Unread  bool   `json:"unread"`
	Body    string `json:"body,omitempty"`
}

// parse reads a letter of RFC 5322 with a text as its body.
func parse(text []byte) (Letter, error) {
	message, err := mail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		return Letter{}, err
	}
	body, err := io.ReadAll(quotedprintable.NewReader(message.Body))
	if err != nil {
		return Letter{}, fmt.Errorf("its body: %w", err)
	}
	header := func(name string) string {
		words, err := new(mime.WordDecoder).DecodeHeader(message.Header.Get(name))
		if err != nil {
			return message.Header.Get(name) // as it stands, rather than nothing
		}
		return words
	}
	sent, err := message.Header.Date()
	if err != nil {
		return Letter{}, fmt.Errorf("its date: %w", err)
	}
	return Letter{
		From: header("From"), To: header("To"), Subject: header("Subject"), Date: sent.Format(time.RFC3339),
		Unread: header("Status") != "RO", Body: strings.ReplaceAll(string(body), "\r\n", "\n"),
	}, nil
}

// compose writes a letter so that parse reads the same.
func (l Letter) compose(date time.Time) ([]byte, error) {
	var text bytes.Buffer
	for _, header := range [][2]string{
		{"From", l.From}, {"To", l.To}, {"Date", date.Format(time.RFC1123Z)},
		{"Subject", mime.QEncoding.Encode("utf-8", l.Subject)},
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "quoted-printable"},
	} {
		fmt.Fprintf(&text, "%s: %s\r\n", header[0], header[1])
	}
	text.WriteString("\r\n")
	body := quotedprintable.NewWriter(&text)
	if _, err := io.WriteString(body, l.Body); err != nil {
		return nil, err
	}
	err := body.Close()
	return text.Bytes(), err
}
