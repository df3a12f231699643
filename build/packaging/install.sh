#!/bin/sh
# Installs Countersign from this folder: into ~/.local, or into the folder given.
# Usage: ./install.sh [PREFIX]
set -eu
cd "$(dirname "$0")"
prefix=${1:-"$HOME/.local"}
mkdir -p "$prefix"
cp -R bin share "$prefix/"
echo "Installed into $prefix. Start it with $prefix/bin/countersign, or from the menu."
echo "It needs GTK 3 and WebKitGTK 4.1 (on Debian and Ubuntu: libgtk-3-0 and libwebkit2gtk-4.1-0)."
