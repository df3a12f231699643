package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// With this variable set the test binary is a writer: it appends to the log at
// its path and prints the number of each append that returned.
const writerVariable = "COUNTERSIGN_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVariable); path != "" {
		fmt.Fprintln(os.Stderr, writer(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func writer(path string) error {
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	for i := 1; ; i++ {
		log.AppendSoon(app.Entry{Kind: app.CallStarted, RunID: "r", CallID: "soon"})
		if err := log.Append(context.Background(), app.Entry{Kind: app.CallSettled, RunID: "r", CallID: "durable", Seq: i}); err != nil {
			return err
		}
		if _, err := fmt.Println(i); err != nil {
			return err
		}
	}
}

func TestAKilledWriterLosesNothingThatWasAcknowledged(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	path := filepath.Join(t.TempDir(), "log.db")
	durable := 0
	for round := range rounds {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), writerVariable+"="+path)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		acknowledged := 0
		// Every fourth is killed anywhere in its start, the others while they write.
		if round%4 != 0 && lines.Scan() {
			acknowledged = 1
		}
		timer := time.AfterFunc(time.Duration(rand.IntN(100))*time.Millisecond, func() {
			if err := command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Error(err)
			}
		})
		for lines.Scan() {
			if n, err := strconv.Atoi(lines.Text()); err == nil { // the last line may be torn
				acknowledged = n
			}
		}
		timer.Stop()
		if err := command.Wait(); err == nil {
			t.Fatal("the writer ended by itself")
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			continue // killed before there was a log
		}
		log, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		report, err := log.Verify(t.Context())
		if err != nil || report.State != sqlite.Intact {
			t.Errorf("round %d: %+v, %v", round, report, err)
		}
		entries, err := log.Entries(t.Context(), sqlite.Filter{CallID: "durable"})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(entries) - durable; got < acknowledged || got > acknowledged+1 {
			t.Errorf("round %d: %d entries are there, %d were acknowledged", round, got, acknowledged)
		}
		durable = len(entries)
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if durable == 0 {
		t.Error("nothing was ever written")
	}
	t.Logf("%d durable entries over %d kills", durable, rounds)
}
