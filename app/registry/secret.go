package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/faustine-ai/countersign/app"
)

// Secret marks members of the input as secret, by their JSON names with dots
// between (auth.password; a list stands for its items). The schema says so with
// writeOnly. The function gets them and the card shows them, since a person
// approves what will run; the log stores commitments in their place, and errors
// about the input do not repeat them. What a program or a request says in its
// own text is stored as it is.
func Secret(members ...string) Option {
	return func(d *definition) { d.secretInput = append(d.secretInput, members...) }
}

// SecretResult is Secret for members of the result.
func SecretResult(members ...string) Option {
	return func(d *definition) { d.secretOutput = append(d.secretOutput, members...) }
}

// markSecret sets writeOnly on the members.
func markSecret(schema *jsonschema.Schema, members []string) error {
	for _, name := range members {
		part := schema
		for _, step := range strings.Split(name, ".") {
			for part.Items != nil {
				part = part.Items
			}
			if part.Properties[step] == nil {
				return fmt.Errorf("the secret member %q is not in the schema", name)
			}
			part = part.Properties[step]
		}
		part.WriteOnly = true
	}
	return nil
}

// SecretsOf gives what finds the secret parts of a value: those whose schema says
// writeOnly. It is nil when the schema marks nothing so.
func SecretsOf(schema json.RawMessage) (func(app.Value) []string, error) {
	if !bytes.Contains(schema, []byte(`"writeOnly"`)) {
		return nil, nil
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("the JSON Schema cannot be read: %w", err)
	}
	return func(v app.Value) []string {
		decoder := json.NewDecoder(bytes.NewReader(v))
		decoder.UseNumber()
		var tree any
		if decoder.Decode(&tree) != nil {
			return nil
		}
		return secretParts(&s, tree, "")
	}, nil
}

// secretParts goes along schema and tagged value together. A value that does not
// fit its schema, such as a list where text is secret, is secret as a whole.
func secretParts(s *jsonschema.Schema, node any, at string) (pointers []string) {
	if s == nil {
		return nil
	}
	if s.WriteOnly {
		return []string{at}
	}
	switch node := node.(type) {
	case []any:
		for i, item := range node {
			pointers = append(pointers, secretParts(s.Items, item, app.Pointer(at, strconv.Itoa(i)))...)
		}
	case map[string]any:
		if tag, tagged := node["$"]; tagged {
			if pairs, ok := node["v"].([]any); ok && tag == "object" { // an object with a key "$" of its own
				for i, each := range pairs {
					if pair, ok := each.([]any); ok && len(pair) == 2 {
						key, _ := pair[0].(string)
						pointers = append(pointers, secretParts(property(s, key), pair[1], at+"/v/"+strconv.Itoa(i)+"/1")...)
					}
				}
			}
			return pointers
		}
		for key, item := range node {
			pointers = append(pointers, secretParts(property(s, key), item, app.Pointer(at, key))...)
		}
	}
	return pointers
}

func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	if p := s.Properties[key]; p != nil {
		return p
	}
	return s.AdditionalProperties
}
