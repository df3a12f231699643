package shell

import "testing"

func TestTheWindowIsNeverLargerThanItsScreen(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		known         bool
		want          extent
	}{
		{"a large screen", 2560, 1440, true, extent{1100, 760, 800, 600}},
		{"a laptop", 1280, 800, true, extent{1100, 704, 800, 600}},
		{"a laptop with a panel", 1280, 768, true, extent{1100, 672, 800, 600}},
		{"a small screen", 800, 600, true, extent{800, 504, 800, 504}},
		{"a very small screen", 640, 480, true, extent{640, 384, 640, 384}},
		{"a screen that nothing is known of", 0, 0, false, extent{1100, 760, 800, 600}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fit(c.width, c.height, c.known); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
