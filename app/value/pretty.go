package value

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Pretty writes a value for people, indented by two spaces: plain parts as
// JSON, the others as what they are (Date 2026-…, 123n, Map with 2 entries,
// Uint8Array of 4 bytes and every byte in hex). Nothing is cut. Strings are
// quoted as JSON quotes them, so what stands outside quotes was written here.
// Text that is no value is returned as it is.
func Pretty(v app.Value) string {
	tree, err := parse(v)
	if err != nil {
		return string(v)
	}
	var p printer
	p.print(tree, 0)
	return p.String()
}

type printer struct {
	strings.Builder
	brief    bool     // see Brief
	name     string   // of the File that is printed
	binaries []Binary // that were described
}

func (p *printer) line(depth int) {
	p.WriteByte('\n')
	for range depth {
		p.WriteString("  ")
	}
}

func (p *printer) print(node any, depth int) {
	switch node := node.(type) {
	case []any:
		p.list("[", "]", len(node), depth, func(i int) { p.print(node[i], depth+1) })
	case map[string]any:
		if name, ok := node["$"].(string); ok {
			p.tagged(name, node, depth)
			return
		}
		keys := sortedKeys(node)
		p.list("{", "}", len(keys), depth, func(i int) {
			p.WriteString(quote(keys[i]) + ": ")
			p.print(node[keys[i]], depth+1)
		})
	case string:
		p.WriteString(quote(node))
		p.length(node)
	case json.Number:
		p.WriteString(node.String())
	default:
		p.WriteString(marshal(node)) // true, false, null
	}
}

// list writes n items between two brackets, each on a line of its own.
func (p *printer) list(open, end string, n, depth int, item func(i int)) {
	p.WriteString(open)
	for i := range n {
		if i > 0 {
			p.WriteByte(',')
		}
		p.line(depth + 1)
		item(i)
	}
	if n > 0 {
		p.line(depth)
	}
	p.WriteString(end)
}

// quote is JSON's quoting without the escaping of < > & that Go adds.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("value: a string cannot fail to marshal: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (p *printer) tagged(name string, node map[string]any, depth int) {
	v := node["v"]
	switch name {
	case "undefined":
		p.WriteString("undefined")
	case "number":
		fmt.Fprint(p, v)
	case "bigint":
		fmt.Fprintf(p, "%vn", v)
	case "date":
		p.date(v)
	case "bytes":
		p.bytes(fmt.Sprint(node["t"]), v, depth)
	case "string":
		p.WriteString(quoteUnits(node))
	case "regexp":
		parts := v.([]any)
		fmt.Fprintf(p, "RegExp %s, flags %s", p.text(parts[0]), p.text(parts[1]))
	case "error":
		e := v.(map[string]any)
		fmt.Fprintf(p, "Error %s: %s", p.text(e["name"]), p.text(e["message"]))
	case "map":
		pairs := v.([]any)
		fmt.Fprintf(p, "Map with %s ", count(len(pairs), "entry", "entries"))
		p.pairs(pairs, depth, " → ")
	case "set":
		items := v.([]any)
		fmt.Fprintf(p, "Set with %s ", count(len(items), "member", "members"))
		p.list("{", "}", len(items), depth, func(i int) { p.print(items[i], depth+1) })
	case "array":
		fmt.Fprintf(p, "Array of length %v with holes, holding ", node["n"])
		p.pairs(v.([]any), depth, ": ")
	case "object":
		p.pairs(v.([]any), depth, ": ")
	case "secret": // only in logs: what a log holds in a secret's place
		p.WriteString("(a secret, not stored)")
	case "file", "blob":
		p.file(name, v.(map[string]any), depth)
	}
}

func (p *printer) pairs(pairs []any, depth int, between string) {
	p.list("{", "}", len(pairs), depth, func(i int) {
		pair := pairs[i].([]any)
		p.print(pair[0], depth+1)
		p.WriteString(between)
		p.print(pair[1], depth+1)
	})
}

func (p *printer) date(v any) {
	text, ok := v.(string)
	if !ok {
		p.WriteString("Date that is invalid")
		return
	}
	p.WriteString("Date " + text)
	if t, ok := parseDate(text); ok {
		p.WriteString(" (" + t.Weekday().String()[:3] + ")")
	}
}

// bytesPerLine: sixteen bytes fill a line of the card.
const bytesPerLine = 16

func (p *printer) bytes(kind string, v any, depth int) {
	data, err := decodeBase64(v)
	if err != nil {
		fmt.Fprintf(p, "%s %v", kind, v)
		return
	}
	if p.brief && len(data) > briefBytes {
		p.describe(kind, data, depth)
		return
	}
	fmt.Fprintf(p, "%s of %s", kind, count(len(data), "byte", "bytes"))
	for i := 0; i < len(data); i += bytesPerLine {
		p.line(depth + 1)
		row := data[i:min(i+bytesPerLine, len(data))]
		for j, b := range row {
			if j > 0 {
				p.WriteByte(' ')
			}
			p.WriteString(hex.EncodeToString([]byte{b}))
		}
	}
}

func (p *printer) file(name string, m map[string]any, depth int) {
	if name == "file" {
		fmt.Fprintf(p, "File %s, ", p.text(m["name"]))
		if n, ok := m["modified"].(json.Number); ok {
			if ms, err := n.Int64(); err == nil {
				fmt.Fprintf(p, "modified %s, ", time.UnixMilli(ms).UTC().Format(time.RFC3339Nano))
			}
		}
	}
	fmt.Fprintf(p, "type %s, ", p.text(m["type"]))
	p.name, _ = m["name"].(string)
	p.bytes("Blob", m["bytes"], depth)
	p.name = ""
}

// text writes a plain or tagged string, quoted.
func (p *printer) text(node any) string {
	if s, ok := node.(string); ok {
		return quote(s)
	}
	return quoteUnits(node)
}

// quoteUnits writes a string with lone surrogates; they appear as escapes, as
// in JSON, and everything else as itself.
func quoteUnits(node any) string {
	units, _, ok := stringUnits(node)
	if !ok {
		return marshal(node)
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(units); {
		j := i
		for j < len(units) && !lone(units, j) {
			j++
			if j < len(units) && units[j-1] >= 0xD800 && units[j-1] < 0xDC00 {
				j++ // the second half of a pair
			}
		}
		if j > i {
			inner := quote(decodeRunes(units[i:j]))
			b.WriteString(inner[1 : len(inner)-1])
		}
		if j < len(units) {
			fmt.Fprintf(&b, `\u%04x`, units[j])
			j++
		}
		i = j
	}
	b.WriteByte('"')
	return b.String()
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
