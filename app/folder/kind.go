package folder

import "io/fs"

// Kind is what something in a folder is.
type Kind string

const (
	File   Kind = "file"
	Sub    Kind = "folder"
	Link   Kind = "link"   // symbolic
	Device Kind = "device" // or pipe, or socket: nothing that can be read to its end
)

// KindOf reads it from a mode.
func KindOf(mode fs.FileMode) Kind {
	switch {
	case mode.IsRegular():
		return File
	case mode.IsDir():
		return Sub
	case mode&fs.ModeSymlink != 0:
		return Link
	default:
		return Device
	}
}

func (k Kind) article() string {
	switch k {
	case Link:
		return "a symbolic link"
	case Device:
		return "a pipe, socket or device"
	default:
		return "a " + string(k)
	}
}
