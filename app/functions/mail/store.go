package mail

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// The letters of a new mailbox. {{.Collect}} is the address that the poisoned one
// wants everything sent to, {{date D H}} is D days ago.
//
//go:embed inbox/*.eml
var seeds embed.FS

// owner is whose mailbox it is.
const owner = "Robin Vale <robin@vale.example>"

// Store is a mailbox in a folder. It is safe for use by several goroutines.
type Store struct {
	folder string
	mu     sync.Mutex // of sending: each letter gets a number of its own
}

// Open opens the mailbox in a folder, and fills it with the letters of the demo
// when it is not there. collect is the address in the poisoned one:
// “http://127.0.0.1:40123/”.
func Open(folder, collect string) (*Store, error) {
	s := &Store{folder: folder}
	if err := s.fill(collect, time.Now()); err != nil {
		return nil, fmt.Errorf("open the mailbox in %s: %w", folder, err)
	}
	return s, nil
}

func (s *Store) fill(collect string, now time.Time) error {
	if _, err := os.Stat(s.folder); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, box := range []string{"inbox", "sent"} {
		if err := os.MkdirAll(filepath.Join(s.folder, box), 0o700); err != nil {
			return err
		}
	}
	files, err := seeds.ReadDir("inbox")
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := seeds.ReadFile("inbox/" + file.Name())
		if err != nil {
			return err
		}
		letter, err := template.New(file.Name()).Funcs(template.FuncMap{
			"date": func(days, hour int) string {
				return time.Date(now.Year(), now.Month(), now.Day()-days, hour, 14, 0, 0, now.Location()).Format(time.RFC1123Z)
			},
		}).Parse(string(text))
		if err != nil {
			return err
		}
		var filled bytes.Buffer
		if err := letter.Execute(&filled, struct{ Collect string }{collect}); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.folder, "inbox", file.Name()), filled.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Sent is every letter that was sent, in order.
func (s *Store) Sent() ([]Letter, error) { return s.letters("sent") }

// letters reads a box, the oldest letter first.
func (s *Store) letters(box string) ([]Letter, error) {
	files, err := os.ReadDir(filepath.Join(s.folder, box))
	if err != nil {
		return nil, err
	}
	letters := []Letter{}
	for _, file := range files {
		number, isLetter := strings.CutSuffix(file.Name(), ".eml")
		id, err := strconv.ParseInt(number, 10, 64)
		if !isLetter || err != nil {
			continue // not one of ours
		}
		letter, err := s.read(box, id)
		if err != nil {
			return nil, err
		}
		letters = append(letters, letter)
	}
	slices.SortFunc(letters, func(a, b Letter) int { return int(a.ID - b.ID) })
	return letters, nil
}

func (s *Store) read(box string, id int64) (Letter, error) {
	text, err := os.ReadFile(filepath.Join(s.folder, box, fmt.Sprintf("%d.eml", id)))
	if errors.Is(err, fs.ErrNotExist) {
		return Letter{}, app.Errorf(app.FunctionFailed, "there is no letter %d; mail.list gives the ids that exist", id)
	}
	if err != nil {
		return Letter{}, err
	}
	letter, err := parse(text)
	if err != nil {
		return Letter{}, app.Errorf(app.FunctionFailed, "letter %d cannot be read: %s", id, err)
	}
	letter.ID = id
	return letter, nil
}

// send puts a letter into the folder of those that were sent.
func (s *Store) send(letter Letter) (Letter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent, err := s.letters("sent")
	if err != nil {
		return Letter{}, err
	}
	letter.ID = 1
	if len(sent) > 0 {
		letter.ID = sent[len(sent)-1].ID + 1
	}
	letter.From = owner
	text, err := letter.compose(time.Now())
	if err != nil {
		return Letter{}, err
	}
	file, err := os.OpenFile(filepath.Join(s.folder, "sent", fmt.Sprintf("%d.eml", letter.ID)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Letter{}, err
	}
	_, err = file.Write(text)
	return letter, errors.Join(err, file.Close())
}
