#!/usr/bin/env python3
"""A simulated day: camera and microphone with clocks of their own, as fast as they go, through a script of faults.

    scripts/soak-day [HOURS] [--size WxH] [--seed N] [--keep FOLDER] [--json FILE]

24 hours unless told, at 160x90; CAMREC_BINARY is the program. Each film is judged as soon as it is whole, and deleted:
every frame that the script leaves is in exactly one film, at its place and time, the account says of each other one why
it is missing, tones begin with their flashes, and neither memory nor descriptors grow. From 320x180 on the pictures'
own marks are read, too.
"""
import argparse
import json
import os
import pathlib
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

from claims import Claims, Watch
from films import Film, flash_frames, metrics

RATE, TICKS = 24, 24000
HALF_A_FRAME = 0.5 / RATE


class Script:
    """Faults, and what they leave of so many frames."""

    def __init__(self, frames, count, seed, clocks):
        self.frames, (self.camera_ppm, self.microphone_ppm) = frames, clocks
        chance = random.Random(seed)
        # The camera goes away once, behind the middle, and counts from 0 when it is back.
        self.vanishes = frames * 13 // 24
        self.lines, self.drops, self.damages, self.lights, self.overruns = [], {}, {}, [], []
        places = sorted(chance.sample(range(48, self.vanishes - 240, 240), count - 1))
        for place in places:
            kind = chance.choices(["drop", "damage", "stall", "xrun", "light"], [40, 25, 15, 14, 6])[0]
            if kind == "drop":
                self.drops[place] = chance.randint(1, 48)
                self.lines.append(f"drop {place} {self.drops[place]}")
            elif kind == "damage":
                self.damages[place] = chance.randint(1, 5)
                self.lines.append(f"damage {place} {self.damages[place]}")
            elif kind == "stall":
                # Whole frames; at least 96 stay between two faults.
                length = chance.randint(1, 120)
                self.drops[place] = length
                self.lines.append(f"stall {place} {length / RATE - 0.01:.3f}s")
            elif kind == "xrun":
                length = chance.choice([0.005, 0.02, 0.1, 0.5])
                self.overruns.append((place / RATE, length))
                self.lines.append(f"xrun {place / RATE:.3f}s {length * 1000:.0f}ms")
            else:
                self.lights.append(place)
                self.lines.append(f"light {place} {chance.choice([0.25, 0.5, 1, 2])}")
        self.lines.append(f"vanish {self.vanishes} 100ms")

    def lost(self, span):
        """The frames of an opening that are missing, and why; `span`: the first of its films' and the one
        behind the last."""
        lost = {}
        for faults, reason in ((self.drops, "deviceGap"), (self.damages, "deviceError")):
            for first, count in faults.items():
                lost.update({frame: reason for frame in range(first, first + count) if frame in span})
        return lost

    def came(self, span):
        """Lines that came true in an opening."""
        places = [*self.drops, *self.damages, *self.lights, *(start * RATE for start, _ in self.overruns)]
        return sum(span.start <= place < span.stop for place in places)

    def silences(self, span):
        """The camera's seconds from where to where nothing was heard in an opening, and the samples lost with it."""
        clock = 1 + self.camera_ppm * 1e-6
        for start, length in self.overruns:
            if span.start <= start * clock * RATE < span.stop:
                yield start * clock, (start + length) * clock, round(length * 48000 * (1 + self.microphone_ppm * 1e-6))


class Day:
    def __init__(self, options, folder):
        self.options, self.folder, self.claims = options, folder, Claims()
        self.frames = round(options.hours * 3600 * RATE)
        faults = options.faults or (100 if options.hours >= 1 else 20)
        self.script = Script(self.frames, faults, options.seed, options.clocks)
        self.films, self.begun = queue.Queue(), 0
        self.stopped, self.segments, self.next = [], [], 0
        #: Frames of the camera from where to where there are films, each time that it was opened.
        self.spans, self.lost = [], {}
        self.worst, self.tones, self.pictures, self.read = 0.0, 0, 0, 0
        self.sound_lost, self.sound, self.records = 0, 0, {}
        self.bytes = 0

    # The recorder

    def run(self):
        faults = self.folder / "faults"
        faults.write_text("\n".join(self.script.lines) + "\n")
        length = min(600, max(10, round(self.frames / RATE / 12)))
        self.process = subprocess.Popen(
            [os.environ["CAMREC_BINARY"], "record", "--camera",
             f"sim:pace=pulled,physics=fast,ppm={self.script.camera_ppm},"
             f"microphone-ppm={self.script.microphone_ppm},faults={faults}",
             "--size", self.options.size, "--fps", str(RATE), "--preset", "ultrafast",
             "--duration", f"{self.frames / RATE:.0f}s", "--segment", f"{length}s",
             "--output", str(self.folder / "day_%Y-%m-%d_%H-%M-%S.mov"), "--utc", "--on-lost-camera", "wait",
             "--control", "none", "--name", "day", "--state", str(self.folder / "state.json"), "--metrics",
             str(self.folder / "day.prom"), "--log", "json", "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(self.folder / "log", "w"), text=True)
        watch = Watch(self.process.pid)
        judge = threading.Thread(target=self.judge_films)
        judge.start()
        begin = time.monotonic()
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "segment":
                self.films.put(event)
                # The judge's share of the disk is bounded.
                while self.films.qsize() > 24:
                    self.process.send_signal(signal.SIGSTOP)
                    time.sleep(1)
                self.process.send_signal(signal.SIGCONT)
            elif event["event"] == "stopped":
                self.stopped.append(event)
        status = self.process.wait()
        self.seconds = time.monotonic() - begin
        watch.ends.set()
        self.films.put(None)
        judge.join()
        self.judge_end(status, watch)
        self.tell(watch)

    # Films

    def judge_films(self):
        while (event := self.films.get()) is not None:
            try:
                self.judge_film(event)
            except Exception as error:  # What cannot be read is a claim that does not hold.
                said = getattr(error, "stderr", None) or b""
                self.claims.check(False, f"{event['output']}: {said.decode().strip() or repr(error)}")

    def judge_film(self, event):
        check, path = self.claims.check, event["output"]
        name = pathlib.Path(path).name
        self.segments.append(event)
        film = Film(path)
        sidecar = film.sidecar
        is_whole = sidecar.end is not None and sidecar.head is not None
        if not check(is_whole, f"{name}: its sidecar has a head and an end"):
            return
        if event["number"] == 1:
            self.begin(sidecar.sequences()[0])
        lost = self.lost
        first, end = self.next, self.next + sidecar.end["expected"]
        due = [frame for frame in range(first, end) if frame not in lost]
        check(sidecar.sequences() == due,
              f"{name}: the sidecar's frames are those that the script leaves of {first} to {end}")
        check(sidecar.places() == [frame - first for frame in due], f"{name}: and each at its place")
        reasons = {}
        for frame in range(first, end):
            if frame in lost:
                reasons[lost[frame]] = reasons.get(lost[frame], 0) + 1
        for said, what in ((sidecar.losses(), "records"), (sidecar.end, "end"), (event["ledger"]["lost"], "event")):
            told = {reason: said[reason]
                    for reason in ("deviceGap", "deviceError", "overload", "disk", "defect") if said.get(reason)}
            check(told == reasons, f"{name}: the script took {reasons}; the {what} says {told}")
        check(sidecar.end["written"] == len(due) == len(film.times),
              f"{name}: {len(film.times)} pictures of {len(due)}")
        late = [frame for frame, time in zip(due, film.times) if abs(time - (frame - first) / RATE) > 0.001]
        check(not late, f"{name}: frames that do not stand at their time: {late[:5]}")
        numbers = film.numbers()
        if numbers is not None:
            check(numbers == due, f"{name}: the pictures show the frames that the script leaves")
            self.read += len(numbers)
        self.judge_sound(film, name, first, end, set(due))
        for reason, count in reasons.items():
            self.records[reason] = self.records.get(reason, 0) + count
        self.next, self.pictures, self.bytes = end, self.pictures + len(due), self.bytes + event["bytes"]
        if not self.options.keep:
            os.remove(path)
            os.remove(path + ".camrec")

    def begin(self, first):
        """The camera was opened. Up to half a second of its first frames meet the light and are in no film."""
        self.claims.check(0 <= first <= RATE // 2, f"a camera's first film begins with frame {first}")
        end = self.script.vanishes
        if self.spans:
            self.claims.check(self.next == end, f"the camera went away at frame {self.next}")
            end = first + self.frames - len(self.spans[0])
        self.spans.append(range(first, end))
        self.lost, self.next = self.script.lost(self.spans[-1]), first

    def judge_sound(self, film, name, first, end, due):
        sound = film.sidecar.end["soundFrames"]
        self.sound += sound
        self.sound_lost += film.sidecar.end["soundLost"]
        off = sound / 48000 - (end - first) / RATE
        self.claims.check(abs(off) < HALF_A_FRAME, f"{name}: sound ends {off:.4f} s from the picture")
        silences = list(self.script.silences(self.spans[-1]))
        flashes = {}
        for frame in flash_frames(first, end - 3, RATE):
            time = frame / RATE
            if frame in due and not any(begin - 0.3 < time < last + 0.3 for begin, last, _ in silences):
                flashes[frame] = time - first / RATE
        offsets = film.offsets(flashes)
        silent = [frame for frame, offset in offsets.items() if offset is None]
        self.claims.check(not silent, f"{name}: flashes without a tone: {silent[:5]}")
        heard = [offset for offset in offsets.values() if offset is not None]
        worst = max(heard, key=abs, default=0.0)
        self.claims.check(abs(worst) <= HALF_A_FRAME, f"{name}: a tone is {worst * 1000:.1f} ms off its flash")
        self.worst, self.tones = max(self.worst, worst, key=abs), self.tones + len(heard)

    # The whole

    def judge_end(self, status, watch):
        check, expected = self.claims.check, {}
        for span in self.spans:
            for reason in self.script.lost(span).values():
                expected[reason] = expected.get(reason, 0) + 1
        taken = sum(expected.values())
        check(status == 3, f"exit status {status}")
        check(len(self.stopped) == 2, f"{len(self.stopped)} recordings: the camera went away once")
        check(self.next == self.spans[-1].stop, f"the last film ends at frame {self.next}, not {self.spans[-1].stop}")
        check(self.pictures == self.frames - taken,
              f"{self.pictures} pictures; the script leaves {self.frames - taken}")
        check(self.records == expected, f"films lost {self.records}, the script took {expected}")
        sums = {key: sum(event["ledger"][key] for event in self.stopped) for key in ("expected", "captured", "written")}
        lost = {}
        for event in self.stopped:
            for reason, count in event["ledger"]["lost"].items():
                lost[reason] = lost.get(reason, 0) + count
        check(sums == {"expected": self.frames, "captured": self.pictures, "written": self.pictures},
              f"the ledger says {sums}")
        check({reason: count for reason, count in lost.items() if count} == expected, f"the ledger lost {lost}")
        state = json.loads((self.folder / "state.json").read_text())["state"]
        told = {key: state["ledger"][key] for key in sums}
        check(told == sums and state["ledger"]["lost"] == expected, f"the state file says {state['ledger']}")
        values = metrics(self.folder / "day.prom")
        counters = {key: values[f"camrec_frames_{key}_total", ()] for key in sums}
        check(counters == sums, f"the metrics say {counters}")
        counted = {labels[0]: value for (name, labels), value in values.items()
                   if name == "camrec_frames_lost_total" and value}
        said = {'reason="device_gap"': expected.get("deviceGap"), 'reason="device_error"': expected.get("deviceError")}
        check(counted == {label: count for label, count in said.items() if count}, f"the metrics lost {counted}")
        logged = {}
        for line in (self.folder / "log").read_text().splitlines():
            fields = json.loads(line).get("fields", {})
            if fields.get("reason") and "count" in fields:
                logged[fields["reason"]] = logged.get(fields["reason"], 0) + int(fields["count"])
        sound = logged.pop("sound", 0)
        check(logged == expected, f"the log lost {logged}")
        check(sound == self.sound_lost, f"the log lost {sound} samples of sound, the films {self.sound_lost}")
        silent = [samples for span in self.spans for _, _, samples in self.script.silences(span)]
        check(abs(self.sound_lost - sum(silent)) <= len(silent),
              f"{self.sound_lost} samples are silent; the script took {sum(silent)} in {len(silent)} pieces")
        stopped = [event["sound"]["lost"] for event in self.stopped]
        check(sum(stopped) == self.sound_lost, f"the ends say {stopped} silent samples, the films {self.sound_lost}")
        self.judge_growth(watch)

    def judge_growth(self, watch):
        early, late = watch.level(0.15, 0.4), watch.level(0.75, 1)
        self.growth = late[0] - early[0]
        # The heap takes some fifty files, each with an encoder and threads of its own, to find its size.
        most = 16 if len(self.segments) >= 100 else 64
        self.claims.check(self.growth < most, f"memory grew from {early[0]:.1f} to {late[0]:.1f} MiB")
        self.claims.check(abs(late[1] - early[1]) <= 2, f"descriptors went from {early[1]:.0f} to {late[1]:.0f}")
        self.claims.check(abs(late[2] - early[2]) <= 2, f"threads went from {early[2]:.0f} to {late[2]:.0f}")
        most = max(point[2] for point in watch.points)
        self.claims.check(most <= early[1] + 12, f"{most} descriptors at most, as a rule {early[1]:.0f}")

    def tell(self, watch):
        early, late = watch.level(0.15, 0.4), watch.level(0.75, 1)
        film = self.frames / RATE
        slope = watch.slope() * self.seconds / 60 / max(film / 3600, 1e-9)
        rows = [
            ("film",
             f"{film / 3600:g} h in {len(self.segments)} files, {self.bytes / 1e9:.2f} GB, {self.options.size}"),
            ("time",
             f"{self.seconds:.0f} s: {film / self.seconds:.0f} times as fast as real time, its judge beside it"),
            ("faults of the script that came", f"{sum(map(self.script.came, self.spans)) + len(self.spans) - 1}"),
            ("frames due, in the films, lost", f"{self.frames}, {self.pictures}, {self.frames - self.pictures}"),
            ("the same by ledger, sidecars, log, state and metrics",
             "the same" if not self.claims.broken else "not the same"),
            ("pictures whose number was read", f"{self.read}"),
            ("tones, the worst against its flash",
             f"{self.tones}, {self.worst * 1000:+.2f} ms (a frame is {1000 / RATE:.1f} ms)"),
            ("sound lost by the script, silence", f"{self.sound_lost} samples"),
            ("clocks", f"camera {self.script.camera_ppm:+} ppm, microphone {self.script.microphone_ppm:+} ppm"),
            ("memory, first quarter, last",
             f"{early[0]:.1f} MiB, {late[0]:.1f} MiB ({slope:+.3f} MiB per hour of film)"),
            ("descriptors, threads", f"{early[1]:.0f} and {late[1]:.0f}, {early[2]:.0f} and {late[2]:.0f}"),
        ]
        self.claims.report(rows, self.options.json)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hours", type=float, nargs="?", default=24.0)
    parser.add_argument("--size", default="160x90")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, help="how many lines the script has")
    parser.add_argument("--clocks", type=int, nargs=2, default=(40, -30), metavar="PPM",
                        help="how far off camera and microphone are")
    parser.add_argument("--keep", help="a folder in which everything stays")
    parser.add_argument("--json")
    options = parser.parse_args()
    if "CAMREC_BINARY" not in os.environ:
        sys.exit("CAMREC_BINARY has to name the program; scripts/soak-day builds it")
    with tempfile.TemporaryDirectory(prefix="camrec-day-") as folder:
        if options.keep:
            folder = options.keep
            os.makedirs(folder, exist_ok=True)
        day = Day(options, pathlib.Path(folder))
        try:
            day.run()
        finally:
            if day.process.poll() is None:
                day.process.kill()
        day.claims.end()


main()
