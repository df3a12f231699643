package value_test

import (
	"encoding/base64"
	"testing"

	"github.com/faustine-ai/countersign/app/value"
)

func TestLoneBytesAreSeenOnlyInCanonicalForm(t *testing.T) {
	for _, data := range []string{"", "a", "ab", "abc", "abcd\x00\xff"} {
		v := value.Bytes([]byte(data))
		encoded, size, ok := value.LoneBytes(v)
		if !ok || size != len(data) || string(encoded) != base64.StdEncoding.EncodeToString([]byte(data)) {
			t.Errorf("%q: got %q, %d, %t", data, encoded, size, ok)
		}
		if canonical, err := value.Canonical(v, "value"); err != nil || canonical.String() != v.String() {
			t.Errorf("%q: got %s, %v", data, canonical, err)
		}
	}
	for _, text := range []string{
		`{"$":"bytes","t":"Uint8Array","v":"AAE"}`,  // not padded
		`{"$":"bytes","t":"Uint8Array","v":"AB=="}`, // bits left over
		`{"$":"bytes","t":"Uint8Array","v":"A===" }`,
		`{"$":"bytes","t":"Uint8Array","v":"AA==AAAA"}`,
		`{"$":"bytes","t":"Uint8Array","v":"AA\nA"}`,
		"{\"$\":\"bytes\",\"t\":\"Uint8Array\",\"v\":\"AAA\n\"}",
		`{"$":"bytes","t":"Uint8Array","v":"AAA\u0041"}`,
		`{"$":"bytes","t":"Uint8Array","v":"AA-_"}`,
		`{"$":"bytes","t":"Uint16Array","v":"AAEC"}`,
		`{"$":"bytes","t":"Uint8Array","v":"}`,
		`{"$":"bytes","t":"Uint8Array","v":"AAAA","x":"AAAA"}`,
	} {
		if _, _, ok := value.LoneBytes([]byte(text)); ok {
			t.Errorf("%s is taken for lone bytes", text)
		}
	}
}

func TestOneByteThatIsNoBase64IsFoundWhereverItStands(t *testing.T) {
	good := value.Bytes(make([]byte, 30)) // forty digits, none padded
	head := len(`{"$":"bytes","t":"Uint8Array","v":"`)
	if _, _, ok := value.LoneBytes(good); !ok {
		t.Fatalf("%s is not taken", good)
	}
	for at := head; at < head+40; at++ {
		for _, c := range []byte{'-', '_', '=', ' ', '\n', '"', 0, 0x80, 0xff} {
			bad := append([]byte(nil), good...)
			bad[at] = c
			if _, _, ok := value.LoneBytes(bad); ok && !(c == '=' && at == head+39) {
				t.Errorf("%q is taken for lone bytes", bad)
			}
		}
	}
}
