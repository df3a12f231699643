package mail

import (
	"context"
	"net/mail"
	"strings"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

type listInput struct {
	Unread bool `json:"unread,omitempty" jsonschema:"only letters that nobody has read"`
}

type readInput struct {
	ID int64 `json:"id"`
}

type sendInput struct {
	To      string `json:"to" jsonschema:"one address: ada@lovelace.example"`
	Subject string `json:"subject"`
	Body    string `json:"body" jsonschema:"plain text"`
}

type sendOutput struct {
	ID int64 `json:"id"`
}

// Functions returns the family's functions, working on this mailbox.
func (s *Store) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("mail.list", func(_ context.Context, in listInput) ([]Letter, error) {
			all, err := s.letters("inbox")
			listed := make([]Letter, 0, len(all)) // never nil: a program iterates over it
			for _, letter := range all {
				if in.Unread && !letter.Unread {
					continue
				}
				letter.Body = ""
				listed = append(listed, letter)
			}
			return listed, err
		},
			registry.Title("List mail"),
			registry.Description("The letters that came, without their bodies, the oldest first."),
		),
		registry.Define("mail.read", func(_ context.Context, in readInput) (Letter, error) { return s.read("inbox", in.ID) },
			registry.Title("Read a letter"),
			registry.Description("One letter with its body."),
		),
		registry.Define("mail.send", func(_ context.Context, in sendInput) (sendOutput, error) {
			address, err := in.address()
			if err != nil {
				return sendOutput{}, err
			}
			letter, err := s.send(Letter{To: address.String(), Subject: in.Subject, Body: in.Body})
			return sendOutput{ID: letter.ID}, err
		},
			registry.Title("Send a letter"),
			registry.Plural("Send {n} letters"),
			registry.Description("Sends a letter from this mailbox. It cannot be taken back."),
			registry.Marked(), registry.Valid(sendInput.valid),
		),
	}
}

func (in sendInput) address() (*mail.Address, error) {
	address, err := mail.ParseAddress(in.To)
	if err != nil {
		return nil, app.Errorf(app.InvalidInput, "input.to: expected one address such as ada@lovelace.example, got %q", in.To)
	}
	return address, nil
}

// valid refuses what can only fail before a card asks for it.
func (in sendInput) valid() error {
	if _, err := in.address(); err != nil {
		return err
	}
	if strings.ContainsAny(in.Subject, "\r\n") {
		return app.Errorf(app.InvalidInput, "input.subject: expected one line; further lines would become headers of the letter")
	}
	return nil
}
