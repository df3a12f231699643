// Package package_ tests what make package builds: that its bytes depend on the
// sources alone, that it installs where it says, and that what is in it is whole.
// The tests want root, debootstrap and the archives of Debian and Ubuntu; they
// are behind the tag packagetest, and make test runs them.
package package_
