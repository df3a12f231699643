//go:build desktoptest

package desktop

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

// play plays a demo as a person without a display does.
func play(t *testing.T, args ...string) (transcript, stderr string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), desk.Binary, append([]string{"demo", "--headless"}, args...)...)
	cmd.Env = slices.Clone(desk.Environment)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	return string(out), said.String(), err
}

// shownDemos are those that the list names, but for the scenes of these tests.
func shownDemos(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command(desk.Binary, "demo", "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if name, title, _ := strings.Cut(line, " "); !strings.Contains(title, "for the tests") && !strings.Contains(title, "for the kill") {
			names = append(names, name)
		}
	}
	return names
}

func TestEveryDemoEndsAsItShouldAndSaysWhatToNotice(t *testing.T) {
	names := shownDemos(t)
	for _, name := range []string{"cancel-orders", "eight-of-sixteen", "one-at-a-time", "poisoned-mail", "changed-its-mind", "runaway", "restart"} {
		if !slices.Contains(names, name) {
			t.Errorf("--list does not name %s", name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			transcript, stderr, err := play(t, name)
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, stderr, transcript)
			}
			for _, heading := range []string{"Request\n", "Program\n", "\nCheck\n", "\nWhat to notice\n"} {
				if !strings.Contains(transcript, heading) {
					t.Errorf("no %q in\n%s", heading, transcript)
				}
			}
		})
	}
}

func TestADemoEndsAsItShouldHoweverItIsDecided(t *testing.T) {
	for _, args := range [][]string{
		{"cancel-orders", "--decide", "first:2"},
		{"cancel-orders", "--decide", "reject"},
		{"eight-of-sixteen", "--decide", "approve"},
		{"one-at-a-time", "--decide", "first:1"},
		{"poisoned-mail", "--decide", "approve"},
		{"restart", "--decide", "first:1"},
		{"changed-its-mind", "--decide", "reject"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if transcript, stderr, err := play(t, args...); err != nil {
				t.Errorf("%v: %s\n%s", err, stderr, transcript)
			}
		})
	}
}

func TestADemoThatIsToldToApproveMoreThanThereIsFails(t *testing.T) {
	transcript, stderr, err := play(t, "cancel-orders", "--decide", "first:9")
	if err == nil || !strings.Contains(stderr, "expected at least 9 rows, there were 3") {
		t.Errorf("%v: %s\n%s", err, stderr, transcript)
	}
}

// Every door of the poisoned letter, as the engine of this machine answered.
func TestEveryDoorOfThePoisonedLetterIsShownShut(t *testing.T) {
	transcript, stderr, err := play(t, "poisoned-mail")
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	doors := 0
	for line := range strings.Lines(transcript) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && strings.Contains(cells[1], "`") {
			doors++
			if !strings.Contains(cells[2], "Error:") && !strings.Contains(cells[2], "ApprovalRejected:") {
				t.Errorf("not shut: %s", line)
			}
		}
	}
	if doors < 25 {
		t.Errorf("%d doors were shown", doors)
	}
}
