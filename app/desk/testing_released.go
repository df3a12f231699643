//go:build !desktoptest

package desk

import "github.com/faustine-ai/countersign/app"

// Without the tag desktoptest nothing changes what the program does.
func testSetup(s setup) setup                                 { return s }
func testFunctions(functions []*app.Function) []*app.Function { return functions }
