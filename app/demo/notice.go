package demo

import (
	"fmt"
	"io"
	"strings"
)

// noticeWidth is how wide a line of a notice is in a terminal.
const noticeWidth = 78

// Notice prints what to notice of a scene that ended as it should.
func Notice(out io.Writer, text string) error {
	if text == "" {
		return nil
	}
	var lines []string
	line := " "
	for word := range strings.FieldsSeq(text) {
		if len([]rune(line))+1+len([]rune(word)) > noticeWidth {
			lines, line = append(lines, line), " "
		}
		line += " " + word
	}
	_, err := fmt.Fprintf(out, "\nWhat to notice\n%s\n", strings.Join(append(lines, line), "\n"))
	return err
}
