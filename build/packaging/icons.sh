#!/bin/sh
# Draws every size of the icon from build/appicon.svg again.
set -eu
cd "$(dirname "$0")/.."
for tool in rsvg-convert convert; do
  command -v $tool >/dev/null || { echo "icons.sh: $tool is not installed" >&2; exit 1; }
done
for size in 16 24 32 48 64 128 256 512; do
  rsvg-convert -w $size -h $size appicon.svg -o icons/$size.png
done
cp icons/512.png appicon.png
convert icons/16.png icons/24.png icons/32.png icons/48.png icons/64.png icons/128.png icons/256.png windows/icon.ico
