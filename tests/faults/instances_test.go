//go:build desktoptest

package faults

import (
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/tests/desk"
)

// withoutBus takes the session bus away.
func withoutBus(cmd *exec.Cmd) {
	cmd.Env = append(cmd.Env, "DBUS_SESSION_BUS_ADDRESS=disabled:", "XDG_RUNTIME_DIR=")
}

func withBus(*exec.Cmd) {}

func TestASecondInstanceBringsTheFirstToTheFrontAndLeavesItsDataAlone(t *testing.T) {
	for name, bus := range map[string]func(*exec.Cmd){"with a session bus": withBus, "without one": withoutBus} {
		t.Run(name, func(t *testing.T) {
			d := desk.At(t, t.TempDir(), "COUNTERSIGN_TEST_OFFER=cancel-orders", "COUNTERSIGN_TEST_DECIDE=approve")
			d.Start(bus)
			d.Before = d.Orders()
			second := exec.Command(desk.Binary)
			second.Env = append(d.Env, "COUNTERSIGN_TEST_SOCKET=")
			bus(second)
			began := time.Now()
			out, err := second.CombinedOutput()
			if err != nil || len(out) > 0 || time.Since(began) > 30*time.Second {
				t.Errorf("after %v: %v\n%s", time.Since(began), err, out)
			}
			asks(d)
			d.Result(desk.Matching, nil)
			d.OnlyCancelled(desk.Matching...)
			d.Decided("demo", desk.Matching...)
			d.Verifies()
			d.Close()
		})
	}
}

func TestOfInstancesThatStartAtTheSameMomentOneStays(t *testing.T) {
	d := desk.At(t, t.TempDir(), "COUNTERSIGN_TEST_SCENE=cancel-orders", "COUNTERSIGN_TEST_DECIDE=approve")
	const n = 4
	commands := make([]*exec.Cmd, n)
	exited := make(chan int, n)
	var outputs [n]desk.Output
	var wg sync.WaitGroup
	t.Cleanup(func() {
		for _, c := range commands {
			if c != nil && c.Process != nil {
				c.Process.Kill()
			}
		}
		wg.Wait()
		d.Ended()
	})
	for i := range commands {
		commands[i] = exec.Command(desk.Binary)
		commands[i].Env = append(slices.Clone(d.Env), "COUNTERSIGN_TEST_SOCKET=")
		commands[i].Stderr = &outputs[i]
		if err := commands[i].Start(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if commands[i].Wait(); commands[i].ProcessState.ExitCode() == 0 {
				exited <- i
			}
		})
	}
	for range n - 1 {
		select {
		case i := <-exited:
			if said := outputs[i].String(); said != "" { // it has brought the one that stays to the front
				t.Errorf("it says %q", said)
			}
		case <-time.After(time.Minute):
			t.Fatal("more than one stayed")
		}
	}
	desk.Eventually(t, "the one that stayed has played the scene", func() bool {
		out, err := d.Command("log", "list", "--format", "json", "--decision", "approve")
		return err == nil && strings.Count(out, `"outcome": "ok"`) == 3
	})
	d.Verifies()
	if begun := strings.Count(string(mustCommand(t, d, "log", "export")), `"kind":"run.began"`); begun != 1 {
		t.Errorf("%d runs began", begun)
	}
	select {
	case i := <-exited:
		t.Errorf("the last one ended too: %s", outputs[i].String())
	default:
	}
}

func mustCommand(t *testing.T, d *desk.Desk, args ...string) string {
	t.Helper()
	out, err := d.Command(args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out
}
