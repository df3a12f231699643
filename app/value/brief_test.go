package value_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

func TestBriefDescribesLongBytesAndKeepsThem(t *testing.T) {
	data := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{7}, 10_232)...)
	sum := sha256.Sum256(data)
	encoded := base64.StdEncoding.EncodeToString(data)
	text, binaries := value.Brief(app.Value(`{"a":{"$":"bytes","t":"Uint8Array","v":"` + encoded + `"},"f":{"$":"file","v":{"bytes":"` + encoded + `","modified":0,"name":"../x.png","type":"image/png"}}}`))
	for _, want := range []string{
		"Uint8Array of 10,240 bytes, binary 1\n", "looks like image/png", "SHA-256 " + hex.EncodeToString(sum[:]),
		"begins 89 50 4e 47 0d 0a 1a 0a 07", `File "../x.png"`, "Blob of 10,240 bytes, binary 2\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if len(binaries) != 2 || !bytes.Equal(binaries[0].Bytes, data) || binaries[0].Name != "" || binaries[1].Name != "../x.png" {
		t.Errorf("got %d binaries", len(binaries))
	}
}

func TestBriefPrintsShortBytesInFull(t *testing.T) {
	v := app.Value(`{"$":"bytes","t":"Uint8Array","v":"` + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{9}, 64)) + `"}`)
	text, binaries := value.Brief(v)
	if text != value.Pretty(v) || len(binaries) != 0 {
		t.Errorf("got %s, %d", text, len(binaries))
	}
}

func TestBriefTellsHowLongLongTextIs(t *testing.T) {
	long := strings.Repeat("é", 1200)
	text, _ := value.Brief(app.Value(`{"a":"short","b":"` + long + `"}`))
	if want := "{\n  \"a\": \"short\",\n  \"b\": \"" + long + "\" (1,200 characters)\n}"; text != want {
		t.Errorf("got %s", text)
	}
}
