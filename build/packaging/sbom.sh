#!/bin/sh
# Prints the bill of materials of the program and its page, as CycloneDX.
set -eu
cd "$(dirname "$0")/../.."

CYCLONEDX=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
TAGS=desktop,production,webkit2_41,sqlite_fts5
VERSION=${VERSION:-$(sed -n 's/.*"productVersion": "\(.*\)".*/\1/p' wails.json)}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
GOFLAGS=-tags=$TAGS go run $CYCLONEDX app -json -noserial -std -main . -output "$parts/go.json" . 2>"$parts/err" || { cat "$parts/err" >&2; exit 1; }
node build/packaging/sbom.mjs "$VERSION" "$SOURCE_DATE_EPOCH" "$parts/go.json" frontend/package-lock.json
