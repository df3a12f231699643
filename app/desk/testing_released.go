//go:build !desktoptest

package desk

import (
	"io/fs"

	"github.com/faustine-ai/countersign/app"
)

// Without the tag desktoptest nothing changes what the program does.
func testSetup(s setup) setup                                 { return s }
func testFunctions(functions []*app.Function) []*app.Function { return functions }
func testPage(page fs.FS) fs.FS                               { return page }
func testLog(log app.Log) app.Log                             { return log }
func testShow() bool                                          { return true }
