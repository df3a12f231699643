package registry

import (
	"fmt"
	"regexp"
	"strings"
)

// part is a JavaScript identifier in ASCII. Other letters are left out so that
// no name on a card can look like another one.
var part = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// reserved parts would change what awaiting, printing or stringifying sdk does,
// or reach the prototype of an object that holds functions.
var reserved = map[string]bool{"__proto__": true, "constructor": true, "prototype": true, "then": true, "toJSON": true}

// CheckName says what is wrong with the name of a function: it must be dotted
// identifiers (orders.cancel); JavaScript's reserved words are allowed
// (notes.delete).
func CheckName(name string) error {
	if name == "" {
		return fmt.Errorf("a function has no name; expected dotted identifiers such as orders.cancel")
	}
	for _, p := range strings.Split(name, ".") {
		switch {
		case p == "":
			return fmt.Errorf("function %q: a part of the name is empty; expected dotted identifiers such as orders.cancel", name)
		case reserved[p]:
			return fmt.Errorf("function %q: %s cannot be part of a name, since JavaScript gives it a meaning of its own", name, p)
		case !part.MatchString(p):
			return fmt.Errorf("function %q: %q is no identifier; expected letters, digits, _ or $, not beginning with a digit", name, p)
		}
	}
	return nil
}
