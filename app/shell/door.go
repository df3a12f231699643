package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

// A second start of the app brings the window of the first to the front, by a
// Unix socket in the folder of the person's data: the door. Whoever holds the log
// may open it, so there is at most one. A D-Bus name, as Wails' own lock takes,
// would belong to the session and not to the data, and is no lock where there is
// no bus.
//
//	→ raise\n
//	← raised\n

const (
	raiseAsk, raiseAnswer = "raise", "raised"
	// raiseWithin is how long a first start may need to open its door.
	raiseWithin = 8 * time.Second
)

// Raise has the app behind this door bring its window to the front. It waits for
// an app that is still starting.
func Raise(ctx context.Context, door string) error {
	ctx, cancel := context.WithTimeout(ctx, raiseWithin)
	defer cancel()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		err := raiseOnce(ctx, door)
		if err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("its window does not answer: %w", err)
		}
	}
}

func raiseOnce(ctx context.Context, door string) error {
	connection, err := new(net.Dialer).DialContext(ctx, "unix", door)
	if err != nil {
		return err
	}
	defer connection.Close()
	if at, ok := ctx.Deadline(); ok {
		if err := connection.SetDeadline(at); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(connection, raiseAsk); err != nil {
		return err
	}
	answer, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		return err
	}
	if strings.TrimSpace(answer) != raiseAnswer {
		return fmt.Errorf("expected %q, got %.40q", raiseAnswer, answer)
	}
	return nil
}

// openDoor answers at the door until close is called. What lies there is left
// over from a start that was killed: the log's lock is ours.
func openDoor(door string, raise func()) (close func(), err error) {
	if err := os.Remove(door); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", door)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go answerDoor(connection, raise)
		}
	}()
	return func() { listener.Close() }, nil // which removes the socket
}

func answerDoor(connection net.Conn, raise func()) {
	defer connection.Close()
	if connection.SetDeadline(time.Now().Add(raiseWithin)) != nil {
		return
	}
	line := make([]byte, len(raiseAsk)+1)
	if n, err := connection.Read(line); err != nil || strings.TrimSpace(string(line[:n])) != raiseAsk {
		return
	}
	raise()
	fmt.Fprintln(connection, raiseAnswer)
}
