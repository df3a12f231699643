#!/bin/sh
# Builds the .deb and the tarball into the folder OUT. Their bytes depend on the
# sources and tools alone: not on the time, the folder, or who builds.
# Usage: package.sh OUT    (after make build; needs the page in frontend/dist)
set -eu
cd "$(dirname "$0")/../.."
out=${1:?expected a folder for the packages}
mkdir -p "$out"
out=$(cd "$out" && pwd)
here=build/packaging

# Tools, pinned like every dependency.
NFPM=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0
TAGS=desktop,production,webkit2_41,sqlite_fts5

VERSION=$(sed -n 's/.*"productVersion": "\(.*\)".*/\1/p' wails.json)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
ARCH=$(go env GOARCH)
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
export VERSION SOURCE_DATE_EPOCH ARCH STAGE LC_ALL=C TZ=UTC
umask 022

echo "countersign $VERSION for linux/$ARCH, as of $(date -u -d "@$SOURCE_DATE_EPOCH" +%F)"
mkdir -p "$STAGE/bin" "$STAGE/share/applications" "$STAGE/share/metainfo" "$STAGE/share/doc/countersign"
go build -tags "$TAGS" -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.version=$VERSION" -o "$STAGE/bin/countersign" .
# The least libc that has every symbol that the program wants.
LIBC=$(objdump -T "$STAGE/bin/countersign" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -1)
export LIBC

# With the flags of the program, so that what both need is compiled once.
go run -tags "$TAGS" -trimpath ./$here/pages "$VERSION" "$SOURCE_DATE_EPOCH" "$STAGE"
cp $here/countersign.desktop "$STAGE/share/applications/"
sed "s/@VERSION@/$VERSION/; s/@DATE@/$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)/" $here/countersign.metainfo.xml \
  >"$STAGE/share/metainfo/io.github.faustine_ai.countersign.metainfo.xml"
for icon in build/icons/*.png; do
  size=$(basename "$icon" .png)
  install -D -m 644 "$icon" "$STAGE/share/icons/hicolor/${size}x$size/apps/countersign.png"
done
install -D -m 644 build/appicon.svg "$STAGE/share/icons/hicolor/scalable/apps/countersign.svg"

docs=$STAGE/share/doc/countersign
cp $here/copyright SECURITY.md app/docs/log-format.md "$docs/"
gzip -9n <CHANGELOG.md >"$docs/changelog.gz"
go run ./$here/licences "$TAGS" >"$docs/THIRD-PARTY-LICENCES.txt"
$here/sbom.sh "$STAGE/bin/countersign" >"$docs/countersign.cdx.json"
find "$STAGE" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

go run $NFPM package --config $here/nfpm.yaml --packager deb --target "$out/countersign_${VERSION}_$ARCH.deb"

name=countersign-$VERSION-linux-$ARCH
cp LICENSE README.md $here/install.sh "$STAGE/"
chmod 755 "$STAGE/install.sh"
find "$STAGE" -maxdepth 1 -type f -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX \
  --transform "s,^\.,$name," --directory "$STAGE" . | gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "countersign_${VERSION}_$ARCH.deb" "$name.tar.gz" | tee SHA256SUMS)
