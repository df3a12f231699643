package bridge

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Bytes above carriedFrom do not travel as base64 inside an envelope, which costs
// a third more and is retained by the webview, but through the asset handler:
//
//	POST /bytes/new       the bytes           → {"id":"…"}
//	GET  /bytes/ID                            → the bytes, once
//
// In the envelope stands {"$":"carried","id":"…"} where the base64 text of a
// tagged bytes, file or blob would be. It is put back before anything looks at the
// value, so what is judged, shown, logged, digested and executed is the one text.
// Each id is taken once, within carriedFor, and belongs to one load of the page.
const (
	carriedFrom = 64 << 10 // bytes
	carriedMost = 12 << 20 // bytes of one part: as base64 it fits a value
	carriedAll  = 256 << 20
	carriedFor  = time.Minute
)

// carrier keeps bytes on their way, in memory.
type carrier struct {
	now func() time.Time

	mu    sync.Mutex
	held  map[string]parcel
	total int
}

type parcel struct {
	data  []byte
	until time.Time
}

func newCarrier(now func() time.Time) *carrier {
	return &carrier{now: now, held: map[string]parcel{}}
}

// put keeps bytes and gives their id.
func (c *carrier) put(data []byte) (string, error) {
	if len(data) > carriedMost {
		return "", app.Errorf(app.BadRequest, "%d bytes; at most %d are taken at once", len(data), carriedMost)
	}
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, p := range c.held {
		if c.now().After(p.until) {
			c.drop(id)
		}
	}
	if c.total+len(data) > carriedAll {
		return "", app.Errorf(app.BadRequest, "%d bytes are on their way already; at most %d are kept. Try again when calls have been answered", c.total, carriedAll)
	}
	id := hex.EncodeToString(raw)
	c.held[id] = parcel{data, c.now().Add(carriedFor)}
	c.total += len(data)
	return id, nil
}

// take gives the bytes of an id, once.
func (c *carrier) take(id string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.held[id]
	if !ok {
		return nil, false
	}
	c.drop(id)
	return p.data, !c.now().After(p.until)
}

func (c *carrier) drop(id string) {
	c.total -= len(c.held[id].data)
	delete(c.held, id)
}

// reset drops everything: the page that it was for is gone.
func (c *carrier) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.held)
	c.total = 0
}

// Bytes serves what POST and GET below /bytes/ say above. Whoever mounts it must
// ask for the secret first.
func Bytes(b *Bridge) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /bytes/new", func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, carriedMost))
		if err != nil {
			http.Error(w, fmt.Sprintf("expected at most %d bytes: %v", carriedMost, err), http.StatusRequestEntityTooLarge)
			return
		}
		id, err := b.carrier.put(data)
		if err != nil {
			http.Error(w, wire(err).Message, http.StatusInsufficientStorage)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := fmt.Fprintf(w, `{"id":%q}`, id); err != nil {
			return // the reader went away
		}
	})
	mux.HandleFunc("GET /bytes/{id}", func(w http.ResponseWriter, r *http.Request) {
		data, ok := b.carrier.take(r.PathValue("id"))
		if !ok {
			http.Error(w, "there are no such bytes (any more)", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if _, err := w.Write(data); err != nil {
			return // the reader went away
		}
	})
	return mux
}

const carriedTag = `"carried"`

// unload puts carried bytes back into a value. Text that carries none is returned
// as it is. Where the bytes are gone the error names the path.
func (c *carrier) unload(v app.Value, root string) (app.Value, error) {
	if !bytes.Contains(v, []byte(carriedTag)) {
		return v, nil
	}
	tree, err := readTree(v)
	if err != nil {
		return v, nil // no value: whoever canonicalises it says what is wrong
	}
	err = each(tree, root, func(node map[string]any, key, at string) error {
		ref, ok := node[key].(map[string]any)
		id, isText := ref["id"].(string)
		if !ok || ref["$"] != "carried" || !isText || len(ref) != 2 {
			return nil
		}
		data, ok := c.take(id)
		if !ok {
			return app.Errorf(app.InvalidInput, "%s: its bytes did not arrive, or were used before; send the value again", at)
		}
		node[key] = base64.StdEncoding.EncodeToString(data)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// load takes long bytes out of a value that goes to the page. When they cannot be
// kept they stay in it.
func (c *carrier) load(v app.Value) (json.RawMessage, error) {
	if encoded, ok := value.LoneText(v); ok && base64.StdEncoding.DecodedLen(len(encoded)) > carriedFrom {
		if id, ok := c.keep(encoded); ok {
			return fmt.Appendf(nil, `{"$":"bytes","t":"Uint8Array","v":{"$":"carried","id":%q}}`, id), nil
		}
	}
	if len(v) < carriedFrom || !bytes.Contains(v, []byte(`"$":"b`)) && !bytes.Contains(v, []byte(`"$":"file"`)) {
		return json.RawMessage(v), nil
	}
	tree, err := readTree(v)
	if err != nil {
		return nil, err
	}
	err = each(tree, "", func(node map[string]any, key, _ string) error {
		text, ok := node[key].(string)
		if !ok || base64.StdEncoding.DecodedLen(len(text)) <= carriedFrom {
			return nil
		}
		if id, ok := c.keep([]byte(text)); ok {
			node[key] = map[string]any{"$": "carried", "id": id}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// keep puts base64 text where the page can fetch what it stands for. What is no
// base64 (dispatch has let it through) and what cannot be kept stays in its value.
func (c *carrier) keep(encoded []byte) (id string, ok bool) {
	data := make([]byte, base64.StdEncoding.DecodedLen(len(encoded)))
	n, err := base64.StdEncoding.Strict().Decode(data, encoded)
	if err != nil {
		return "", false
	}
	id, err = c.put(data[:n])
	return id, err == nil
}

// readTree reads a value. Transform refuses what encoding/json would repair.
func readTree(v app.Value) (any, error) {
	if _, err := value.Transform(v); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(v))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	return tree, nil
}

// each visits the members that hold base64 text: v of tagged bytes, and bytes of
// what a tagged file or blob holds.
func each(node any, at string, visit func(node map[string]any, key, at string) error) error {
	switch node := node.(type) {
	case []any:
		for i, item := range node {
			if err := each(item, fmt.Sprintf("%s[%d]", at, i), visit); err != nil {
				return err
			}
		}
	case map[string]any:
		switch tag, _ := node["$"].(string); tag {
		case "bytes":
			return visit(node, "v", at)
		case "file", "blob":
			if content, ok := node["v"].(map[string]any); ok {
				return visit(content, "bytes", at)
			}
		case "":
			for key, item := range node {
				if err := each(item, at+"."+strings.ToValidUTF8(key, "\ufffd"), visit); err != nil {
					return err
				}
			}
		default:
			return each(node["v"], at, visit)
		}
	}
	return nil
}
