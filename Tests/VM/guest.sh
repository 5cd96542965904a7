# What the tests' guest parts share; run-test reads it before a guest part, inside the machine. Recordings are made in
# memory, and so is the webcam's log: while the machine waits for the host's files, its clock runs, and a camera that
# waits for them leaves out pictures. What is finished goes to /share.
# shellcheck shell=bash
set -euo pipefail
mkdir /tmp/takes
cd /tmp/takes

# Reads the programs and their libraries once, so that later none waits for the host's files: the machine's clock
# jumps over such waits.
for program in "$CAMREC_BINARY" /usr/bin/python3 /usr/bin/v4l2-ctl /usr/bin/aplay; do
  echo "$program"
  ldd "$program" | awk '$2 == "=>" { print $3 }'
done | sort -u | xargs cat >/dev/null
"$CAMREC_BINARY" --help >/dev/null
python3 -B "$KIT/webcam" --help >/dev/null
v4l2-ctl --help >/dev/null
aplay --help >/dev/null

# record NAME ARGUMENT...: records until it ends by itself, to NAME.mov (or NAME as it is where it has an extension).
# Leaves NAME.events (a JSON object a line), NAME.log (standard error) and NAME.exit beside it in /share.
record() {
  start "$@"
  finish "${1%.*}"
}

# start NAME ARGUMENT...: the same, and returns while it records. finish NAME: waits for the end.
declare -A jobs
start() {
  local name=${1%.*} output=$1
  [ "$name" != "$output" ] || output=$name.mov
  shift
  # The shell's own standard error would tell of a camrec that was killed.
  {
    code=0
    "$CAMREC_BINARY" record --json --output "$output" "$@" >"$name.events" 2>"$name.log" </dev/null || code=$?
    echo $code >"$name.exit"
  } 2>/dev/null &
  jobs[$name]=$!
}

finish() {
  wait "${jobs[$1]}"
  cp "$1".* /share/
  rm "$1".*
}

# running NAME: the process that records it.
running() { cat "/proc/${jobs[$1]}/task/${jobs[$1]}/children"; }

# await_start NAME: until its first frame has come, or it has ended.
await_start() {
  local _
  for _ in $(seq 600); do
    if grep -q '"event" *: *"started"' "$1.events" 2>/dev/null || [ -f "$1.exit" ]; then return; fi
    sleep 0.05
  done
  echo "$1 did not start" >&2
  return 1
}

# until_said FILE TEXT COUNT: so many lines of the file have it. event KIND: such a text, of a line of --json.
until_said() {
  local _
  for _ in $(seq 1200); do
    [ "$(grep -c -- "$2" "$1")" -lt "$3" ] || return 0
    sleep 0.05
  done
  echo "$1 does not say '$2' $3 times" >&2
  cat "$1" >&2
  return 1
}
event() { echo "\"event\" *: *\"$1\""; }

# await_path PATH: until a device node is there.
await_path() {
  local _
  for _ in $(seq 200); do
    [ ! -e "$1" ] || return 0
    sleep 0.05
  done
  echo "$1 did not appear" >&2
  return 1
}

# control DEVICE NAME=VALUE...: sets controls of a camera.
control() {
  local device=$1 setting settings=()
  shift
  for setting; do settings+=(--set-ctrl "$setting"); done
  v4l2-ctl -d "$device" "${settings[@]}"
}

# What the webcam is told, and the divisions that `mark NAME` sets in it: webcam.log in /share at the end.
webcam_log=/tmp/webcam.log
mark() { echo "{\"mark\": \"$1\"}" >>$webcam_log; }
trap '[ ! -f $webcam_log ] || cp $webcam_log /share/' EXIT

# webcam ARGUMENT...: plugs in the simulated webcam and waits until both of its halves are there.
webcam() {
  python3 -B "$KIT/webcam" --log $webcam_log "$@" &
  await_path /dev/video0
  case " $* " in *" --audio "*) await_path /dev/snd/pcmC0D0c ;; esac
}

# tell_webcam COMMAND...
tell_webcam() { python3 -S -B "$KIT/webcam/tell.py" "$@"; }
