#!/usr/bin/env python3
"""Recordings at random, with what goes wrong on rigs; each is told the same by everything that camrec says of it.

    scripts/soak-account [COUNT] [--seed N] [--only N] [--pulled] [--keep FOLDER] [--json FILE]

100 recordings unless told; CAMREC_BINARY is the program. Each loses frames and audio, its camera or its disk, changes
its rate, is stopped, killed and baked, as its number decides. A plain model counts what is in the files, as ffprobe and
the pictures' marks show it: of every frame that was due, it is there or lost once. Sidecars, events, log, state,
metrics, catalogue, hooks, `info`, `verify`, `recover` and bakes are held against that model.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from fractions import Fraction

from claims import Claims
from films import Film, Sidecar, metrics

REASONS = ("deviceGap", "deviceError", "overload", "disk", "defect")
SAMPLES = 48000


class Plan:
    """What happens to one recording; the same number, the same plan."""

    def __init__(self, seed, number, has_disk):
        chance = self.chance = random.Random(seed * 1_000_003 + number)
        pick = chance.choice
        self.number = number
        self.rate = Fraction(pick(["24", "25", "30", "30000/1001", "50"]))
        self.kind = pick(["mov", "mov", "mov", "mkv"])
        self.seconds = pick([4, 6, 8])
        self.is_slow = chance.random() < 0.15
        self.size = "960x540" if self.is_slow else "320x180"
        self.segment = pick([None, None, None, 2, 3])
        self.fills = chance.random() < 0.2
        self.has_microphone = chance.random() < 0.85
        self.is_pulled = not self.is_slow and chance.random() < 0.25
        self.waits = chance.random() < 0.6
        self.stands_by = not self.is_pulled and chance.random() < 0.2
        self.pre_roll = self.stands_by and chance.random() < 0.5
        self.faults = self.make_faults()
        self.disk_bytes = None
        self.end = pick(["duration", "duration", "SIGINT", "SIGTERM", "SIGKILL", "SIGKILL", "input"])
        self.actions = []
        if self.is_pulled:
            self.end = "duration"
        else:
            for _ in range(chance.randint(0, 3)):
                moment = chance.uniform(1, self.seconds)
                self.actions.append((moment, pick(
                    ["rate", "marker", "freeze", "freeze", "stop-start", "state", "format", "rename", "delete"])))
            if has_disk and chance.random() < 0.25:
                self.disk_bytes = 40 << 20
                self.actions.append((chance.uniform(1, self.seconds), "fill"))
            self.actions.sort()
        if self.pre_roll:
            self.fills = False
        self.is_for_people = chance.random() < 0.3
        # A power cut may cost what the disk had not confirmed.
        self.cut = chance.choice([0, 0, 0.02, 0.2]) if self.end == "SIGKILL" else 0
        self.bakes = chance.random() < 0.8
        self.baked_frames = chance.randint(1, 100)
        self.bake_bytes = chance.choice([None, 1 << 17, 1 << 18, 1 << 19]) if has_disk else None

    def make_faults(self):
        chance, lines, one = self.chance, [], None
        last = int(self.seconds * self.rate)
        for _ in range(chance.randint(0, 4)):
            place = chance.randint(1, last)
            kind = chance.choices(["drop", "damage", "stall", "xrun", "vanish", "unplug", "other"],
                                  [30, 20, 10, 15, 12, 6, 4])[0]
            if kind == "drop":
                lines.append(f"drop {place} {chance.choice([1, 2, 5, 30])}")
            elif kind == "damage":
                lines.append(f"damage {place} {chance.choice([1, 2, 3])}")
            elif kind == "stall":
                lines.append(f"stall {place} {chance.choice([200, 500, 1500])}ms")
            elif kind == "xrun":
                lines.append(f"xrun {place / self.rate.numerator * self.rate.denominator:.3f}s "
                             f"{chance.choice([5, 20, 200, 700])}ms")
            elif kind == "unplug" and not any("unplug" in line for line in lines):
                back = chance.choice(["", f" {chance.choice([500, 2500])}ms"])
                lines.append(f"unplug {place / self.rate.numerator * self.rate.denominator:.3f}s{back}")
            elif kind in ("vanish", "other") and one is None:
                one = f"vanish {place} {chance.choice([300, 1500])}ms" if kind == "vanish" else \
                    chance.choice([f"change {place}", f"fail {place}", f"end {place}"] +
                                  ([] if self.is_pulled else [f"hang {place}"]))
                lines.append(one)
        return lines

    def arguments(self, folder):
        films = folder / "films"
        camera = f"sim:pace={'pulled' if self.is_pulled else 'real'},physics=fast"
        if self.faults:
            (folder / "faults").write_text("\n".join(self.faults) + "\n")
            camera += f",faults={folder / 'faults'}"
        rate = f"{self.rate.numerator / self.rate.denominator:.3f}".rstrip("0").rstrip(".")
        found = ["record", "--camera", camera, "--size", self.size, "--fps", rate,
                 "--preset", "veryslow" if self.is_slow else "ultrafast", "--output", str(films / f"take.{self.kind}"),
                 "--state", str(folder / "state.json"), "--metrics", str(folder / "camrec.prom"), "--name", "account",
                 "--hook", str(folder / "hook")]
        if not self.is_for_people:
            found += ["--log", "json", "--json"]
        if self.end == "duration" and not self.stands_by:
            found += ["--duration", f"{self.seconds}s"]
        if self.end == "input":
            found += ["--until-input-ends"]
        if self.segment:
            found += ["--segment", f"{self.segment}s"]
        if self.fills:
            found += ["--fill-gaps"]
        if not self.has_microphone:
            found += ["--microphone", "none"]
        if self.waits:
            found += ["--on-lost-camera", "wait"]
        if self.stands_by:
            found += ["--standby"] + (["--pre-roll", "1s"] if self.pre_roll else [])
        return found

    def __str__(self):
        words = [f"{float(self.rate):.3f} fps", self.kind, self.size, self.end]
        words += [name for name in ("is_slow", "fills", "is_pulled", "waits", "stands_by", "pre_roll",
                                    "is_for_people")
                  if getattr(self, name)]
        words += [f"cut off by {self.cut}"] if self.cut else []
        words += [f"segments of {self.segment} s"] if self.segment else []
        words += [] if self.has_microphone else ["no microphone"]
        words += [f"{what} at {moment:.1f} s" for moment, what in self.actions]
        return ", ".join(words + self.faults)


class Told:
    """What one of camrec's accounts says of a film or a recording: frames and samples."""

    def __init__(self, source, written, lost, expected=None, audio=None, audio_lost=None):
        self.source, self.written, self.expected = source, written, expected
        self.lost = {reason: int(lost[reason]) for reason in REASONS if lost.get(reason)}
        self.audio, self.audio_lost = audio, audio_lost

    @classmethod
    def of_ledger(cls, source, ledger, audio=None, audio_lost=None):
        return cls(source, ledger["written"], ledger["lost"], ledger["expected"], audio, audio_lost)

    def differences(self, other):
        """What both say, where it is not the same."""
        for name in ("written", "lost", "expected", "audio", "audio_lost"):
            one, two = getattr(self, name), getattr(other, name)
            if one is not None and two is not None and one != two:
                yield f"{name}: {self.source} says {one}, {other.source} {two}"


class Recording:
    """One plan, carried out, and what is left of it."""

    def __init__(self, plan, folder, claims):
        self.plan, self.folder, self.claims = plan, folder, claims
        self.films, self.disk = folder / "films", None
        self.environment = dict(os.environ, XDG_STATE_HOME=str(folder / "xs"), XDG_CONFIG_HOME=str(folder / "xc"),
                                XDG_RUNTIME_DIR=str(folder / "xr"), TZ="UTC")
        self.events, self.is_cut = [], False

    def check(self, holds, sentence):
        return self.claims.check(holds, f"{self.plan.number}: {sentence}")

    # The recorder

    def camrec(self, *arguments, check=None, timeout=120):
        """What a command prints, its errors and its exit status."""
        result = subprocess.run([os.environ["CAMREC_BINARY"], *map(str, arguments)], env=self.environment,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
        if result.returncode < 0 or (check is not None and result.returncode not in check):
            self.check(False, f"{' '.join(map(str, arguments))} ends with {result.returncode}: {result.stderr[-300:]}")
        return result

    def run(self):
        for name in ("xs", "xc", "xr", "films"):
            (self.folder / name).mkdir()
        hook = self.folder / "hook"
        hook.write_text('#!/bin/sh\nprintf "%s\\t%s\\t%s\\t%s\\n" "$CAMREC_FILM" "$CAMREC_FRAMES" "$CAMREC_LOST" '
                        f'"$CAMREC_SECONDS" >> {self.folder}/hooked\n')
        hook.chmod(0o755)
        if self.plan.disk_bytes:
            size = f"size={self.plan.disk_bytes}"
            subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", self.films], check=True)
            self.disk = self.films
        command = self.plan.arguments(self.folder)
        (self.folder / "plan").write_text(f"{self.plan}\n{' '.join(command)}\n")
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen([os.environ["CAMREC_BINARY"], *command], env=self.environment,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        reader = threading.Thread(target=self.read_events)
        reader.start()
        self.act()
        try:
            self.status = self.process.wait(timeout=90)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.status = self.process.wait()
            self.check(False, "it does not end")
        self.process.stdin.close()
        reader.join()

    def read_events(self):
        with open(self.folder / "events", "w") as kept:
            for line in self.process.stdout:
                kept.write(line)
                try:
                    event = json.loads(line)
                except ValueError:
                    continue  # cut off by a kill
                self.events.append(event)

    def wait_for(self, *phases, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self.state()["phase"] in phases:
                    return
            except (OSError, ValueError):
                pass
            time.sleep(0.02)

    def act(self):
        if self.plan.is_pulled:
            return
        if self.plan.stands_by:
            self.wait_for("standby")
            self.camrec("ctl", "--name", "account", "start")
        self.wait_for("recording", "waiting", "ended")
        begin = time.monotonic()
        for moment, what in self.plan.actions:
            time.sleep(max(0, begin + moment - time.monotonic()))
            if self.process.poll() is not None:
                return
            getattr(self, "do_" + what.replace("-", "_"))()
        time.sleep(max(0, begin + self.plan.seconds - time.monotonic()))
        end = self.plan.end
        if end == "input":
            self.process.stdin.close()
        elif end != "duration":
            self.process.send_signal(getattr(signal, end))
        elif self.disk and self.plan.waits:
            # It may wait for room.
            time.sleep(3)
            self.process.send_signal(signal.SIGINT)
        elif self.plan.stands_by:
            self.camrec("ctl", "--name", "account", "quit")

    def do_rate(self):
        self.camrec("ctl", "--name", "account", "rate", self.plan.chance.choice(["24", "25", "30", "50"]))

    def do_format(self):
        self.camrec("ctl", "--name", "account", "format", self.plan.chance.choice(["nv12", "yuyv"]))

    def recorded(self):
        """The film that is being recorded."""
        state = json.loads(self.camrec("ctl", "--name", "account", "--json", "state").stdout or "{}").get("state", {})
        film = pathlib.Path(state.get("film", "/nowhere"))
        return film if state.get("phase") == "recording" and film.exists() else None

    def while_recorded(self, act):
        """The recorder stands still, and has the film open."""
        film = self.recorded()
        if not film:
            return
        self.process.send_signal(signal.SIGSTOP)
        try:
            while pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "TZX":
                time.sleep(0.001)
            opened = {os.path.realpath(link) for link in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()}
            if str(film.resolve()) in opened:
                act(film)
        except OSError:
            pass  # it has ended
        finally:
            self.process.send_signal(signal.SIGCONT)

    def do_rename(self):
        self.while_recorded(lambda film: film.rename(
            film.with_name(f"take-renamed-{time.monotonic():.3f}.{self.plan.kind}")))

    def do_delete(self):
        # A full disk has no room for the copy.
        if not self.disk:
            self.while_recorded(lambda film: film.unlink())

    def do_marker(self):
        self.camrec("ctl", "--name", "account", "marker", "here")

    def do_state(self):
        said = self.camrec("ctl", "--name", "account", "--json", "state").stdout
        ledger = json.loads(said or "{}").get("state", {}).get("ledger")
        if ledger:
            known = ledger["written"] + sum(ledger["lost"].values())
            self.check(known <= ledger["expected"], f"ctl state knows of {known} frames: {ledger}")

    def do_stop_start(self):
        if self.plan.stands_by:
            self.camrec("ctl", "--name", "account", "stop")
            self.camrec("ctl", "--name", "account", "start")

    def do_freeze(self):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(self.plan.chance.choice([0.1, 0.5, 1.5]))
        self.process.send_signal(signal.SIGCONT)

    def do_fill(self):
        """Another program takes all that is free."""
        try:
            with open(self.disk / "filler", "wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 16))
        except OSError:
            pass

    # The judge

    def judge(self):
        was_killed = self.plan.end == "SIGKILL" and self.status == -signal.SIGKILL
        self.check(self.status >= 0 or was_killed, f"exit status {self.status}")
        if self.disk:
            (self.films / "filler").unlink(missing_ok=True)
        paths = sorted(self.films.glob(f"take*.{self.plan.kind}"))
        if was_killed and self.plan.cut and paths:
            self.cut_off(max(paths, key=lambda path: path.stat().st_mtime))
        if was_killed:
            self.judge_gone()
        else:
            self.judge_end()
        written = 0
        for path in paths:
            try:
                film = self.judge_film(path)
            except Exception as error:
                said = getattr(error, "stderr", None) or ""
                film = self.check(False, f"{path.name}: {said or repr(error)}")
            if film:
                written += film
        if not was_killed:
            state = self.state()["ledger"]
            self.check(written == state["written"],
                       f"films have {written} frames, the state says {state['written']}")

    def cut_off(self, path):
        sidecar = pathlib.Path(f"{path}.camrec")
        if not sidecar.exists() or Sidecar(str(sidecar)).end is not None:
            return
        self.is_cut = True
        for file in (path, sidecar):
            os.truncate(file, int(file.stat().st_size * (1 - self.plan.cut * self.plan.chance.random())))

    def state(self):
        return json.loads((self.folder / "state.json").read_text())["state"]

    def of(self, kind):
        return [event for event in self.events if event["event"] == kind]

    def judge_gone(self):
        status = self.camrec("status", "account")
        self.check(status.returncode == 69, f"status of a killed recorder: {status.returncode}")

    def judge_end(self):
        """All accounts of the whole agree."""
        self.judge_status()
        if self.plan.is_for_people:
            self.judge_sentences()
            return
        check, state, events = self.check, self.state(), self.of("stopped")
        check(not self.of("dropped"), "events were dropped")
        sums, lost, between = collections.Counter(), collections.Counter(), 0
        for event in events:
            sums.update({key: event["ledger"][key] for key in ("expected", "captured", "written")})
            if sound := event.get("sound"):
                sums.update({"audio": sound["frames"], "audio_lost": sound["lost"]})
            lost.update(event["ledger"]["lost"])
            between += event.get("between", 0)
        for event in self.of("note"):
            between += int(event.get("facts", {}).get("between", 0))
        ends = Told("stopped", sums["written"], lost, sums["expected"] + between, sums["audio"], sums["audio_lost"])
        ledger = state["ledger"]
        totals = Told.of_ledger("state", ledger, state["totals"]["soundFrames"], state["totals"]["soundLost"])
        values = metrics(self.folder / "camrec.prom")
        by_reason = {labels[0]: int(value) for (name, labels), value in values.items()
                     if name == "camrec_frames_lost_total"}
        spelled = {re.sub("([A-Z])", lambda match: "_" + match[1].lower(), reason): reason for reason in REASONS}
        measured = Told(
            "metrics", None,
            {reason: by_reason.get(f'reason="{name}"', 0) for name, reason in spelled.items()},
            int(values["camrec_frames_expected_total", ()]), None, int(values["camrec_sound_frames_lost_total", ()]))
        for difference in [*ends.differences(totals), *ends.differences(measured)]:
            check(False, difference)
        check(ledger["lost"].get("between", 0) == between == by_reason.get('reason="between"', 0),
              f"between: state {ledger['lost'].get('between')}, events {between}, metrics {by_reason}")
        check(ledger["expected"] == ledger["written"] + sum(ledger["lost"].values()), f"the state's ledger: {ledger}")
        for event in events:
            sheet = event["ledger"]
            check(sheet["expected"] == sheet["written"] + sum(sheet["lost"].values()), f"stopped's ledger: {sheet}")
        self.judge_warnings(lost, sums["audio_lost"], state, values)
        account = state.get("filmAccount")
        check(account or not any(event["ledger"]["written"] for event in events), "no account of the last film")
        if account:
            kept = [event for event in events if event["filmID"] == state.get("filmID")]
            told = Told.of_ledger("stopped", kept[-1]["ledger"], None, kept[-1].get("sound", {}).get("lost", 0))
            last = Told.of_ledger("filmAccount", account["ledger"], None, account["soundLost"])
            for difference in told.differences(last):
                check(False, f"the last film: {difference}")
        worst = next((event["status"] for event in events if event["status"]), 0)
        waited = state["totals"]["absences"]
        if not waited:
            check(self.status in (worst, 3), f"exit status {self.status}, events {[e['status'] for e in events]}")
        if sum(lost.values()) or sums["audio_lost"]:
            check(self.status != 0, f"exit status 0, but {dict(lost)} frames and {sums['audio_lost']} samples lost")
        else:
            short = any("soundError" in event for event in events)
            check(self.status != 3 or waited or short, "exit status 3, but nothing lost")
        check(len(self.of("started")) == state["films"] == int(values["camrec_films_total", ()]),
              f"films: {len(self.of('started'))} started, state {state['films']}")

    def judge_status(self):
        """What `status` says of a recorder that has ended is the state."""
        text = self.camrec("status", self.folder / "state.json").stdout
        state = self.state()
        ledger = dict(state["ledger"])
        between = ledger["lost"].get("between", 0)
        (self.folder / "status").write_text(text)
        # The last film, and all of them where there are more.
        found = re.findall(r"expected (\d+), captured (\d+), written (\d+), lost (\d+)", text)
        if not self.check(found or not ledger["expected"], f"status has no frames: {text}"):
            return
        if found:
            told = [int(figure) for figure in found[-1]]
            expected = [ledger["expected"] - between, ledger["captured"], ledger["written"],
                        sum(ledger["lost"].values()) - between]
            self.check(told == expected, f"status says {told}, the state {expected}")
        more = sum(map(int, re.findall(r"(\d+) more (?:was|were) due while none was recorded", text)))
        self.check(more == between, f"status says {more} were due between films, the state {between}")
        samples = sum(map(int, re.findall(r"(\d+) samples? of audio lost", text.split("all films:")[-1])))
        told = state["totals"]["soundLost"]
        self.check(samples == told, f"status says {samples} lost samples, the state {told}")

    def judge_sentences(self):
        """What people read at each film's end adds up to the state."""
        text = (self.folder / "log").read_text()
        state = self.state()
        ledger, sums = state["ledger"], [0, 0, 0, 0]
        for line in re.findall(r"^frames: (.*)$", text, re.MULTILINE):
            found = re.match(r"expected (\d+), captured (\d+), written (\d+), lost (\d+)(.*)", line)
            if not self.check(found, f"'{line}'"):
                continue
            figures = [int(figure) for figure in found.groups()[:4]]
            parts = sum(int(part.split()[0]) for part in found[5][2:].split(", ")) if found[5] else 0
            self.check(parts == figures[3], f"the parts of '{line}'")
            sums = [one + two for one, two in zip(sums, figures)]
        between = sum(map(int, re.findall(r"(\d+) frames? (?:was|were) due", text)))
        expected = [ledger["expected"] - between, ledger["captured"], ledger["written"],
                    sum(ledger["lost"].values()) - between]
        self.check(sums == expected, f"the ends say {sums} and {between} between, the state {ledger}")
        samples = sum(map(int, re.findall(r"^audio: .* (\d+) samples? lost", text, re.MULTILINE)))
        told = state["totals"]["soundLost"]
        self.check(samples == told, f"the ends say {samples} lost samples, the state {told}")
        warnings = len(re.findall(r"^Warning: ", text, re.MULTILINE))
        told = state["totals"]["warnings"]
        self.check(warnings <= told, f"{warnings} warnings, the state {told}")
        warned = sum(map(int, re.findall(r"^Warning: (\d+) (?:more )?frames? (?:was|were) lost", text, re.MULTILINE)))
        warned += len(re.findall(r"^Warning: a frame was lost", text, re.MULTILINE))
        self.check(warned == sums[3], f"warnings of {warned} lost frames, the ends say {sums[3]}")

    def judge_warnings(self, lost, audio_lost, state, values):
        """What was warned about adds up to what was lost."""
        logged = []
        for line in (self.folder / "log").read_text().splitlines():
            try:
                logged.append(json.loads(line))
            except ValueError:
                self.check(False, f"a line of the log is no object: {line[:200]}")
        for source in (self.of("warning"), logged):
            counts = collections.Counter()
            for line in source:
                facts = line.get("facts") or line.get("fields") or {}
                # What a pre-roll has lost is in no film, unless a film has begun with it.
                if "of the pre-roll" in line.get("message", "") or "pre-roll's audio" in line.get("message", ""):
                    continue
                if facts.get("reason") in (*REASONS, "sound") and "count" in facts:
                    counts[facts["reason"]] += int(facts["count"])
            sound = counts.pop("sound", 0)
            expected = {reason: count for reason, count in lost.items() if count}
            where = "events" if source and "event" in source[0] else "log"
            self.check(dict(counts) == expected, f"warnings ({where}): {dict(counts)}, lost {expected}")
            self.check(sound == audio_lost, f"warnings ({where}): {sound} samples, lost {audio_lost}")
        count = len(self.of("warning"))
        self.check(count == state["totals"]["warnings"] == int(values["camrec_warnings_total", ()]),
                   f"{count} warnings, state {state['totals']['warnings']}, "
                   f"metrics {values['camrec_warnings_total', ()]}")

    # Films

    def information(self, path):
        return json.loads(self.camrec("info", "--json", path, check=(0, 3)).stdout)

    def judge_film(self, path):
        """How many frames of the camera are in it."""
        check, name = self.check, path.name
        recover = json.loads(self.camrec("recover", "--check", "--json", path).stdout.splitlines()[-1])
        verdict = recover["verdict"]
        if verdict == "matroska":
            pass
        elif verdict != "finished":
            # Before: nothing that is said may be more than there is.
            result = self.camrec("recover", path)
            if not path.exists():
                check(verdict in ("empty", "unbegun"), f"{name}: recover removed it, the verdict was {recover}")
                return 0
            if result.returncode:
                check(not Film.pictures(path) and "has no frame yet" in result.stderr or
                      self.is_cut and "it was cut off in its first second" in result.stderr,
                      f"{name}: recover ends with {result.returncode}: {result.stderr.strip()}")
                return 0
        if not pathlib.Path(f"{path}.camrec").exists():
            check(not Film.pictures(path), f"{name}: it has frames, and no sidecar")
            return 0
        written = self.judge_account(path, name)
        self.judge_hook(path)
        self.judge_catalogue(path)
        if path.suffix == ".mov":
            self.judge_verify(path)
        if self.plan.bakes:
            self.judge_bakes(path)
        return written

    def judge_account(self, path, name, is_bake=False, is_partial=False):
        check = self.check
        film = Film(str(path))
        information = self.information(path)
        text = self.camrec("info", path, check=(0, 3)).stdout
        (self.folder / f"{name}.info").write_text(text)
        sidecar = film.sidecar
        end = sidecar.end or sidecar.recovered
        # Nobody recovers a .mkv: the file says what is in it.
        is_open = end is None and path.suffix == ".mkv"
        if not check(end is not None or is_open, f"{name}: its sidecar has no end"):
            return 0
        rate = Fraction(sidecar.head["rate"])
        records = [json.loads(line) for line in open(str(path) + ".camrec", errors="replace")
                   if line.startswith("{") and line.endswith("}\n")]
        places = [frame["frame"] for frame in sidecar.frames]
        repeated = [place for record in records if next(iter(record)) == "repeated"
                    for place in range(record["repeated"], record["repeated"] + record["count"])]
        missing = [place for record in records if next(iter(record)) == "missing"
                   for place in range(record["missing"], record["missing"] + record["count"])]
        lost_places = [place for record in sidecar.lost if "frame" in record
                       for place in range(record["frame"], record["frame"] + record["count"])]
        shown = [place for place in places if place not in set(missing)]
        # What a full disk has not stored has records, and one more without a place. A bake carries its clip's, too.
        refused = 0 if missing or is_bake and not is_partial else sum(
            record["count"] for record in sidecar.lost if "frame" not in record and record["lost"] == "disk")
        if is_partial and sidecar.end:
            refused = min(refused, len(shown) - sidecar.end["written"])
        # The plain model: each place once.
        check(len(set(places)) == len(places), f"{name}: a frame has two records")
        double = set(lost_places) & set(shown)
        check(not double, f"{name}: both lost and there: {sorted(double)[:5]}")
        in_file = [round(time * rate) for time in film.times]
        if sidecar.end is not None and sidecar.recovered is None:
            check(len(in_file) == len(shown) - refused + len(repeated) or refused and repeated,
                  f"{name}: {len(in_file)} pictures, {len(shown)} records, {refused} of them refused, "
                  f"and {len(repeated)} repeated")
            check(set(in_file) <= set(shown + repeated), f"{name}: pictures without a record")
        own = [place for place in in_file if place not in set(repeated)]
        written = len(own)
        numbers = film.numbers()
        if numbers is not None and sidecar.recovered is None:
            by_place = dict(zip(places, sidecar.sequences()))
            wrong = [(place, number, by_place.get(place)) for place, number in zip(in_file, numbers)
                     if place in by_place and number is not None and number != by_place[place]]
            check(not wrong, f"{name}: pictures that are others than recorded: {wrong[:3]}")
        # What info says of it, to people and to programs.
        said = Told("info", information["written"], information["lost"], None, None, information["soundLost"])
        line = next(line for line in text.splitlines() if line.startswith("frames: "))
        total = int(re.search(r"lost (\d+)", line)[1]) if "nothing lost" not in line else 0
        parts = sum(int(part.split()[0]) for part in line.split(": ")[2].split(", ")) if line.count(": ") > 1 else total
        check(total == parts, f"{name}: the parts of '{line}'")
        check(information["totalLost"] == total, f"{name}: {information['totalLost']} lost, for people '{line}'")
        check(said.written == written, f"{name}: {written} frames in the file, info says {said.written}")
        check(f"written {written}, " in line, f"{name}: {written} frames in the file, info says '{line}'")
        check(information["filmFrames"] == len(in_file),
              f"{name}: {len(in_file)} pictures in the file, info says {information['filmFrames']}")
        length = float(information["seconds"])
        seconds = film.seconds or max(length, max(film.times, default=0) + float(1 / rate))
        check(abs(length - seconds) < 1.5 / rate, f"{name}: it is {seconds:.3f} s long, info says {length:.3f}")
        if sidecar.end is not None:
            told = Told("end", end["written"], end, end["expected"], end.get("soundFrames"), end.get("soundLost"))
            # Frames are stored in another order than shown. Where the disk refuses some among repeated ones, `end` may
            # take a few of the one kind for the other (Sidecar.md).
            slack = 16 if repeated and end.get("failure") else 0
            if abs(told.written - said.written) <= slack:
                said.written = told.written
            for difference in told.differences(said):
                check(False, f"{name}: {difference}")
            counted = Told("records", len(shown) - refused, sidecar.losses())
            if abs(counted.written - told.written) <= slack:
                counted.written = told.written
            for difference in counted.differences(told):
                check(False, f"{name}: {difference}")
            check(end["expected"] == end["written"] + sum(told.lost.values()), f"{name}: end {end}")
            sounds = sum(record["count"] for record in sidecar.lost if record["lost"] == "sound")
            if "microphone" in sidecar.head:
                # A bake does not know where a recovery of its clip has found none.
                check(sounds == end["soundLost"] or sounds < end["soundLost"] and is_bake,
                      f"{name}: records lost {sounds} samples, end {end['soundLost']}")
                samples = self.samples(path)
                check(samples == (end.get("soundFrames") or 0),
                      f"{name}: {samples} samples in the file, end {end}")
        else:
            check(is_open or end["frames"] == len(in_file), f"{name}: {len(in_file)} pictures, recovered {end}")
            due = max([*places, *lost_places, *in_file], default=-1) + 1
            unplaced = sum(record["count"] for record in sidecar.lost if "frame" not in record and
                           record["lost"] != "sound")
            check(total - unplaced == due - written or total == due - written,
                  f"{name}: {due} due, {written} there, '{line}' ({unplaced} without place)")
        gaps = information["gaps"]
        if not gaps["omitted"]:
            count = sum(gap["count"] for gap in gaps["items"])
            check(count <= total, f"{name}: gaps of {count} frames, lost {total}")
        return written

    def samples(self, path):
        # Stereo of 16 bits.
        said = subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "packet=size", "-of", "csv=p=0",
             str(path)], capture_output=True, text=True, check=True).stdout.split()
        return sum(int(word.strip(",")) for word in said) // 4

    def judge_hook(self, path):
        hooked = self.folder / "hooked"
        lines = [line.split("\t") for line in hooked.read_text().splitlines()] if hooked.exists() else []
        for film, frames, lost, seconds in lines:
            if film == str(path):
                information = self.information(path)
                expected = information["filmFrames"], information["totalLost"]
                self.check((int(frames), int(lost)) == expected,
                           f"{path.name}: the hook got {frames} frames, {lost} lost; info says {expected}")

    def judge_catalogue(self, path):
        catalogue = path.parent / ".camrec-films.jsonl"
        for line in catalogue.read_text().splitlines() if catalogue.exists() else []:
            entry = json.loads(line).get("finished")
            if entry and entry["film"] == path.name:
                information = self.information(path)
                told, expected = (entry["frames"], entry["lost"]), (information["filmFrames"], information["totalLost"])
                self.check(told == expected, f"{path.name}: the catalogue says {told}, info {expected}")

    def judge_verify(self, path):
        """It is a whole film, and its tracks have what ffprobe finds."""
        said = json.loads(self.camrec("verify", "--json", path, check=(0, 4)).stdout)
        self.check(said["verdict"] in ("ok", "warning"), f"{path.name}: verify says {said['findings']}")
        tracks = {track["kind"]: track for track in said["facts"]["tracks"]}
        pictures = len(Film(str(path)).times)
        self.check(tracks["vide"]["samples"] == pictures, f"{path.name}: {pictures} pictures, verify says {tracks}")

    def judge_bakes(self, path):
        """A bake carries the account on, and another bake of that; a shorter one has what is in front of its end."""
        before = self.information(path)
        shorter = self.folder / f"2-{path.stem}.mov"
        count = self.plan.baked_frames
        self.camrec("bake", path, "--output", shorter, "--preset", "ultrafast", "--frames", count, check=(0, 3, 4, 65))
        if shorter.exists():
            written = self.judge_account(shorter, shorter.name, is_bake=True)
            repeats = sum(run["count"] for run in before["repeated"]["items"])
            self.check(min(count, before["written"]) - repeats <= written <= min(count, before["written"]),
                       f"{shorter.name}: {written} frames of {count}, the clip has {before['written']}")
            after = self.information(shorter)
            for key in ("totalLost", "soundLost"):
                self.check(after[key] <= before[key], f"{shorter.name}: {key} {after[key]}, the clip {before[key]}")
        if self.plan.bake_bytes:
            self.judge_partial_bake(path, before)
        for number, options in enumerate(((), ("--fill-gaps",))):
            source = path if number == 0 or self.plan.number % 2 else self.folder / f"0-{path.stem}.mov"
            output = self.folder / f"{number}-{path.stem}.mov"
            result = self.camrec("bake", source, "--output", output, "--preset", "ultrafast", *options, "--json")
            events = [json.loads(line) for line in result.stdout.splitlines()]
            if not output.exists():
                said = f"{result.stdout[-300:]} {result.stderr[-200:]}"
                self.check(before["filmFrames"] == 0, f"{path.name}: no bake: {said}")
                return
            baked = self.judge_account(output, output.name, is_bake=True)
            stopped = events[-1]
            self.check(stopped["event"] == "stopped" and stopped["ledger"]["written"] >= baked,
                       f"{output.name}: {baked} frames, stopped says {stopped.get('ledger')}")
            after = self.information(output)
            for key in ("written", "totalLost", "soundLost"):
                self.check(after.get(key) == before.get(key),
                           f"{output.name}: {key} {before.get(key)} of the clip, {after.get(key)} of the bake")

    def judge_partial_bake(self, path, before):
        """The disk is full before the bake ends."""
        small = self.folder / "small"
        small.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.plan.bake_bytes}", "tmpfs", small], check=True)
        try:
            output = small / f"3-{path.stem}.{self.plan.kind}"
            result = self.camrec("bake", path, "--output", output, "--preset", "ultrafast", "--keep-partial", "--json")
            event = json.loads(result.stdout.splitlines()[-1])
            if not output.exists():
                self.check(result.returncode in (65, 74), f"{output.name}: no bake: {event} {result.stderr[-200:]}")
                return
            pictures = Film.pictures(output)
            self.check(event["frames"] == len(pictures),
                       f"{output.name}: {len(pictures)} pictures, stopped says {event}")
            kept = self.folder / output.name
            shutil.move(output, kept)
            if pathlib.Path(f"{output}.camrec").exists():
                shutil.move(f"{output}.camrec", f"{kept}.camrec")
            self.camrec("recover", kept, check=(0, 3))
            if pathlib.Path(f"{kept}.camrec").exists():
                written = self.judge_account(kept, kept.name, is_bake=True, is_partial=True)
                after = self.information(kept)
                self.check(written <= before["written"], f"{kept.name}: {written} frames, the clip {before['written']}")
                due = before["written"] + before["totalLost"]
                told = after["written"] + after["totalLost"]
                # `info` counts the frames in the film, and has the losses from `end`: as in `judge_account`.
                slack = 16 if after["repeated"]["items"] else 0
                self.check(told <= due + slack, f"{kept.name}: {told} were due, of the clip {due}")
        finally:
            subprocess.run(["umount", "-l", small], check=False)

    def clear(self):
        if self.disk:
            subprocess.run(["umount", "-l", self.disk], check=False)


def can_mount(folder):
    """Whether a small disk can be made to get full."""
    if os.geteuid() != 0:
        return False
    place = folder / "probe"
    place.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=65536", "tmpfs", place], capture_output=True)
    if mounted.returncode == 0:
        subprocess.run(["umount", "-l", place], check=False)
    place.rmdir()
    return mounted.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one recording")
    parser.add_argument("--pulled", action="store_true",
                        help="only those in simulated time, without full disks: always the same")
    parser.add_argument("--keep", help="a folder in which everything stays")
    parser.add_argument("--json")
    options = parser.parse_args()
    if "CAMREC_BINARY" not in os.environ:
        sys.exit("CAMREC_BINARY has to name the program; scripts/soak-account builds it")
    claims = Claims()
    ends = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="camrec-account-") as scratch:
        root = pathlib.Path(options.keep or scratch)
        has_disk = not options.pulled and can_mount(root)
        numbers = [options.only] if options.only is not None else list(range(options.count))
        if options.pulled:
            every = (number for number in itertools.count() if Plan(options.seed, number, False).is_pulled)
            numbers = list(itertools.islice(every, options.count))
        for number in numbers:
            plan = Plan(options.seed, number, has_disk)
            folder = root / str(number)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            recording, broken = Recording(plan, folder.resolve(), claims), len(claims.broken)
            try:
                recording.run()
                recording.judge()
                ends[recording.status] += 1
            except Exception:
                recording.check(False, traceback.format_exc())
            finally:
                if getattr(recording, "process", None) and recording.process.poll() is None:
                    recording.process.kill()
                if len(claims.broken) > broken:
                    print(f"   {number}: {plan}", file=sys.stderr, flush=True)
                if not options.keep or len(claims.broken) == broken:
                    recording.clear()
                    shutil.rmtree(folder, ignore_errors=True)
                elif recording.disk:
                    kept = folder / "kept"
                    shutil.copytree(recording.disk, kept, dirs_exist_ok=True)
                    recording.clear()
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(ends.items()))
    claims.report([
        ("recordings", f"{sum(ends.values())}"),
        ("by exit status (-9: killed)", statuses),
        ("full disks", "yes" if has_disk else "no: only root can mount small ones"),
        ("claims that hold", f"{claims.made - len(claims.broken)} of {claims.made}"),
    ], options.json)
    claims.end()


main()
