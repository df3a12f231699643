// Package registrytest checks, in tests of functions, what their definitions
// promise.
package registrytest

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Fits says whether a result is as the function's output schema says.
func Fits(f *app.Function, result app.Value) error {
	var schema jsonschema.Schema
	if err := json.Unmarshal(f.Output, &schema); err != nil {
		return fmt.Errorf("the output schema of %s: %w", f.Name, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return fmt.Errorf("the output schema of %s: %w", f.Name, err)
	}
	tree, err := value.Plain(result, "the result")
	if err != nil {
		return nil // it holds what a schema cannot speak of, such as Infinity
	}
	if err := resolved.Validate(tree); err != nil {
		return fmt.Errorf("%s returned %.200s, which its output schema does not allow: %w", f.Name, result, err)
	}
	return nil
}
