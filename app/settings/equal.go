package settings

import "slices"

// Equal says whether two settings mean the same.
func (s Settings) Equal(o Settings) bool {
	return s.Model == o.Model && slices.Equal(s.Folders, o.Folders) && slices.Equal(s.Hosts, o.Hosts) &&
		slices.EqualFunc(s.Servers, o.Servers, sameServer) && s.Limits == o.Limits && s.Approval == o.Approval &&
		slices.Equal(s.Tighten, o.Tighten) && s.Theme == o.Theme
}
