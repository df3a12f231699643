#!/bin/bash
# Takes the pictures in build/screenshots again: the real app on the demo scene,
# with its card and when it is done, and after a restart; the card alone in its
# other states; and the card on Windows where there is Wine. At 800×600 and
# 1280×800, light and dark. Needs build/bin/countersign (make build), Xvfb,
# openbox, xdotool and ImageMagick. With arguments only those pictures whose names
# match one of them: build/screenshots.sh 'state-*'.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/screenshots
mkdir -p "$out" build/cache

for tool in Xvfb openbox xdotool import convert; do
  command -v "$tool" >/dev/null || { echo "screenshots: $tool is not installed" >&2; exit 1; }
done
[ -x build/bin/countersign ] || { echo "screenshots: build/bin/countersign is not there; run make build" >&2; exit 1; }
go build -tags desktop,production,webkit2_41,sqlite_fts5 -o build/cache/cardstates ./build/cardstates

only=("$@")
wanted() {
  local pattern
  [ "${#only[@]}" = 0 ] && return 0
  for pattern in "${only[@]}"; do [[ $1 == $pattern ]] && return 0; done
  return 1
}

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
    wanted "card-$size-$look" || wanted "window-$size-$look" || continue
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

# after_restart NAME WIDTHxHEIGHT: the app was killed while a card waited, and is
# started again; first its window, then the card that it opens again.
after_restart() {
  local name=$1 data
  wanted "$name" || return 0
  data=$(mktemp -d)
  on_screen "$2" Adwaita
  local run=(env XDG_DATA_HOME="$data/data" XDG_STATE_HOME="$data/state" XDG_CONFIG_HOME="$data/config" XDG_CACHE_HOME="$data/cache"
    build/bin/countersign)
  "${run[@]}" >/dev/null 2>&1 &
  local pid=$!
  window '^Countersign$'
  xdotool search --sync --onlyvisible --name '^Countersign$' windowactivate --sync
  sleep 3 # the page takes the focus by itself
  xdotool type --delay 5 'Cancel every open order over $100 from last week.'
  xdotool key Return
  window '^Cancel 3 orders'
  kill -KILL "$pid" && wait "$pid" 2>/dev/null || true
  "${run[@]}" >/dev/null 2>&1 &
  started+=($!)
  window '^Countersign$'
  picture "$name"
  finish
  rm -rf "$data"
}

after_restart after-restart-1280x800 1280x800
after_restart after-restart-800x600 800x600

# state NAME STATE [WIDTHxHEIGHT THEME SCALE KEYS… [rtl]]: the card alone.
state() {
  local name=$1 shown=$2 size=${3:-1280x800} theme=${4:-Adwaita} scale=${5:-1} keys=${6:-} direction=${7:-}
  wanted "state-$name" || return 0
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

late='shift+Tab shift+Tab shift+Tab Down space Tab Tab T o o space l a t e'
for size in 1280x800 800x600; do
  at=
  [ "$size" = 800x600 ] && at=-800x600
  for name in one sixteen many groups warning binary long; do state "$name$at" "$name" "$size"; done
  state "reason$at" sixteen "$size" Adwaita 1 "$late"
  state "filtered$at" many "$size" Adwaita 1 'ctrl+f 1 1 4'
done
state imitation imitation
state list-focus groups 1280x800 Adwaita 1 'shift+Tab shift+Tab shift+Tab Down'
state enter three 1280x800 Adwaita 1 'Tab Return'
state dark groups 1280x800 Adwaita:dark
state dark-warning warning 800x600 Adwaita:dark
state contrast warning 1280x800 HighContrast
state 200 sixteen 2560x1600 Adwaita 2
state 200-small warning 1280x800 Adwaita 2
state rtl groups 1280x800 Adwaita 1 '' rtl

# The card on Windows, as Wine draws it; where there is no Wine, not.
wine=/usr/lib/wine/wine64
if { wanted windows-sixteen || wanted windows-warning || wanted windows-binary; } && [ -x "$wine" ] && command -v x86_64-w64-mingw32-gcc >/dev/null; then
  prefix=$(mktemp -d)
  export WINEPREFIX=$prefix WINESERVER=/usr/lib/wine/wineserver64 WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
  GOOS=windows CGO_ENABLED=0 go build -o build/cache/cardstates.exe ./build/cardstates
  on_screen 1280x800 Adwaita
  "$wine" wineboot -i >/dev/null 2>&1
  x86_64-w64-mingw32-gcc -shared -o "$prefix/drive_c/windows/system32/bcryptprimitives.dll" tests/windows/testdata/prng.c -ladvapi32
  for name in sixteen warning binary; do
    "$wine" explorer /desktop=card,1280x800 build/cache/cardstates.exe "$name" >/dev/null 2>&1 &
    sleep 4 # Wine's windows have no names that xdotool could wait for
    picture "windows-$name"
    "$wine" wineboot -k >/dev/null 2>&1 || true
  done
  "$WINESERVER" -k || true
  finish
  rm -rf "$prefix"
fi

# The log's place, its pictures and what verifying can find: log-*.
if wanted log-list || [[ "${only[*]}" == *log-* ]]; then . build/screenshots-log.sh; fi
