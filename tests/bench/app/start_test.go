//go:build desktoptest

package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/tests/desk"
)

// usable answers, as ms since 1970, when the person could type into the page and
// that had been drawn.
const usable = `
  while (!document.querySelector('textarea')) await new Promise((next) => requestAnimationFrame(next))
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
  return Date.now()`

// The start of the program, to a window that can be used, and its memory then,
// against an empty Wails app.
func TestStart(t *testing.T) {
	row(t, "start to usable window", func(t *testing.T) result {
		empty := filepath.Join(t.TempDir(), "empty")
		build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41", "-o", empty, "../empty")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
		ours := series{Name: "countersign", Kind: "ours", Samples: map[string][]float64{}}
		floor := series{Name: "empty Wails app", Kind: "floor", Samples: map[string][]float64{}}
		dir, rounds := t.TempDir(), 5
		if short() {
			rounds = 1
		}
		startApp(t, dir, &series{Samples: map[string][]float64{}}) // makes its files; later starts find them
		for range rounds {
			startApp(t, dir, &ours)
			startEmpty(t, empty, dir, &floor)
		}
		return result{Series: []series{ours, floor}}
	})
}

func (s *series) add(figure string, value float64) {
	s.Samples[figure] = append(s.Samples[figure], value)
}

func startApp(t *testing.T, dir string, into *series) {
	d := desk.At(t, dir)
	began := time.Now()
	d.Launch()
	d.Connect()
	var at int64
	if err := json.Unmarshal(d.Do("eval", usable), &at); err != nil {
		t.Fatal(err)
	}
	into.add("ms", float64(at-began.UnixMilli()))
	into.add("MB", memory(t, d.Cmd.Process.Pid))
	d.Close()
}

func startEmpty(t *testing.T, binary, dir string, into *series) {
	cmd := exec.Command(binary)
	cmd.Env = append(slices.Clone(desk.Environment), "XDG_CACHE_HOME="+filepath.Join(dir, "empty-cache"), "XDG_DATA_HOME="+filepath.Join(dir, "empty-data"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the empty app said nothing: %v", err)
	}
	at, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	into.add("ms", float64(at-began.UnixMilli()))
	into.add("MB", memory(t, cmd.Process.Pid))
}

// memory is what a process and all it has started use, shared pages by share, in
// MB, once it has come to rest.
func memory(t *testing.T, pid int) float64 {
	t.Helper()
	last := 0.0
	// A page that is there still loads fonts and frees what starting took.
	for until := time.Now().Add(3 * time.Second); time.Now().Before(until); time.Sleep(250 * time.Millisecond) {
		now := 0.0
		for _, p := range family(pid) {
			now += proportional(p)
		}
		if last > 0 && now/last > 0.995 && now/last < 1.005 {
			return now
		}
		last = now
	}
	return last
}

// family is a process and its descendants.
func family(root int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(fields) > 1 {
			parents[pid], _ = strconv.Atoi(fields[1])
		}
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		for pid, parent := range parents {
			if parent == all[i] {
				all = append(all, pid)
			}
		}
	}
	return all
}

// proportional is a process's proportional set size in MB.
func proportional(pid int) float64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return 0 // it has ended
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1000
		}
	}
	return 0
}
