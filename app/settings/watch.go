package settings

import (
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// rest is how long a file is left alone before it is read: editors write in
// several steps.
const rest = 120 * time.Millisecond

// watch follows a file that may come, go and be replaced.
type watch struct {
	watcher *fsnotify.Watcher
	done    chan struct{}
}

// follow calls changed, from one goroutine, after the file has changed.
func follow(path string, changed func()) (*watch, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	// The folders: a file that is replaced takes its own watch away.
	names := map[string]bool{path: true, target(path): true}
	for name := range names {
		if err := watcher.Add(filepath.Dir(name)); err != nil {
			watcher.Close()
			return nil, err
		}
	}
	w := &watch{watcher, make(chan struct{})}
	go w.run(names, changed)
	return w, nil
}

func (w *watch) run(names map[string]bool, changed func()) {
	defer close(w.done)
	timer := time.NewTimer(rest)
	timer.Stop()
	for {
		select {
		case event, open := <-w.watcher.Events:
			if !open {
				timer.Stop()
				return
			}
			if names[event.Name] {
				timer.Reset(rest)
			}
		case _, open := <-w.watcher.Errors:
			if !open {
				return
			}
			timer.Reset(rest) // events may have been lost: look
		case <-timer.C:
			changed()
		}
	}
}

func (w *watch) close() error {
	err := w.watcher.Close()
	<-w.done
	return err
}
