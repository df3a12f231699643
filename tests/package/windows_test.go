//go:build packagetest

package package_

import (
	"bytes"
	"debug/pe"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"
)

func wide(text string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

func TestTheProgramForWindowsHasIconManifestVersionAndInstaller(t *testing.T) {
	folder := t.TempDir()
	if err := run("../..", nil, "build/packaging/windows.sh", folder); err != nil {
		t.Fatal(err)
	}
	program, err := pe.Open(filepath.Join(folder, "countersign.exe"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	section := program.Section(".rsrc")
	if section == nil {
		t.Fatal("it has no resources")
	}
	resources, err := section.Data()
	if err != nil {
		t.Fatal(err)
	}
	for what, is := range map[string][]byte{
		"the manifest asks for no more rights than the person has": []byte(`level="asInvoker"`),
		"the manifest wants today's controls":                      []byte("Microsoft.Windows.Common-Controls"),
		"the version names the product":                            wide("ProductName\x00"),
		"the icon is there, as a PNG":                              []byte("\x89PNG\r\n"),
	} {
		if !bytes.Contains(resources, is) {
			t.Errorf("not so: %s", what)
		}
	}
	installers, err := filepath.Glob(filepath.Join(folder, "*-setup.exe"))
	if err != nil || len(installers) != 1 {
		t.Fatalf("%v, %v", installers, err)
	}
	if info, err := os.Stat(installers[0]); err != nil || info.Size() < 1<<20 {
		t.Errorf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob("../../*.syso"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
