package files

import (
	"context"

	"github.com/faustine-ai/countersign/app"
)

type makeFolderInput struct {
	Path string `json:"path" jsonschema:"such as Documents/2026/letters"`
}

type makeFolderOutput struct {
	Path string `json:"path"`
	Made bool   `json:"made" jsonschema:"false: it was there already"`
}

func (f *Files) makeFolder(_ context.Context, in makeFolderInput) (makeFolderOutput, error) {
	place, err := f.folders.ForChange(in.Path)
	if err != nil {
		return makeFolderOutput{}, err
	}
	defer place.Close()
	if info, err := place.Stat(); err == nil {
		if !info.IsDir() {
			return makeFolderOutput{}, app.Errorf(app.FunctionFailed, "%s is there already, and is no folder", place.Path)
		}
		return makeFolderOutput{place.Path, false}, nil
	}
	if err := place.MakeFolder(); err != nil {
		return makeFolderOutput{}, err
	}
	return makeFolderOutput{place.Path, true}, nil
}
