package conversations

import "time"

// Tick moves the store's clock on by a minute.
func Tick(s *Store) {
	now := s.now().Add(time.Minute)
	s.now = func() time.Time { return now }
}
