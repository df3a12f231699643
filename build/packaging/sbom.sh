#!/bin/sh
# Prints the bill of materials of the program and its page, as CycloneDX. What the
# linker has noted in the program is what is in it.
# Usage: sbom.sh PROGRAM
set -eu
program=$(realpath "${1:?expected the program}")
cd "$(dirname "$0")/../.."

CYCLONEDX=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
VERSION=${VERSION:-$(sed -n 's/.*"productVersion": "\(.*\)".*/\1/p' wails.json)}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
go run $CYCLONEDX bin -json -noserial -std -version "v$VERSION" -output "$parts/go.json" "$program" 2>"$parts/err" || { cat "$parts/err" >&2; exit 1; }
node build/packaging/sbom.mjs "$VERSION" "$SOURCE_DATE_EPOCH" "$parts/go.json" frontend/package-lock.json
