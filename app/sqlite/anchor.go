package sqlite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Head is the end of the chain as it was last known.
type Head struct {
	Log    string `json:"log"`    // id of the log
	Number int64  `json:"number"` // of its last entry; 0: none yet
	Hash   string `json:"hash"`   // of that entry
}

// Anchor keeps the head outside the database, so that a cut tail or a rewritten
// chain can be told: whoever changes the database must change the anchor too.
// A file does today; a keychain can come later.
type Anchor interface {
	// Load returns the head, ErrNoAnchor when there is none, or an error that
	// says why it cannot be read.
	Load() (Head, error)
	// Store replaces the head. sync asks for it to be on disk before Store returns.
	Store(head Head, sync bool) error
	// String says where the anchor is.
	String() string
}

// ErrNoAnchor: there is no head, or what is there is none.
var ErrNoAnchor = errors.New("the anchor is missing")

// FileAnchor keeps the head in a 0600 file. The file is written in place, into
// one of two slots by turns, since replacing it would need space on a full disk
// and a rename for each commit; a torn write leaves the other slot.
type FileAnchor string

const (
	slots    = 2
	slotSize = 512 // one disk sector
)

func (f FileAnchor) String() string { return string(f) }

type slot struct {
	Head
	Sum string `json:"sum"` // SHA-256 of log, number and hash: tells a torn write
}

func (h Head) sum() string { return digest(fmt.Appendf(nil, "%s %d %s", h.Log, h.Number, h.Hash)) }

// Load reads the newer of the two slots.
func (f FileAnchor) Load() (Head, error) {
	text, err := readRegular(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return Head{}, ErrNoAnchor
	}
	if err != nil {
		return Head{}, fmt.Errorf("the anchor cannot be read: %w", err)
	}
	var newest Head
	found := false
	for i := range slots {
		if len(text) <= i*slotSize {
			break
		}
		var s slot
		part := bytes.TrimSpace(text[i*slotSize : min((i+1)*slotSize, len(text))])
		if json.Unmarshal(part, &s) != nil || s.Sum != s.sum() {
			continue
		}
		if !found || s.Number > newest.Number {
			newest, found = s.Head, true
		}
	}
	if !found {
		return Head{}, fmt.Errorf("%w: %s holds none (damaged)", ErrNoAnchor, f)
	}
	return newest, nil
}

// Store writes the head into the slot that its number gives. Heads are stored
// with rising numbers, so the other slot always holds an earlier one.
func (f FileAnchor) Store(head Head, sync bool) error {
	if err := os.MkdirAll(filepath.Dir(string(f)), 0o700); err != nil {
		return fmt.Errorf("the anchor cannot be written: %w", err)
	}
	file, err := os.OpenFile(string(f), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the anchor cannot be written: %w", err)
	}
	err = writeSlot(file, head)
	if err == nil && sync {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("the anchor cannot be written: %w", err)
	}
	return nil
}

func writeSlot(file *os.File, head Head) error {
	text, err := json.Marshal(slot{head, head.sum()})
	if err != nil {
		return err
	}
	if len(text) >= slotSize {
		return fmt.Errorf("a head of %d bytes does not fit", len(text))
	}
	if head.Number == 0 { // a new log: nothing of an older one may stay
		if err := file.Truncate(0); err != nil {
			return err
		}
	}
	padded := bytes.Repeat([]byte{' '}, slotSize)
	copy(padded, text)
	padded[slotSize-1] = '\n'
	_, err = file.WriteAt(padded, head.Number%slots*slotSize)
	return err
}
