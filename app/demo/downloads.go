package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Downloads is the name of the folder that the scene tidy-folder works in.
const Downloads = "Downloads"

// untidy are the texts in it, by name.
var untidy = map[string]string{
	"invoice-2025-11-04 Harbour Books.txt":   "Invoice 2025-118\nHarbour Books\nBook trolley      345.00\n",
	"invoice-2026-02-17 Green Door.txt":      "Invoice 2026-021\nGreen Door Café\nMenu board         72.00\n",
	"invoice-2026-09-30 Studio L.txt":        "Invoice 2026-164\nStudio Lindqvist\nDrafting table    489.00\n",
	"Rechnung 2026-10-12.txt":                "Rechnung 2026-171\nTomas Berg\nBuchstützen        22,00\n",
	"meeting notes.txt":                      "Invoices go to Invoices by year. Pictures to Pictures.\nEverything else may stay.\n",
	"todo.md":                                "- water the plants\n- call Mira about the lamp\n",
	"budget.csv":                             "month,amount\n2026-10,1200\n2026-11,980\n",
	"Invoices/2025/invoice-2025-03-02 A.txt": "Invoice 2025-031\nAya Tanaka\nDesk shelf         67.50\n",
}

// pictures are drawn when the folder is made.
var pictures = []string{"IMG_0412.png", "IMG_0413.png", "screenshot 3.PNG"}

// MakeDownloads makes the folder of the scene tidy-folder.
func MakeDownloads(folder string) error {
	write := func(name string, text []byte) error {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		return os.WriteFile(file, text, 0o600)
	}
	for name, text := range untidy {
		if err := write(name, []byte(text)); err != nil {
			return err
		}
	}
	for i, name := range pictures {
		picture := image.NewGray(image.Rect(0, 0, 32, 24))
		for x := range 32 {
			picture.SetGray(x, (x*(i+1))%24, color.Gray{Y: 255})
		}
		var text bytes.Buffer
		if err := png.Encode(&text, picture); err != nil {
			return err
		}
		if err := write(name, text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// ReadFiles reads every file below a folder, by its path as programs name it.
func ReadFiles(folder string) (map[string]string, error) {
	files := map[string]string{}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		files[path.Join(Downloads, name)] = string(text)
		return err
	})
	return files, err
}

// checkFiles: what approved calls that succeeded have moved lies where they said,
// and every other file where it was.
func (e Ending) checkFiles(all []*call, say Say) {
	want := map[string]string{}
	for name, text := range e.Before.Files {
		want[name] = text
	}
	for _, c := range all {
		if c.fn != "files.move" || !c.approved() || !c.succeeded() {
			continue
		}
		move := read[struct{ From, To string }](c.input)
		want[move.To] = want[move.From]
		delete(want, move.From)
	}
	for name, text := range want {
		if got, there := e.After.Files[name]; !there || got != text {
			say("%s is not there as it should be", name)
		}
	}
	for name := range e.After.Files {
		if _, wanted := want[name]; !wanted {
			say("%s is there without an approved call", name)
		}
	}
}

// tidied: when everything was approved, no invoice and no picture is left outside
// its folder, and what is neither is where it was.
func tidied(e Ending, all []*call, say Say) {
	asked := 0
	for _, c := range all {
		if c.requested {
			asked++
		}
		if c.requested && !c.approved() {
			return
		}
	}
	if asked == 0 {
		say("nothing came to the card")
	}
	for name, text := range e.After.Files {
		folder := path.Base(path.Dir(name))
		invoice := strings.HasPrefix(text, "Invoice ") || strings.HasPrefix(text, "Rechnung ")
		picture := strings.HasPrefix(text, "\x89PNG")
		right := Downloads
		switch {
		case invoice:
			right = strings.Fields(text)[1][:4]
		case picture:
			right = "Pictures"
		}
		if folder != right {
			say("%s is in %s, expected it in %s", name, folder, right)
		}
	}
	if len(e.After.Files) != len(untidy)+len(pictures) {
		say("there are %d files, expected %s", len(e.After.Files), fmt.Sprint(len(untidy)+len(pictures)))
	}
}
