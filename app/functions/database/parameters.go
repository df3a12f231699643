package database

import (
	"bytes"
	"database/sql/driver"
	"encoding/base64"
	"encoding/json"
	"strconv"

	"github.com/faustine-ai/countersign/app"
)

// parameters are the values of a statement, read from the value as it came: only
// there are bytes told from text, and a bigint from a number.
type parameters []driver.NamedValue

// read reads the member parameters of an input.
func (p *parameters) read(input app.Value) error {
	var in struct {
		Parameters json.RawMessage `json:"parameters"`
	}
	if err := json.Unmarshal(input, &in); err != nil || in.Parameters == nil {
		return nil // an input without members
	}
	decoder := json.NewDecoder(bytes.NewReader(in.Parameters))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return app.Errorf(app.InvalidInput, "input.parameters cannot be read")
	}
	switch tree := tree.(type) {
	case []any:
		for i, item := range tree {
			v, err := bound(item, "input.parameters["+strconv.Itoa(i)+"]")
			if err != nil {
				return err
			}
			*p = append(*p, driver.NamedValue{Ordinal: i + 1, Value: v})
		}
	case map[string]any:
		if tree["$"] == "undefined" {
			return nil
		}
		for name, item := range tree {
			v, err := bound(item, "input.parameters."+name)
			if err != nil {
				return err
			}
			*p = append(*p, driver.NamedValue{Ordinal: len(*p) + 1, Name: name, Value: v})
		}
	default:
		return app.Errorf(app.InvalidInput, "input.parameters: expected a list of values for ?, or an object of values by name for :name")
	}
	return nil
}

// bound turns one value into what SQLite binds.
func bound(node any, at string) (driver.Value, error) {
	switch node := node.(type) {
	case nil:
		return nil, nil
	case string:
		return node, nil
	case bool:
		if node {
			return int64(1), nil
		}
		return int64(0), nil
	case json.Number:
		if i, err := node.Int64(); err == nil {
			return i, nil
		}
		f, err := node.Float64()
		if err != nil {
			return nil, app.Errorf(app.InvalidInput, "%s: the number is out of range", at)
		}
		return f, nil
	case map[string]any:
		if v, ok := boundTagged(node); ok {
			return v, nil
		}
	}
	return nil, app.Errorf(app.InvalidInput, "%s: expected null, text, a number, true or false, a bigint of 64 bits, a Date or bytes; write anything else as text first, such as JSON.stringify(it)", at)
}

func boundTagged(node map[string]any) (driver.Value, bool) {
	text, _ := node["v"].(string)
	switch node["$"] {
	case "bigint":
		i, err := strconv.ParseInt(text, 10, 64)
		return i, err == nil
	case "date":
		return text, text != "" // as toISOString writes it
	case "bytes":
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, false
		}
		return data, true
	}
	return nil, false
}
