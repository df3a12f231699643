package shell

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestADoorRaisesTheWindowBehindIt(t *testing.T) {
	door := filepath.Join(t.TempDir(), "door")
	if err := os.WriteFile(door, []byte("left over"), 0o600); err != nil {
		t.Fatal(err)
	}
	raised := make(chan struct{}, 2)
	shut, err := openDoor(door, func() { raised <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Raise(t.Context(), door); err != nil {
			t.Fatal(err)
		}
		<-raised
	}
	stranger, err := net.Dial("unix", door)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if _, err := stranger.Write([]byte("open sesame\n")); err != nil {
		t.Fatal(err)
	}
	if n, err := stranger.Read(make([]byte, 1)); err == nil || n > 0 {
		t.Error("a stranger was answered")
	}
	if len(raised) > 0 {
		t.Error("a stranger raised the window")
	}
	shut()
	if _, err := os.Stat(door); err == nil {
		t.Error("the socket is left behind")
	}
}

func TestADoorThatNobodyOpensIsAnError(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := Raise(ctx, filepath.Join(t.TempDir(), "door")); err == nil {
		t.Error("there was nobody to raise anything")
	}
}

func TestAStartThatIsUnderWayIsWaitedFor(t *testing.T) {
	door := filepath.Join(t.TempDir(), "door")
	done := make(chan error, 1)
	go func() { done <- Raise(t.Context(), door) }()
	timer := time.NewTimer(300 * time.Millisecond)
	<-timer.C
	shut, err := openDoor(door, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer shut()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
