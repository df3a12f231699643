# The pictures of the log's place, taken by build/screenshots.sh with its functions:
# the real app on a made-up log, and other logs, one for each thing that verifying
# can find, opened read-only.

logdata=$(mktemp -d)
go run -tags sqlite_fts5 ./build/reviewlog "$logdata"

# on_log SIZE LOOK: the app on a copy of that data, with the log in front.
on_log() {
  local theme=Adwaita copy
  [ "$2" = dark ] && theme=Adwaita:dark
  on_screen "$1" "$theme"
  copy=$(mktemp -d -p "$logdata")
  cp -r "$logdata/data" "$logdata/state" "$copy"
  XDG_DATA_HOME="$copy/data" XDG_STATE_HOME="$copy/state" XDG_CONFIG_HOME="$copy/config" XDG_CACHE_HOME="$copy/cache" \
    build/bin/countersign >/dev/null 2>&1 &
  started+=($!)
  window '^Countersign$'
  xdotool search --sync --onlyvisible --name '^Countersign$' windowactivate --sync
  sleep 3 # the page takes the focus by itself
  xdotool key ctrl+l
  sleep 2
}

# open_other FILE: by the dialog, as a person who types its path.
open_other() {
  xdotool key alt+o
  window '^Open a log'
  sleep 1
  xdotool key slash # opens the place to type into, which would lose what comes at once
  sleep 1
  xdotool type --delay 20 "${1#/}"
  sleep 1
  xdotool key Return
  sleep 2
}

for size in 800x600 1280x800; do
  for look in light dark; do
    wanted "log-list-$size-$look" || continue
    on_log "$size" "$look"
    picture "log-list-$size-$look"
    xdotool key --delay 80 Down Down Return
    picture "log-call-$size-$look"
    xdotool key --delay 80 Escape slash
    xdotool type --delay 10 'zoe muller 11'
    picture "log-search-$size-$look"
    xdotool key --delay 80 Escape Escape alt+2
    picture "log-activity-$size-$look"
    for at in 1 2; do
      xdotool key --delay 80 Next
      picture "log-pictures-$at-$size-$look"
    done
    xdotool key alt+3
    picture "log-ends-$size-$look"
    xdotool key alt+4
    sleep 1
    xdotool key Return
    picture "log-verdict-intact-$size-$look"
    finish
  done
done

# Each thing that verifying finds: in either look, at one size each.
for other in changed.db:entry-changed cut.db:tail-cut rewritten.db:rewritten unanchored.db:anchor-missing export.jsonl:consistent; do
  for look in light dark; do
    size=1280x800
    [ "$look" = dark ] && size=800x600
    wanted "log-verdict-${other##*:}-$size-$look" || continue
    on_log "$size" "$look"
    open_other "$logdata/others/${other%%:*}"
    [ "$other" = export.jsonl:consistent ] && picture "log-other-$size-$look"
    xdotool key alt+4
    sleep 1
    xdotool key Return
    picture "log-verdict-${other##*:}-$size-$look"
    finish
  done
done
rm -rf "$logdata"
