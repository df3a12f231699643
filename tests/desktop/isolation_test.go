//go:build desktoptest

package desktop

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestWithoutThePolicyProgramsAreTurnedOffAndTheReasonIsShown(t *testing.T) {
	d := desk.Open(t, "COUNTERSIGN_TEST_NO_POLICY=1")
	desk.Eventually(t, "the page says that programs are off", func() bool {
		text := d.Text()
		return strings.Contains(text, "Programs are turned off") && strings.Contains(text, "the frame’s policy is in force as a response header")
	})
	d.Types("Cancel every open order over $100 from last week.")
	desk.Eventually(t, "the run has ended with the reason", func() bool {
		return strings.Contains(d.Text(), "this webview does not keep them in")
	})
	if calls := d.Calls(); len(calls) > 0 {
		t.Errorf("calls came to Go: %v", calls)
	}
	d.OnlyCancelled()
	d.Close()
}

func TestWithoutAFrameProgramsCannotRunYetAndTheChecksAreAPressAway(t *testing.T) {
	d := desk.Open(t, "COUNTERSIGN_TEST_NO_FRAME=1")
	desk.Eventually(t, "the page says that it is not known whether programs are kept in", func() bool {
		text := d.Text()
		return strings.Contains(text, "Programs cannot run yet") && strings.Contains(text, "They are made again before the next program.")
	})
	d.Do("eval", `document.querySelector('.programs-off button').click(); return 1`)
	desk.Eventually(t, "the person is at the checks", func() bool {
		return string(d.Do("eval", `const { top, bottom } = document.activeElement.getBoundingClientRect(); return document.activeElement.innerText === 'Isolation' && top >= 0 && bottom < innerHeight`)) == "true"
	})
	if text := d.Text(); !strings.Contains(text, "the frame’s policy is in force as a response header") {
		t.Errorf("the checks that could not be made are not listed:\n%s", text)
	}
	d.Close()
}

func TestEveryCheckCanBeMadeInTheAppsOwnWindow(t *testing.T) {
	d := desk.Open(t)
	// As a person does: to the settings, and the button of the section.
	press := func(label string) {
		t.Helper()
		text, err := json.Marshal(label)
		if err != nil {
			t.Fatal(err)
		}
		desk.Eventually(t, "there is a button "+label, func() bool {
			return string(d.Do("eval", `const b = [...document.querySelectorAll('button')].find((b) => b.innerText.trim().startsWith(`+string(text)+`)); b?.click(); return !!b`)) == "true"
		})
	}
	press("Settings")
	press("Make all ")
	desk.Eventually(t, "all checks have passed", func() bool {
		text := d.Text()
		if strings.Contains(text, "checks failed") {
			t.Fatalf("checks failed:\n%s", text)
		}
		return strings.Contains(text, "checks passed.")
	})
	if calls := d.Calls(); len(calls) > 0 {
		t.Errorf("the checks left calls in the log: %v", calls)
	}
	d.Close()
}

func TestTheGalleryPlaysADemoInAWindowOfItsOwn(t *testing.T) {
	d := desk.Open(t)
	d.Do("eval", `document.querySelectorAll('.side button').forEach((b) => { if (b.innerText.trim() === 'Demos') b.click() }); return 1`)
	desk.Eventually(t, "the demos are listed", func() bool {
		return strings.Contains(d.Text(), "countersign demo changed-its-mind")
	})
	d.Do("eval", `document.querySelector('.demo button').click(); return 1`)
	desk.Eventually(t, "the demo shows its card", func() bool {
		_, shown := d.Find("frame", "Cancel 3 orders?")
		return shown || strings.HasPrefix(d.Front(), "Cancel 3 orders?")
	})
	d.Keys("Escape")
	desk.Eventually(t, "the gallery says that it plays", func() bool { return strings.Contains(d.Text(), "In a window of its own") })
	d.OnlyCancelled()
	d.Close()
}
