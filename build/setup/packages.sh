#!/bin/sh
# Installs the Debian packages that are missing, when run as root; otherwise
# names them and fails. Usage: packages.sh build | package | test
set -eu

# What building and running the app needs.
build="gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev xvfb xauth"
# What the tests need on top: the three engines, a window manager, real keys
# and clicks, a keychain, the accessibility bus that names the card's widgets, and compilers
# and an almost-Windows and an almost-macOS for the card there.
test="chromium firefox-esr webkit2gtk-driver openbox xdotool xclip dbus-daemon dbus-x11 gnome-keyring at-spi2-core python3 python3-pyatspi fonts-dejavu-core x11-utils gcc-mingw-w64-x86-64 wine64 gobjc libgnustep-gui-dev gnustep-back0.29-cairo"

# What make package and make windows need.
package="binutils gcc-mingw-w64-x86-64 nsis"
# What their tests need: a clean root, and the rules for menus and stores.
packaged="debootstrap desktop-file-utils appstream"

case "${1:-}" in
  build) wanted=$build ;;
  package) wanted="$build $package" ;;
  test) wanted="$build $test $package $packaged" ;;
  *) echo "expected: packages.sh build | package | test" >&2; exit 2 ;;
esac

missing() {
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done
}

if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian: install what these packages hold by hand: $wanted" >&2
  exit 0
fi
needed=$(missing)
[ -n "$needed" ] || exit 0
if [ "$(id -u)" != 0 ]; then
  echo "Missing Debian packages: $needed" >&2
  echo "Install them with: sudo apt-get install $needed" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q </dev/null
# shellcheck disable=SC2086 # the list is meant to be split
apt-get install -q -y --no-install-recommends $needed </dev/null
needed=$(missing)
[ -z "$needed" ] || { echo "apt-get did not install: $needed" >&2; exit 1; }
