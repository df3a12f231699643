package value

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/gowebpki/jcs"
)

func TestWhatIsPlainlyCanonicalIsSeenAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		text  string
		plain bool
	}{
		{`{}`, true}, {`[]`, true}, {`{"a":1,"b":[true,false,null,"x"]}`, true},
		{`{"$":"bytes","t":"Uint8Array","v":"AAEC+/=="}`, true},
		{`[0,1,-1,12.5,0.000001,-0.25,123456789012345]`, true},
		{`1`, true}, {`-7.5`, true}, {`"x"`, true}, {`null`, true},
		{``, false}, {`1x`, false}, {`"x`, false}, {`-`, false}, {`-0`, false}, {` 1`, false}, {`nul`, false},
		{`{"b":1,"a":1}`, false}, {`{"a":1,"a":1}`, false}, {`{"a":1,}`, false}, {`{"a"}`, false}, {`[1,]`, false}, {`[1]]`, false}, {`[1`, false}, {`{"a":"`, false},
		{`[ 1]`, false}, {`[1] `, false}, {`{"a": 1}`, false},
		{`["\n"]`, false}, {`["é"]`, false}, {"[\"\x00\"]", false}, {"[\"\x7f\"]", false},
		{`[-0]`, false}, {`[-0.5]`, true}, {`[01]`, false}, {`[1.0]`, false}, {`[1.]`, false}, {`[.5]`, false}, {`[-]`, false}, {`[1e3]`, false}, {`[0.0000001]`, false}, {`[1234567890123456]`, false}, {`[0.0]`, false},
		{`[tru]`, false}, {`[nul]`, false},
	} {
		if got := isPlainCanonical([]byte(c.text)); got != c.plain {
			t.Errorf("%s: got %t, want %t", c.text, got, c.plain)
		}
	}
}

func TestATagIsSeenWhereverItStands(t *testing.T) {
	for text, plain := range map[string]bool{
		`{"a":[1,{"b":"$"}]}`: true, `7`: true, `"$"`: true, `{"$a":1}`: true,
		`{"$":"undefined"}`: false, `{"a":[1,{"$":"date","v":null}]}`: false, `{"$":1,"b":2}`: false,
		`{"a":1, "b":2}`: false, `[1e3]`: false,
	} {
		if got := isPlain([]byte(text)); got != plain {
			t.Errorf("%s: got %t, want %t", text, got, plain)
		}
	}
}

func TestEightBytesAreSeenAsEachOfThem(t *testing.T) {
	for c := range 256 {
		for around := range 256 {
			for at := range 8 {
				eight := bytes.Repeat([]byte{byte(around)}, 8)
				eight[at] = byte(c)
				want := plainByte[c] && plainByte[around]
				if got := allPlain(binary.LittleEndian.Uint64(eight)); got != want {
					t.Fatalf("%q: got %t, want %t", eight, got, want)
				}
			}
		}
	}
}

// Whatever is taken for canonical must be exactly what jcs would write.
func FuzzTransform(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[true,null,"x"]}`, `[0.000001,-0.5,123456789012345,1e3]`, `{"$":"bytes","t":"Uint8Array","v":"AAEC"}`, `[0.1,100.25,-7]`, `{"b":{},"a":[]}`, `[9.00719925474099]`, `-12.5`, `"x"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !isPlainCanonical(text) {
			return
		}
		want, err := jcs.Transform(text)
		if err != nil || !bytes.Equal(want, text) {
			t.Errorf("%q is taken for canonical; jcs writes %q, %v", text, want, err)
		}
	})
}
