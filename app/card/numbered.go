//go:build linux || darwin

package card

import "sync"

// numbered are the cards that are wanted or on screen, by the number that a
// window's C code knows them by: it can hold no Go pointer.
type numbered[W any] struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]*W
}

func (n *numbered[W]) add(w *W) (id uint64, remove func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	id = n.last
	if n.open == nil {
		n.open = map[uint64]*W{}
	}
	n.open[id] = w
	return id, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.open, id)
	}
}

// find returns nil for a card that is no longer wanted.
func (n *numbered[W]) find(id uint64) *W {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.open[id]
}

func (n *numbered[W]) all() []*W {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []*W
	for _, w := range n.open {
		all = append(all, w)
	}
	return all
}
