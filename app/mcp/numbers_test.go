//go:build unix

package mcp_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/mcp"
	"github.com/faustine-ai/countersign/app/value"
)

// numbers are inputs in canonical form, and what a server must get of them: the
// digits that stand on the card, and no others.
var numbers = []struct{ input, sent string }{
	{`{"text":"plain 9007199254740991"}`, ""},
	{`{"n":9007199254740991}`, ""},
	{`{"n":9007199254740994}`, ""},
	{`{"n":1152921504606847000}`, ""}, // 2**60, as JavaScript prints it
	{`{"n":100000000000000000000}`, ""},
	{`{"n":1e+21}`, ""},
	{`{"n":1.7976931348623157e+308}`, ""},
	{`{"n":5e-324}`, ""},
	{`{"n":0.1,"m":-1.5e-7}`, `{"m":-1.5e-7,"n":0.1}`},
	{`{"n":{"$":"bigint","v":"9007199254740993"}}`, `{"n":9007199254740993}`},
	{`{"n":{"$":"bigint","v":"-9223372036854775808"}}`, `{"n":-9223372036854775808}`},
	{`{"n":{"$":"bigint","v":"18446744073709551615"}}`, `{"n":18446744073709551615}`},
	// A value that has no plain text of its own beside numbers: the other way through the code.
	{`{"at":{"$":"date","v":"2026-11-30T03:00:00.000Z"},"n":1152921504606847000,"x":1e+21,"y":5e-324}`,
		`{"at":"2026-11-30T03:00:00Z","n":1152921504606847000,"x":1e+21,"y":5e-324}`},
}

// onCard is a number as the card shows it; an n behind it says that it is a bigint.
var onCard = regexp.MustCompile(`("[a-z]"): (-?[0-9.e+-]+)n?`)

func TestAServerGetsTheNumbersOfTheCard(t *testing.T) {
	b := newBench(t, process("here", "stdio"), overHTTP(t, "there", "/"))
	b.ready(2)
	for _, c := range numbers {
		want := c.sent
		if want == "" {
			want = c.input
		}
		for _, shown := range onCard.FindAllStringSubmatch(value.Pretty([]byte(c.input)), -1) {
			if member := shown[1] + ":" + shown[2]; !strings.Contains(want, member) {
				t.Errorf("the card shows %s, and the server is to get %s", member, want)
			}
		}
		for _, name := range []string{"here.raw", "there.raw"} {
			got, err := b.call(t.Context(), name, c.input)
			if err != nil {
				t.Errorf("%s %s: %v", name, c.input, err)
				continue
			}
			if text := strings.ReplaceAll(strings.Trim(string(got), `"`), `\"`, `"`); text != want {
				t.Errorf("%s %s: the server got %s, want %s", name, c.input, text, want)
			}
		}
	}
}

func TestANumberThatCannotBeSentAsItIsIsRefused(t *testing.T) {
	b := newBench(t, process("here", "stdio"))
	b.ready(1)
	for _, input := range []string{
		`{"n":{"$":"number","v":"NaN"}}`, `{"n":{"$":"number","v":"Infinity"}}`, `{"n":{"$":"number","v":"-0"}}`,
		`{"n":{"$":"bigint","v":"18446744073709551616"}}`, `{"n":1e400}`, `{"n":9007199254740993}`, `{"n":-0}`, `{"n":0.1000000000000000055}`,
	} {
		if got, err := b.call(t.Context(), "here.raw", input); app.CodeOf(err) != app.InvalidInput || !strings.Contains(err.Error(), "input") {
			t.Errorf("%s: got %s, %v", input, got, err)
		}
	}
}

func TestAProgramGetsTheNumbersOfTheServer(t *testing.T) {
	servers := []mcp.Server{process("here", "stdio"), overHTTP(t, "there", "/")}
	b := newBench(t, servers...)
	b.ready(2)
	for _, c := range numbers {
		if strings.Contains(c.input, "date") {
			continue // arrives as text
		}
		for _, name := range []string{"here.mirror", "there.mirror"} {
			got, err := b.call(t.Context(), name, c.input)
			want := c.input
			if c.sent != "" && !strings.Contains(c.input, "$") {
				want = c.sent
			}
			if err != nil || string(got) != want {
				t.Errorf("%s %s: got %s, %v", name, c.input, got, err)
			}
		}
	}
}

func TestNumbersThatJavaScriptLacksArriveAsWhatTheyAre(t *testing.T) {
	b := newBench(t, process("here", "stdio"), overHTTP(t, "there", "/"))
	b.ready(2)
	for _, c := range []struct{ said, want string }{
		{`[123456789012345678901234567890123456789]`, `[{"$":"bigint","v":"123456789012345678901234567890123456789"}]`},
		{`[9223372036854775807,-0,1.0,1E2]`, `[{"$":"bigint","v":"9223372036854775807"},{"$":"number","v":"-0"},1,100]`},
		{`9007199254740993`, `{"$":"bigint","v":"9007199254740993"}`},
		{`"\ud800"`, `"�"`},
	} {
		for _, name := range []string{"here.say", "there.say"} {
			if got, err := b.call(t.Context(), name, `{"json":`+strconv.Quote(c.said)+`}`); err != nil || string(got) != c.want {
				t.Errorf("%s %s: got %s, %v", name, c.said, got, err)
			}
		}
	}
	for _, name := range []string{"here.say", "there.say"} {
		if got, err := b.call(t.Context(), name, `{"json":"[1e400]"}`); app.CodeOf(err) != app.InvalidOutput {
			t.Errorf("%s: 1e400 is %s, %v", name, got, err)
		}
	}
}
