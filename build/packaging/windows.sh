#!/bin/sh
# Cross-builds the app for Windows into the folder OUT, with its icon, manifest and
# version, and an installer when makensis is there. Wants gcc-mingw-w64-x86-64.
# Usage: windows.sh OUT    (after make build; needs the page in frontend/dist)
set -eu
cd "$(dirname "$0")/../.."
out=${1:?expected a folder for the program}
mkdir -p "$out"
out=$(cd "$out" && pwd)

WINRES=github.com/tc-hib/go-winres@v0.3.3
VERSION=$(sed -n 's/.*"productVersion": "\(.*\)".*/\1/p' wails.json)
command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "windows.sh: x86_64-w64-mingw32-gcc is not there; install gcc-mingw-w64-x86-64" >&2; exit 1; }

# The linker takes every .syso file that it finds beside main.go.
trap 'rm -f resources_windows_amd64.syso' EXIT
go run $WINRES make --in build/windows/winres.json --arch amd64 --out resources --product-version "$VERSION" --file-version "$VERSION"
CGO_ENABLED=1 GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc \
  go build -tags desktop,production,sqlite_fts5 -trimpath -buildvcs=false \
  -ldflags "-s -w -buildid= -H windowsgui -X main.version=$VERSION" -o "$out/countersign.exe" .
echo "$out/countersign.exe"
if command -v makensis >/dev/null; then
  makensis -V2 -DVERSION="$VERSION" -DPROGRAM="$out/countersign.exe" -DOUT="$out/countersign-$VERSION-windows-amd64-setup.exe" build/windows/installer.nsi
  echo "$out/countersign-$VERSION-windows-amd64-setup.exe"
else
  echo "no installer: makensis is not there (package nsis)" >&2
fi
