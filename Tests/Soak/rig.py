#!/usr/bin/env python3
"""A rig in real time through a script of faults, at whose end its ledger, log, metrics, state and films are held
against each other.

    scripts/soak [MINUTES] [--size WxH] [--keep FOLDER] [--json FILE]

30 minutes unless told, at 1920x1080 and 24 fps with a LUT and sound, on two cores; CAMREC_BINARY is the program. In
turn: frames that never come, damaged ones, a stall, lost sound, a stream that hangs, a microphone that is unplugged and
comes back, settings that are changed over the socket, a camera that is unplugged and comes back, a SIGKILL, and all
that again behind it. What a busy machine loses beside that is no fault, as long as it is accounted.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

from claims import Claims, Watch
from films import Film, flash_frames, metrics, output

RATE = 24
HALF_A_FRAME = 0.5 / RATE
REASONS = {
    "deviceGap": "device_gap", "deviceError": "device_error", "overload": "overload", "disk": "disk",
    "defect": "defect",
}


class Recording:
    """One process of the rig's camera, from its start to its end."""

    def __init__(self, pid):
        self.pid, self.events, self.samples, self.lost, self.watch = pid, [], [], {}, Watch(pid)
        self.warnings, self.was_killed = 0, False

    def of(self, kind):
        return [event for event in self.events if event["event"] == kind]


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder, self.claims = options, folder, Claims()
        self.seconds = options.minutes * 60
        self.recordings, self.said, self.films = [], [], {}
        self.worst, self.tones, self.read, self.pictures, self.played = 0.0, 0, 0, 0, 0.0

    def write_rig(self):
        at = lambda seconds: round(seconds * RATE)
        self.vanishes = max(45, self.seconds * 0.45)
        faults = [f"drop {at(10)} 5", f"damage {at(13)} 2", f"stall {at(15)} 1.5s", "xrun 19s 50ms", f"hang {at(22)}",
                  "unplug 30s 3s", f"vanish {at(self.vanishes)} 3s"]
        (self.folder / "faults").write_text("\n".join(faults) + "\n")
        lut = pathlib.Path(__file__).resolve().parents[2] / "LUTs/log2709.cube"
        (self.folder / "rig.yaml").write_text(f"""\
cameras:
  front:
    camera: sim:faults={self.folder}/faults,ppm=40,microphone-ppm=-30
    size: {self.options.size}
    fps: {RATE}
    lut: {lut}
    cores: 2
    preset: ultrafast
    utc: true
    segment: {min(600, max(15, round(self.seconds / 8)))}s
    output: {self.folder}/front_%Y-%m-%d_%H-%M-%S.mov
    metrics: {self.folder}/front.prom
    state: {self.folder}/front.state.json
settings: {self.folder}/settings
sockets: {self.folder}/sockets
""")
        (self.folder / "settings").mkdir(mode=0o750)
        (self.folder / "sockets").mkdir(mode=0o750)

    # The run

    def run(self):
        self.write_rig()
        binary, environment = os.environ["CAMREC_BINARY"], dict(os.environ, XDG_STATE_HOME=str(self.folder / "home"))
        cores = sorted(os.sched_getaffinity(0))[:2]
        self.rig = subprocess.Popen(
            [binary, "rig", "--json", "--log", "json", str(self.folder / "rig.yaml")],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(self.folder / "log", "w"), text=True,
            env=environment, preexec_fn=lambda: os.sched_setaffinity(0, cores))
        readers = [threading.Thread(target=self.read_events), threading.Thread(target=self.sample, daemon=True)]
        self.ends = threading.Event()
        for reader in readers:
            reader.start()
        begin = time.monotonic()
        # Shares of the time: what the script of the camera does not do by itself.
        for share, act in ((0.2, self.set_over_socket), (0.6, self.set_over_socket), (0.7, self.kill)):
            time.sleep(max(0, begin + share * self.seconds - time.monotonic()))
            act()
        time.sleep(max(0, begin + self.seconds - time.monotonic()))
        self.rig.send_signal(signal.SIGTERM)
        self.status = self.rig.wait(timeout=240)
        self.ends.set()
        readers[0].join()

    def read_events(self):
        for line in self.rig.stdout:
            event = json.loads(line)
            if event["event"] == "process":
                self.recordings.append(Recording(event["pid"]))
            elif event["event"] == "rig":
                self.said.append(event["message"])
            if self.recordings:
                self.recordings[-1].events.append(event)

    def sample(self):
        """Metrics and state as they stand, twice a second."""
        while not self.ends.wait(0.5):
            try:
                recording, values = self.recordings[-1], metrics(self.folder / "front.prom")
                state = json.loads((self.folder / "front.state.json").read_text())
            except (OSError, IndexError, ValueError):
                continue
            if state["writer"]["pid"] == recording.pid:
                recording.samples.append((values, state))

    def set_over_socket(self):
        answer = subprocess.run(
            [os.environ["CAMREC_BINARY"], "ctl", "--socket", str(self.folder / "sockets/front.sock"), "--json", "ev",
             "+1/3" if len(self.recordings[-1].of("progress")) % 2 else "-1/3"], capture_output=True, text=True)
        self.claims.check(answer.returncode == 0, f"ctl ev ended with {answer.returncode}: {answer.stderr.strip()}")

    def kill(self):
        # Behind the start of a film there may be nothing of it yet.
        while not self.recordings[-1].of("progress"):
            time.sleep(0.2)
        time.sleep(3)
        victim = self.recordings[-1]
        victim.was_killed = True
        victim.watch.ends.set()
        os.kill(victim.pid, signal.SIGKILL)

    # The judge

    def judge(self):
        check = self.claims.check
        check(self.status == 3, f"the rig's exit status is {self.status}")
        check(len(self.recordings) == 2, f"{len(self.recordings)} processes: one, and one behind the kill")
        check(any("signal 9" in sentence for sentence in self.said), f"the rig says so: {self.said}")
        self.read_log()
        before = {path.name for path in self.folder.glob("*.mov")}
        # A file is made ready five seconds ahead: the kill may leave one that has nothing in it.
        empty = {name for name in before
                 if not (self.folder / name).stat().st_size and not (self.folder / f"{name}.camrec").exists()}
        check(len(empty) <= 1, f"empty films: {sorted(empty)}")
        before -= empty
        killed = [name for name in before if not self.has_end(name)]
        check(len(killed) <= 2, f"films without an end: {killed}")
        self.judge_recovery(killed)
        for name in sorted(before):
            try:
                self.judge_film(name, name in killed)
            except Exception as error:  # What cannot be read is a claim that does not hold.
                said = getattr(error, "stderr", None) or b""
                check(False, f"{name}: {said.decode().strip() or repr(error)}")
        for recording in self.recordings:
            self.judge_recording(recording)
        begun = {pathlib.Path(event["output"]).name
                 for recording in self.recordings for event in recording.of("segment")}
        check(begun | set(killed) == before,
              f"films that nobody told of: {before - begun - set(killed)}; missing: {begun - before}")

    def has_end(self, name):
        return '{"end"' in (self.folder / f"{name}.camrec").read_text()

    def judge_recovery(self, killed):
        """What the kill has left plays, and is made an ordinary film of."""
        check = self.claims.check
        for name in killed:
            packets = int(output("ffprobe", "-v", "quiet", "-count_packets", "-select_streams", "v:0", "-show_entries",
                                 "stream=nb_read_packets", "-of", "csv=p=0", str(self.folder / name)).split()[0] or 0)
            check(packets > 0, f"{name}: {packets} frames play behind the kill")
        answer = subprocess.run([os.environ["CAMREC_BINARY"], "recover", *[str(self.folder / name) for name in killed]],
                                capture_output=True, text=True)
        check(answer.returncode == 0, f"recover ended with {answer.returncode}: {answer.stderr.strip()}")

    def judge_film(self, name, was_killed):
        check, film = self.claims.check, Film(str(self.folder / name))
        sidecar = film.sidecar
        places, sequences = sidecar.places(), sidecar.sequences()
        self.films[name] = sidecar
        check(places == sorted(set(places)), f"{name}: the sidecar's frames are in order, each once")
        covered = set(places)
        for record in sidecar.lost:
            if record["lost"] != "sound" and "frame" in record:
                span = range(record["frame"], record["frame"] + record["count"])
                check(covered.isdisjoint(span), f"{name}: frames {span} are in the film and lost")
                covered.update(span)
        if was_killed:
            check(sidecar.recovered is not None and sidecar.recovered["frames"] == len(film.times),
                  f"{name}: {len(film.times)} frames, recovered {sidecar.recovered}")
            gone = len(places) - len(film.times)
            check(0 <= gone <= RATE, f"{name}: the kill has taken {gone} frames that had been handed to the film")
            self.lost_by_kill = gone
            places, sequences = places[:len(film.times)], sequences[:len(film.times)]
        else:
            expected = sidecar.end["expected"]
            check(covered == set(range(expected)),
                  f"{name}: {sorted(set(range(expected)) ^ covered)[:10]} are neither in it nor lost")
            losses = {reason: sidecar.end[reason] for reason in REASONS}
            check(sidecar.end["written"] == len(places) == len(film.times) == expected - sum(losses.values()),
                  f"{name}: {len(film.times)} frames, {len(places)} records, the end {sidecar.end}")
            recorded = sidecar.losses()
            check({reason: count for reason, count in losses.items() if count} == recorded,
                  f"{name}: records of losses {recorded}, the end {losses}")
        late = [place for place, time in zip(places, film.times) if abs(time - (place - places[0]) / RATE) > 0.001]
        check(not late, f"{name}: frames that do not stand at their time: {late[:5]}")
        numbers = film.numbers()
        if numbers is not None:
            wrong = [place for place, number, sequence in zip(places, numbers, sequences) if number != sequence]
            check(not wrong, f"{name}: pictures of other frames than the sidecar says: {wrong[:5]}")
            self.read += len(numbers) - len(wrong)
        self.pictures += len(film.times)
        self.judge_sound(film, name, places, sequences)

    def judge_sound(self, film, name, places, sequences):
        silences = [(record["sample"] / 48000, (record["sample"] + record["count"]) / 48000)
                    for record in film.sidecar.lost if record["lost"] == "sound"]
        by_sequence = {sequence: (place - places[0]) / RATE for place, sequence in zip(places, sequences)}
        length, flashes = film.times[-1], {}
        for frame in flash_frames(sequences[0], sequences[-1], RATE):
            time = by_sequence.get(frame)
            if time is not None and time < length - 0.2 and not any(
                    begin - 0.3 < time < end + 0.3 for begin, end in silences):
                flashes[frame] = time
        offsets = film.offsets(flashes)
        silent = [frame for frame, offset in offsets.items() if offset is None]
        self.claims.check(not silent, f"{name}: flashes without a tone: {silent[:5]}")
        worst = max((offset for offset in offsets.values() if offset is not None), key=abs, default=0.0)
        self.claims.check(abs(worst) <= HALF_A_FRAME, f"{name}: a tone is {worst * 1000:.1f} ms off its flash")
        self.worst, self.tones = max(self.worst, worst, key=abs), self.tones + len(flashes) - len(silent)

    def read_log(self):
        """Losses and warnings by process: the camera's name is in each line, and the order is that of the processes."""
        self.levels, index = {}, 0
        for line in (self.folder / "log").read_text().splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                self.claims.check(False, f"the log has a line that is none: {line[:200]}")
                continue
            fields = entry.get("fields", {})
            self.levels[entry["level"]] = self.levels.get(entry["level"], 0) + 1
            if "signal 9" in entry["message"]:
                index = 1
            if fields.get("reason") in REASONS and index < len(self.recordings):
                lost = self.recordings[index].lost
                lost[fields["reason"]] = lost.get(fields["reason"], 0) + int(fields["count"])

    def judge_recording(self, recording):
        check, pid = self.claims.check, recording.pid
        # Counters never fall.
        for (before, _), (after, _) in zip(recording.samples, recording.samples[1:]):
            fallen = [key for key, value in before.items()
                      if key[0].endswith("_total") and after.get(key, value) < value]
            if fallen and not check(False, f"process {pid}: counters that fell: {fallen}"):
                break
        if not check(len(recording.samples) > self.seconds * 0.2,
                     f"process {pid}: {len(recording.samples)} readings of metrics and state"):
            return
        segments = recording.of("segment")
        own = [self.films[pathlib.Path(event["output"]).name] for event in segments]
        sums = {key: sum(film.end[key] for film in own) for key in ("expected", "captured", "written", *REASONS)}
        told = {key: sum(event["ledger"][key] for event in segments) for key in ("expected", "captured", "written")}
        check(all(sums[key] == told[key] for key in told), f"process {pid}: films {sums}, events {told}")
        values, state = recording.samples[-1]
        if recording.was_killed:
            # What the killed one said last, a second before at most.
            written = state["state"]["ledger"]["written"]
            check(sums["written"] <= written,
                  f"process {pid}: {written} written, its finished films have {sums['written']}")
        else:
            values = metrics(self.folder / "front.prom")
            state = json.loads((self.folder / "front.state.json").read_text())
            stopped = recording.of("stopped")
            ledger = {key: sum(event["ledger"][key] for event in stopped) for key in told}
            lost = {key: sum(event["ledger"]["lost"][key] for event in stopped) for key in REASONS}
            check(ledger | lost == sums, f"process {pid}: the ends say {ledger | lost}, films {sums}")
            between = state["state"]["ledger"]["lost"].get("between", 0)
            said = state["state"]["ledger"]
            check(said["expected"] - between == sums["expected"] and said["written"] == sums["written"],
                  f"process {pid}: the state says {said}, films {sums}")
            check({key: said["lost"].get(key, 0) for key in REASONS} == lost,
                  f"process {pid}: the state lost {said['lost']}, the ends {lost}")
            counted = {key: values["camrec_frames_lost_total", (f'reason="{name}"',)] for key, name in REASONS.items()}
            check(counted == lost, f"process {pid}: metrics lost {counted}, the ends {lost}")
            check(values["camrec_frames_written_total", ()] == sums["written"],
                  f"process {pid}: metrics written {values}")
            logged = {key: recording.lost.get(key, 0) for key in REASONS}
            check(logged == lost, f"process {pid}: the log lost {logged}, the ends {lost}")
        gaps = {0: 5 + 36, 1: 5 + 36}
        check(sums["deviceGap"] >= gaps[0],
              f"process {pid}: {sums['deviceGap']} frames never came, the script takes {gaps[0]} and a hang")
        check(sums["deviceError"] >= 2, f"process {pid}: {sums['deviceError']} damaged frames, the script has 2")
        self.judge_growth(recording)

    def judge_growth(self, recording):
        if recording.watch.points[-1][0] < 60:
            return
        early, late = recording.watch.level(0.3, 0.5), recording.watch.level(0.8, 1)
        check = self.claims.check
        check(late[0] - early[0] < 64, f"process {recording.pid}: memory grew from {early[0]:.1f} to {late[0]:.1f} MiB")
        check(abs(late[1] - early[1]) <= 6,
              f"process {recording.pid}: descriptors went from {early[1]:.0f} to {late[1]:.0f}")

    def tell(self):
        parts = [recording.watch for recording in self.recordings]
        ends = [film.end for film in self.films.values() if film.end]
        lost = {reason: sum(end[reason] for end in ends) for reason in REASONS}
        away = [event["message"] for recording in self.recordings for event in recording.of("warning")
                if "is back after" in event["message"]]
        rows = [
            ("run", f"{self.options.minutes:g} min in real time, {self.options.size} at {RATE} fps with a LUT and "
                    f"sound, on 2 cores, load {os.getloadavg()[0]:.1f} at the end"),
            ("films", f"{len(self.films)}, {self.pictures} frames; {self.read} of them read by their marks"),
            ("frames due in finished films, lost",
             f"{sum(end['expected'] for end in ends)}; " + ", ".join(
                 f"{count} {reason}" for reason, count in lost.items())),
            ("taken by the SIGKILL of what had been handed to the film", f"{getattr(self, 'lost_by_kill', 0)} frames"),
            ("away and back", "; ".join(away) or "none"),
            ("tones, the worst against its flash",
             f"{self.tones}, {self.worst * 1000:+.2f} ms (a frame is {1000 / RATE:.1f} ms)"),
            ("memory of each process, first and last part",
             ", ".join(f"{part.level(0.3, 0.5)[0]:.0f} to {part.level(0.8, 1)[0]:.0f} MiB" for part in parts)),
            ("descriptors",
             ", ".join(f"{part.level(0.3, 0.5)[1]:.0f} to {part.level(0.8, 1)[1]:.0f}" for part in parts)),
            ("ledger, sidecars, log, state, metrics and films",
             "agree" if not self.claims.broken else f"disagree: {len(self.claims.broken)} claims"),
        ]
        self.claims.report(rows, self.options.json)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float, nargs="?", default=30.0)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--keep", help="a folder in which everything stays")
    parser.add_argument("--json")
    options = parser.parse_args()
    if options.minutes < 2:
        sys.exit("two minutes are the least that has room for the script of faults")
    if "CAMREC_BINARY" not in os.environ:
        sys.exit("CAMREC_BINARY has to name the program; scripts/soak builds it")
    with tempfile.TemporaryDirectory(prefix="camrec-soak-") as folder:
        if options.keep:
            folder = options.keep
            if os.path.exists(folder):
                sys.exit(f"'{folder}' exists already; --keep makes a new folder")
            os.makedirs(folder)
        soak = Soak(options, pathlib.Path(folder))
        try:
            soak.run()
        finally:
            if soak.rig.poll() is None:
                soak.rig.terminate()
        if options.keep:
            for recording in soak.recordings:
                recording.watch.save(soak.folder / f"watch-{recording.pid}.csv")
        soak.judge()
        soak.tell()
        soak.claims.end()


main()
