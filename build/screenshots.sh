#!/bin/bash
# Takes the pictures in build/screenshots again: the real app on the demo scene,
# with its card and when it is done, and the card alone in its other states; at
# 800×600 and 1280×800, light and dark. Needs build/bin/countersign (make build),
# Xvfb, openbox, xdotool and ImageMagick.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/screenshots
mkdir -p "$out" build/cache

for tool in Xvfb openbox xdotool import convert; do
  command -v "$tool" >/dev/null || { echo "screenshots: $tool is not installed" >&2; exit 1; }
done
[ -x build/bin/countersign ] || { echo "screenshots: build/bin/countersign is not there; run make build" >&2; exit 1; }
go build -tags desktop,production,webkit2_41,sqlite_fts5 -o build/cache/cardstates ./build/cardstates

started=() # what this script started and has to end
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
  started=()
}
trap finish EXIT

# on_screen WIDTHxHEIGHT THEME: a fresh screen with a window manager.
on_screen() {
  exec {numbers}> >(cat >build/cache/display)
  Xvfb -displayfd "$numbers" -screen 0 "$1x24" -nolisten tcp -noreset >/dev/null 2>&1 &
  started+=($!)
  exec {numbers}>&-
  until [ -s build/cache/display ]; do kill -0 "${started[0]}"; sleep 0.05; done
  export DISPLAY=":$(cat build/cache/display)" GTK_THEME="$2" GDK_BACKEND=x11 NO_AT_BRIDGE=1
  rm build/cache/display
  openbox >/dev/null 2>&1 &
  started+=($!)
  timeout 20 bash -c 'until xdotool get_num_desktops >/dev/null 2>&1; do sleep 0.05; done'
  xdotool mousemove 0 0
}

# window NAME: waits, at most half a minute, until such a window is on screen.
# A search fails when a window goes away under it, so it is tried again.
window() { timeout 30 bash -c 'until xdotool search --onlyvisible --name "$1" >/dev/null 2>&1; do sleep 0.1; done' - "$1"; }

# picture FILE: takes it when the screen has been still for a second, without the
# date that would make each run's files differ.
picture() {
  local before='' now still=0
  for _ in $(seq 60); do
    now=$(import -window root rgb:- | sha256sum)
    [ "$now" = "$before" ] && still=$((still + 1)) || still=0
    [ "$still" -ge 5 ] && break
    before=$now
    sleep 0.2
  done
  import -window root png:- | convert - -strip -define png:exclude-chunks=date,time "$out/$1.png"
  echo "$out/$1.png"
}

for size in 800x600 1280x800; do
  for look in light dark; do
    theme=Adwaita
    [ "$look" = dark ] && theme=Adwaita:dark
    on_screen "$size" "$theme"
    build/bin/countersign demo cancel-orders >build/cache/screenshots.out 2>&1 &
    started+=($!)
    window '^Cancel 3 orders'
    picture "card-$size-$look"
    xdotool key --delay 50 Tab space # run the three
    timeout 30 bash -c 'until grep -q "^  Done" build/cache/screenshots.out; do sleep 0.1; done'
    picture "window-$size-$look"
    finish
  done
done

# state NAME STATE [WIDTHxHEIGHT THEME SCALE KEYS… [rtl]]: the card alone.
state() {
  local name=$1 shown=$2 size=${3:-1280x800} theme=${4:-Adwaita} scale=${5:-1} keys=${6:-} direction=${7:-}
  on_screen "$size" "$theme"
  GDK_SCALE=$scale build/cache/cardstates "$shown" $direction >/dev/null 2>&1 &
  started+=($!)
  window '– Countersign$'
  if [ -n "$keys" ]; then
    sleep 1 # until its keys count
    xdotool key --delay 40 $keys
  fi
  picture "state-$name"
  finish
}

state one one
state sixteen sixteen
state many many
state filtered many 1280x800 Adwaita 1 'ctrl+f 1 1 4'
state groups groups
state warning warning
state binary binary
state reason sixteen 1280x800 Adwaita 1 'shift+Tab shift+Tab shift+Tab Down space Tab Tab T o o space l a t e'
state long long
state dark groups 1280x800 Adwaita:dark
state contrast warning 1280x800 HighContrast
state 200 sixteen 2560x1600 Adwaita 2
state 200-small warning 1280x800 Adwaita 2
state rtl groups 1280x800 Adwaita 1 '' rtl
