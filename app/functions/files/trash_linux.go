package files

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/moby/sys/mountinfo"

	"github.com/faustine-ai/countersign/app/folder"
)

// The trash of the desktop, by freedesktop.org's Trash specification 1.0:
//
//	$XDG_DATA_HOME/Trash          the person's own, for the disk that it is on
//	TOP/.Trash/UID                another disk's, where an administrator made it
//	TOP/.Trash-UID                another disk's, made when it is needed
//
// each with files/NAME, what was thrown away, and info/NAME.trashinfo, which says
// where it was. The libraries for it take paths as text and look them up again,
// between the check and the move; here both ends are open folders. What cannot be
// moved at once, since no trash is on its disk, is left where it is: copying and
// then deleting would delete.

// can is a trash that is open.
type can struct {
	files, info *folder.Dir
	top         string // paths in it are relative to this; "": absolute
}

func (c *can) close() {
	_ = c.files.Close() // nothing was written through it but names
	_ = c.info.Close()
}

// discard moves a name of an open folder to the trash and gives its name there.
func discard(dir *folder.Dir, name string) (string, error) {
	problems := []error{errNoTrash}
	for _, open := range []func(string) (*can, error){homeCan, sharedCan, ownCan} {
		c, err := open(dir.Real)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		kept, err := c.take(dir, name)
		c.close()
		if err == nil {
			return kept, nil
		}
		if !isOtherVolume(err) && !errors.Is(err, fs.ErrPermission) {
			return "", err
		}
		problems = append(problems, err)
	}
	return "", errors.Join(problems...)
}

// take notes where the thing was, under a free name, and then moves it there.
func (c *can) take(dir *folder.Dir, name string) (string, error) {
	was := filepath.Join(dir.Real, name)
	if c.top != "" {
		relative, err := filepath.Rel(c.top, was)
		if err != nil {
			return "", err
		}
		was = relative
	}
	note := fmt.Sprintf("[Trash Info]\nPath=%s\nDeletionDate=%s\n", escaped(was), time.Now().Format("2006-01-02T15:04:05"))
	for n := 1; ; n++ {
		kept := numbered(name, n)
		if err := c.note(kept+".trashinfo", note); errors.Is(err, fs.ErrExist) {
			continue // another has this name; the note is what reserves it
		} else if err != nil {
			return "", err
		}
		err := renameNew(dir, name, c.files, kept)
		if err == nil {
			return kept, nil
		}
		if failed := c.info.Remove(kept + ".trashinfo"); failed != nil {
			return "", errors.Join(err, failed)
		}
		if !errors.Is(err, fs.ErrExist) { // else something is there without a note
			return "", err
		}
	}
}

func (c *can) note(name, text string) error {
	file, err := c.info.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// numbered is a name that may be free: letter.txt, letter.2.txt, letter.3.txt.
func numbered(name string, n int) string {
	const most = 255 - len(".trashinfo") // bytes of a name
	extension := filepath.Ext(name)
	if len(extension) > 20 || extension == name {
		extension = ""
	}
	stem, number := strings.TrimSuffix(name, extension), ""
	if n > 1 {
		number = fmt.Sprintf(".%d", n)
	}
	for len(stem)+len(number)+len(extension) > most {
		runes := []rune(stem)
		stem = string(runes[:len(runes)-1])
	}
	return stem + number + extension
}

// escaped writes a path as a URL does, slashes kept.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

func homeCan(string) (*can, error) {
	at := filepath.Join(xdg.DataHome, "Trash")
	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, err
	}
	return openCan(at, "")
}

// sharedCan is one that an administrator made for everybody. The specification
// demands its sticky bit, and that it is no link.
func sharedCan(real string) (*can, error) {
	top, err := topOf(real)
	if err != nil {
		return nil, err
	}
	shared := filepath.Join(top, ".Trash")
	info, err := os.Lstat(shared)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || info.Mode()&fs.ModeSticky == 0 {
		return nil, fmt.Errorf("%s is no folder with a sticky bit", shared)
	}
	at := filepath.Join(shared, fmt.Sprint(os.Getuid()))
	if err := os.Mkdir(at, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return openCan(at, top)
}

func ownCan(real string) (*can, error) {
	top, err := topOf(real)
	if err != nil {
		return nil, err
	}
	at := filepath.Join(top, fmt.Sprintf(".Trash-%d", os.Getuid()))
	if err := os.Mkdir(at, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return openCan(at, top)
}

// openCan opens a trash that is this person's own folder and no link to one.
func openCan(at, top string) (*can, error) {
	info, err := os.Lstat(at)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder", at)
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, err
	}
	defer root.Close() // its folders stay open
	c := &can{top: top}
	if c.files, err = canFolder(root, "files"); err != nil {
		return nil, err
	}
	if c.info, err = canFolder(root, "info"); err != nil {
		return nil, errors.Join(err, c.files.Close())
	}
	return c, nil
}

func canFolder(root *os.Root, name string) (*folder.Dir, error) {
	if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	opened, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &folder.Dir{Root: opened}, nil
}

// topOf is where the disk of a path is mounted.
func topOf(real string) (string, error) {
	mounts, err := mountinfo.GetMounts(mountinfo.ParentsFilter(real))
	if err != nil {
		return "", fmt.Errorf("where the disk of %s is mounted cannot be found out: %w", real, err)
	}
	top := ""
	for _, m := range mounts {
		if len(m.Mountpoint) > len(top) {
			top = m.Mountpoint
		}
	}
	if top == "" {
		return "", fmt.Errorf("no disk is mounted above %s", real)
	}
	return top, nil
}
