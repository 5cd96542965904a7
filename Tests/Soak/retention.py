#!/usr/bin/env python3
"""Recorders and rigs that delete old films, in folders in which others work, too; judged film by film.

    scripts/soak-retention real [MINUTES] [--seed N] [--disk tmpfs|ext4|plain] [--keep FOLDER] [--pace X]

5 minutes unless told; CAMREC_BINARY is the program. Two recorders of one name and two rigs that both have a camera
'front' record 2 s segments into two folders of one small disk, with limits, rotation and hooks. At random, by seed:
bake with and without --overwrite into names that are free, finished or being recorded, recover, films that are
renamed or removed, also while they are recorded, keep and --undo, SIGKILL and SIGTERM, changed patterns, another
program that fills the disk and lets go, a folder that is moved away and back. Each film that goes has to have a
reason that holds (Documentation/Space.md), or the soak has removed it; each that stays has to play, with the frames
that its recorder told of. Another seed chooses other actions; when they come depends on the machine, so what was done
is printed, and the log of it is ACTIONS in the folder that --keep names.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from claims import Claims
from films import Film, output
from witness import Witness

RATE, MEGA = 25, 1_000_000
DISK = 128 * MEGA
STATUSES = {0, 3, 4, 5, 64, 65, 69, 74, 130}


class Process:
    """One process of a recorder, from its start to its end."""

    def __init__(self, pid, name, folder, limits, output):
        self.pid, self.name, self.folder, self.limits, self.output = pid, name, folder, limits, output
        self.begun, self.ended, self.status, self.events, self.was_killed = time.monotonic(), None, None, [], False

    def __str__(self):
        return f"{self.name} (process {self.pid}, {os.path.basename(self.output)})"

    def of(self, kind):
        return [event for event in list(self.events) if event["event"] == kind]


class Actor:
    """A recorder of its own, or a rig, that is started again and again."""

    def __init__(self, soak, label, name, folder, is_rig):
        self.soak, self.label, self.name, self.folder, self.is_rig = soak, label, name, folder, is_rig
        self.child, self.process, self.starts = None, None, 0
        self.choose()

    def choose(self):
        """Another pattern and other limits."""
        chance = self.soak.chance
        times = chance.choice(["%H-%M-%S", "%H%M%S", "%Y_%H-%M-%S" if self.is_rig else "%H%M"])
        prefix = self.label if chance.random() < 0.8 else self.name
        self.output = f"{self.soak.disk}/{self.folder}/{prefix}_{times}.mov"
        self.limits = {}
        if chance.random() < 0.6:
            self.limits["count"] = chance.choice([1, 2, 3, 6])
        if chance.random() < 0.25:
            self.limits["size"] = chance.choice([1, 2, 4]) * MEGA
        if chance.random() < 0.2:
            self.limits["free"] = chance.choice([20, 40]) * MEGA
        if chance.random() < 0.15:
            self.limits["age"] = 20
        self.limits["rotates"] = chance.random() < 0.7
        self.has_hook = chance.random() < 0.3

    def options(self):
        pairs = [("camera", "sim"), ("microphone", "sim"), ("size", "320x180"), ("fps", str(RATE)), ("segment", "2s"),
                 ("output", self.output)]
        pairs += [(f"keep-{limit}", f"{value}s" if limit == "age" else str(value))
                  for limit, value in self.limits.items() if limit != "rotates"]
        if self.limits["rotates"]:
            pairs.append(("on-full", "rotate"))
        if self.has_hook:
            pairs += [("hook", str(self.soak.folder / "hook")), ("hook", "{}")]
        return pairs

    def start(self):
        binary, options = os.environ["CAMREC_BINARY"], self.options()
        self.starts += 1
        if self.is_rig:
            home = self.soak.folder / self.label
            for name in ("settings", "sockets"):
                (home / name).mkdir(mode=0o750, parents=True, exist_ok=True)
            hooks = [value for key, value in options if key == "hook"]
            lines = [f"    {key}: {value}" for key, value in options if key != "hook"]
            if hooks:
                lines.append(f"    hook: {json.dumps(hooks)}")
            (home / "rig.yaml").write_text(f"cameras:\n  {self.name}:\n" + "\n".join(lines)
                                           + f"\nsettings: {home}/settings\nsockets: {home}/sockets\n")
            command = [binary, "rig", "--json", "--log", "json", str(home / "rig.yaml")]
        else:
            command = [binary, "record", "--name", self.name, "--control", "none", "--state", "none", "--json",
                       "--log", "json"]
            command += [f"--{key}={value}" for key, value in options]
        self.soak.say(f"{self.label}: starts, {os.path.basename(self.output)} in {self.folder}, {self.limits}, "
                      + ("with a hook" if self.has_hook else "no hook"))
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                      stderr=open(self.soak.folder / f"{self.label}.log", "a"),
                                      env=self.soak.environment)
        # A rig tells of its recording; until then it has none.
        self.process = None
        if not self.is_rig:
            self.take(self.child.pid)
        threading.Thread(target=self.read, args=(self.child,), daemon=True).start()

    def take(self, pid):
        self.process = Process(pid, self.name, self.folder, dict(self.limits), self.output)
        self.soak.started.append(self.process)

    def read(self, child):
        for line in child.stdout:
            event = json.loads(line)
            if event["event"] == "process":
                if self.process and self.process.ended is None:
                    self.process.ended = time.monotonic()
                self.take(event["pid"])
            elif self.process:
                self.process.events.append(event)
        status, process = child.wait(), self.process
        if process and process.ended is None:
            process.ended = time.monotonic()
        if process and not self.is_rig:
            process.status = status
        self.soak.judge_status(self, process, status)

    def lives(self):
        return self.child is not None and self.child.poll() is None

    def end(self, kind):
        process = self.process
        self.soak.say(f"{self.label}: {kind.name}" + (f" to {process}" if kind == signal.SIGKILL else ""))
        if kind == signal.SIGKILL:
            if process is None:
                return
            process.was_killed = True
            try:
                os.kill(process.pid, kind)  # of a rig its recording, which it starts again
            except ProcessLookupError:
                pass
            process.ended = time.monotonic()
        else:
            self.child.send_signal(kind)


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder, self.chance, self.claims = options, folder, random.Random(options.seed), Claims()
        self.disk, self.started, self.deletions, self.filler = str(folder / "disk"), [], 0, 0
        self.actions, self.begin, self.disturbed, self.counts = open(folder / "ACTIONS", "w"), time.monotonic(), [], {}
        self.moved, self.moves_at, self.removed, self.ends, self.workers = None, [], [], False, []
        self.judged = self.frames = 0
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=str(runtime), XDG_STATE_HOME=str(folder / "home"))

    def say(self, sentence):
        line = f"{time.strftime('%H:%M:%S')} {time.monotonic() - self.begin:8.2f} {sentence}"
        self.actions.write(line + "\n")
        self.actions.flush()
        if self.options.verbose:
            print(line, flush=True)

    def processes(self):
        now = time.monotonic()
        return [process for process in list(self.started) if process.ended is None or now < process.ended + 1]

    def uptime(self, moment):
        return moment + time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()

    def note_of_deletion(self, film, entry):
        for process in self.started:
            if process.folder in (film.place, film.place.split("-")[0]):
                for event in process.of("note"):
                    facts, moment = event.get("facts", {}), event["time"]["monotonic"]
                    if "reason" in facts and facts.get("deleted") in film.names and abs(moment - film.gone) < 15:
                        return process, event
        return None

    def prepare(self):
        os.makedirs(self.disk)
        kind = self.options.disk
        if kind == "tmpfs":
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "camrec-soak", self.disk], check=True)
        elif kind == "ext4":
            image = self.folder / "image"
            with open(image, "wb") as file:
                file.truncate(DISK)
            subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], check=True)
            subprocess.run(["mount", "-o", "loop", str(image), self.disk], check=True)
        for name in ("one", "two"):
            os.mkdir(f"{self.disk}/{name}")
        hook = self.folder / "hook"
        hook.write_text("#!/bin/sh\nsleep 0.2\n[ ! -e " + str(self.folder / "hook-fails") + " ]\n")
        hook.chmod(0o755)
        self.clip = str(self.folder / "clip.mov")
        subprocess.run(
            [os.environ["CAMREC_BINARY"], "record", "--camera", "sim:pace=pulled", "--size", "320x180",
             "--fps", str(RATE), "--microphone", "sim", "--frames", "25", "--control", "none", "--state", "none",
             "-o", self.clip], check=True, capture_output=True, stdin=subprocess.DEVNULL)
        self.witness = Witness(self.disk, self)
        self.witness.start()
        second = "two" if self.chance.random() < 0.5 else "one"
        self.actors = [Actor(self, "left", "sim", "one", False), Actor(self, "right", "sim", "one", False),
                       Actor(self, "here", "front", "two", True), Actor(self, "there", "front", second, True)]
        if self.chance.random() < 0.2:  # one name and one pattern
            self.actors[1].output = self.actors[0].output

    # The run

    def run(self):
        for actor in self.actors:
            actor.start()
        weights = {self.bake: 5, self.recover: 2, self.rename: 3, self.rename_recorded: 1, self.remove_recorded: 1,
                   self.keep: 4, self.kill: 2, self.terminate: 2, self.repattern: 1, self.fill: 2,
                   self.move_folder: 0.7, self.hook_fails: 0.7}
        without = self.options.without.split(",")
        actions = {action: weight for action, weight in weights.items() if action.__name__ not in without}
        until = self.begin + self.options.minutes * 60
        while time.monotonic() < until and not (self.options.first and self.claims.broken):
            time.sleep(self.chance.uniform(0.2, 2.5) * self.options.pace)
            action = self.chance.choices(list(actions), list(actions.values()))[0]
            self.counts[action.__name__] = self.counts.get(action.__name__, 0) + 1
            try:
                action()
            except FileNotFoundError as error:
                self.say(f"{action.__name__}: {error}")  # It has gone in this moment.
            for actor in self.actors:
                if not actor.lives():
                    actor.start()
            self.tidy()
            self.witness.judge_gone()
            self.judge_some()
        self.end()

    def candidates(self, is_recorded):
        """Films that stand there, by whether somebody writes them now."""
        with self.witness.lock:
            now = time.monotonic()
            return [film for film in self.witness.films.values()
                    if film.folder not in self.witness.away and not film.name.startswith(".") and film.bytes > 20_000
                    and is_recorded == (film.writer is not None and film.writer.ended is None
                                        and now - film.written < 0.3)
                    and (not is_recorded or now - film.first > 0.5)]

    def choose(self, is_recorded):
        found = sorted(self.candidates(is_recorded), key=lambda film: film.first)
        return self.chance.choice(found) if found else None

    def path(self, film):
        return f"{self.disk}/{film.place}/{film.name}"

    def command(self, *words):
        answer = subprocess.run([os.environ["CAMREC_BINARY"], *words], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, env=self.environment, timeout=120)
        said = (answer.stderr.strip().splitlines() or [""])[-1]
        self.say(f"  {' '.join(words[:1])} ended with {answer.returncode}: {said}")
        self.claims.check(answer.returncode in STATUSES,
                          f"camrec {' '.join(words)} ended with {answer.returncode}: {answer.stderr.strip()}")
        return answer

    # What is done

    def bake(self):
        self.workers = [worker for worker in self.workers if worker.is_alive()]
        if len(self.workers) > 1:
            return
        target = self.chance.choice(["free", "finished", "recorded", "recorded"])
        overwrites, folder = self.chance.random() < 0.6, self.chance.choice(["one", "two"])
        film = None if target == "free" else self.choose(target == "recorded")
        path = self.path(film) if film else f"{self.disk}/{folder}/baked{len(self.witness.all)}.mov"
        self.say(f"bake over {target} {path}" + (" --overwrite" if overwrites else ""))

        def work():
            try:
                own = self.witness.begin(path, "bake") if overwrites else None
            except FileNotFoundError:  # Its folder has just moved.
                return
            options = ["--overwrite"] if overwrites else []
            answer = self.command("bake", self.clip, "-o", path, *options)
            if own:
                own[4] = time.monotonic()
            if film and not overwrites and film.gone is None:
                self.claims.check(answer.returncode != 0, f"bake without --overwrite replaced {film}")

        worker = threading.Thread(target=work)
        self.workers.append(worker)
        worker.start()

    def recover(self):
        film = self.choose(self.chance.random() < 0.5)
        if film is None or self.chance.random() < 0.3:
            self.say("recover both folders")
            self.command("recover", f"{self.disk}/one", f"{self.disk}/two")
        else:
            self.say(f"recover {film}")
            self.command("recover", self.path(film))

    def is_written(self, film, is_removed=False):
        """Its recorder has it open at this moment, whatever its name is. ext4 gives a removed film's number away."""
        folder = f"/proc/{film.writer.pid}/fd"
        try:
            files = [f"{folder}/{number}" for number in os.listdir(folder)]
            found = [os.stat(file) for file in files if os.lstat(file).st_mode & 0o200]
            return any(status.st_ino == film.inode and not (is_removed and status.st_nlink) for status in found)
        except OSError:
            return False

    def rename_film(self, film, with_sidecar):
        path = self.path(film)
        new = f"{os.path.dirname(path)}/renamed{len(self.witness.all)}-{film.inode}.mov"
        how = " with its sidecar" if with_sidecar else ", which is recorded"
        self.say(f"rename {film} to {os.path.basename(new)}{how}")
        self.witness.look()
        os.rename(path, new)
        if not with_sidecar and not self.is_written(film):
            self.say("  it was finished in that moment; its sidecar follows")
            with_sidecar = True
        for suffix in (".camrec", ".keep") if with_sidecar else ():
            if os.path.exists(path + suffix):
                os.rename(path + suffix, new + suffix)
        self.witness.look()

    def rename(self):
        if film := self.choose(False):
            self.rename_film(film, True)

    def rename_recorded(self):
        if film := self.choose(True):
            self.rename_film(film, False)

    def remove_recorded(self):
        film = self.choose(True)
        if film is None:
            return
        path = self.path(film)
        with open(path, "rb") as file:
            file.seek(8192)
            piece = file.read(4096)
        self.say(f"remove {film}, which {film.writer} records")
        own = self.witness.begin(path, "remove")
        os.remove(path)
        own[4] = time.monotonic()
        moment = time.monotonic()
        # One that is being closed has had its last look at its name.
        time.sleep(0.3)
        if self.is_written(film, is_removed=True):
            self.removed.append((film, film.writer, piece, moment))
        else:
            self.say("  it was finished in that moment")

    def keep(self):
        film = self.choose(self.chance.random() < 0.3)
        if film is None:
            return
        undo = ["--undo"] if film.keep_marked and self.chance.random() < 0.7 else []
        self.say(f"keep {' '.join(undo)} {film}")
        if undo:
            film.released = time.monotonic()
        self.command("keep", *undo, self.path(film))

    def kill(self):
        self.chance.choice(self.actors).end(signal.SIGKILL)

    def terminate(self):
        actor = self.chance.choice(self.actors)
        if actor.lives():
            actor.end(signal.SIGTERM)

    def repattern(self):
        actor = self.chance.choice(self.actors)
        if actor.lives():
            actor.end(signal.SIGTERM)
            self.wait(actor)
        actor.choose()

    def wait(self, actor):
        try:
            actor.child.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.claims.check(False, f"{actor.label} does not end within two minutes of SIGTERM")
            actor.child.kill()
        time.sleep(0.1)

    def fill(self):
        """Another program takes the disk's room, or lets go of it."""
        path = f"{self.disk}/filler"
        if os.path.exists(path):
            self.say("the filler lets go")
            # However long it was there.
            self.disturbed.append(time.monotonic())
            os.remove(path)
            return
        if self.options.disk == "plain":
            return
        room = os.statvfs(self.disk)
        leave = self.chance.choice([4, 8, 12, 16, 20, 30]) * MEGA
        self.say(f"the filler leaves {leave} bytes")
        self.disturbed.append(time.monotonic())
        if (take := room.f_bavail * room.f_frsize - leave) > 0:
            try:
                with open(path, "wb") as file:
                    os.posix_fallocate(file.fileno(), 0, take)
            except OSError as error:
                self.say(f"  {error}")

    def move_folder(self):
        if self.moved:
            return
        name = self.chance.choice(["one", "two"])
        path, seconds, is_made = f"{self.disk}/{name}", self.chance.uniform(2, 8), self.chance.random() < 0.7
        number = os.stat(path).st_ino
        self.say(f"{name} is moved away for {seconds:.1f} s" + (", and a new one made" if is_made else ""))
        self.disturbed.append(time.monotonic())
        self.moves_at.append(time.monotonic())
        os.rename(path, f"{path}-away")
        self.witness.away[number] = time.monotonic()
        if is_made:
            os.mkdir(path)

        def back():
            time.sleep(seconds)
            self.say(f"{name} comes back")
            if os.path.exists(path):
                self.witness.away[os.stat(path).st_ino] = time.monotonic() + 0.5
                os.rename(path, f"{path}-new{len(self.moves_at)}")
            os.rename(f"{path}-away", path)
            self.witness.away.pop(number)
            self.moves_at.append(time.monotonic())
            self.moved, self.disturbed = None, self.disturbed + [time.monotonic()]

        self.moved = threading.Thread(target=back)
        self.moved.start()

    def hook_fails(self):
        path = self.folder / "hook-fails"
        self.say("hooks " + ("work again" if path.exists() else "fail"))
        path.unlink() if path.exists() else path.touch()

    def tidy(self):
        """What no recorder may delete, an archivist takes away."""
        found = sorted(self.candidates(False), key=lambda film: film.first)
        while sum(film.bytes for film in found) > 40 * MEGA:
            film = found.pop(0)
            path = self.path(film)
            self.say(f"archive {film}")
            try:
                own = self.witness.begin(path, "remove")
            except FileNotFoundError:  # its folder has just moved
                continue
            for suffix in ("", ".camrec", ".keep"):
                try:
                    os.remove(path + suffix)
                except FileNotFoundError:
                    pass
            own[4] = time.monotonic()

    def end(self):
        self.say("the end")
        self.ends = True
        if os.path.exists(f"{self.disk}/filler"):
            os.remove(f"{self.disk}/filler")
        for worker in self.workers + ([self.moved] if self.moved else []):
            worker.join()
        for actor in self.actors:
            if actor.lives():
                actor.child.send_signal(signal.SIGTERM)
        for actor in self.actors:
            self.wait(actor)
        time.sleep(1)
        folders = [f"{self.disk}/{name}" for name in os.listdir(self.disk) if os.path.isdir(f"{self.disk}/{name}")]
        self.witness.look()
        self.command("recover", *[folder for folder in folders if not folder.endswith("lost+found")])
        self.witness.look()
        self.witness.ends.set()
        self.witness.join()
        self.witness.judge_gone(grace=-1)
        for film in self.witness.films.values():
            self.judge_film(film)
        self.judge_removed()

    # The judge

    def judge_status(self, actor, process, status):
        check = self.claims.check
        self.say(f"{actor.label}: ended with {status}")
        if status < 0:
            # Before it has set up its signals, SIGTERM ends it at once: nothing was begun then.
            is_early = status == -signal.SIGTERM and not (process and process.of("started"))
            check(is_early or status == -signal.SIGKILL and process and process.was_killed,
                  f"{actor.label} ended by signal {-status}")
            return
        check(status in STATUSES - {4, 5, 64}, f"{actor.label} ended with {status}")
        is_disturbed = process and any(moment > process.begun - 60 for moment in self.disturbed) or any(
            writer is process for _, writer, _, _ in self.removed)
        is_disturbed = is_disturbed or os.path.exists(f"{self.disk}/filler")
        errors = [event.get("error") for event in process.of("stopped")] if process else []
        check(status in (0, 3) or is_disturbed or actor.is_rig or self.witness.is_full_of_what_stays(),
              f"{actor.label} ended with {status}, {errors}, and nothing was in its way")
        stopped = process.of("stopped")[-1:] if process else []
        deletions = [event["time"]["monotonic"] for event in (process.of("note") if process else [])
                     if event.get("facts", {}).get("reason") == "room"]
        if stopped and stopped[0]["status"] == 74 and deletions and "full" in str(stopped[0].get("error")):
            late = stopped[0]["time"]["monotonic"] - deletions[-1]
            check(late > 2 or any(deletions[0] < moment for moment in self.disturbed),
                  f"{process} deleted {len(deletions)} films for room and ended {late:.1f} s later all the same")

    def judge_some(self):
        """A film that is whole, before somebody deletes it."""
        if self.claims.made and self.chance.random() < 0.5 and (film := self.choose(False)):
            self.judge_film(film)

    def event(self, film):
        """What its recorder said of it when it was whole."""
        if film.writer:
            for event in film.writer.of("segment"):
                if os.path.basename(event["output"]) in film.names:
                    return event
        return None

    def judge_film(self, film):
        check, path, event = self.claims.check, self.path(film), self.event(film)
        if not self.ends and event is None:
            return
        try:
            if event is None:
                packets = output("ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries",
                                 "stream=nb_read_packets", "-of", "csv=p=0", path)
                check(int(packets.split()[0]) > 0, f"{film} has no frame")
                self.judged += 1
                return
            if not os.path.exists(path + ".camrec") and os.path.exists(path):
                # One that was begun while its folder was elsewhere may stand where the path led.
                elsewhere = [folder for folder in os.listdir(self.disk) for name in film.names
                             if os.path.exists(f"{self.disk}/{folder}/{name}.camrec")]
                check(elsewhere and self.moves(film),
                      f"{film} has no sidecar beside it; one of its names is in {elsewhere}")
                return
            found = Film(path)
            # A bake that replaces it does so between any two looks: what was read may be the other film.
            if not self.ends and (self.witness.is_worked_on(film) or os.stat(path).st_ino != film.inode):
                return
        except Exception as error:  # What cannot be read is a claim that does not hold, unless it has just gone.
            if not self.ends and not os.path.exists(path):
                return
            said = getattr(error, "stderr", None) or b""
            check(False, f"{film}: {said.decode().strip() or repr(error)}")
            return
        frames, end = len(found.times), found.sidecar.end
        self.judged, self.frames = self.judged + 1, self.frames + frames
        check(frames == event["frames"], f"{film} has {frames} frames, {film.writer} told of {event['frames']}")
        check(end and end["written"] == frames, f"{film} has {frames} frames, its sidecar's end is {end}")

    def moves(self, film):
        """Its folder was moved while it was written."""
        return any(film.first - 5 < moment < (film.written or film.last) + 1 for moment in self.moves_at)

    def judge_removed(self):
        """Of a film that was removed while it was recorded, the recorder speaks, and what was open is kept."""
        for film, process, piece, moment in self.removed:
            if process.was_killed and process.ended < moment + 2:
                continue
            remarks = process.of("warning") + process.of("note") + process.of("stopped")
            said = [event for event in remarks if event["time"]["monotonic"] >= moment - 0.2
                    and any(name in str(event.get("message") or event.get("error")) for name in film.names)]
            self.claims.check(said, f"{film} was removed while {process} recorded it, and it says nothing of that")
            later = [other for other in self.witness.all if other.first >= moment - 0.1]
            kept = [other for other in later if other.gone is None and self.begins(other, piece)]
            # The copy may have been deleted in its turn, by a limit: that is judged as of any other film.
            went = any(other.gone for other in later if other.folder == film.folder)
            lost = [event for event in process.of("stopped") if event["status"] == 74]
            self.claims.check(kept or went or lost,
                              f"{film} was removed while {process} recorded it, and no copy of it is there")

    def begins(self, film, piece):
        try:
            with open(self.path(film), "rb") as file:
                file.seek(8192)
                return file.read(4096) == piece
        except OSError:
            return False

    def tell(self):
        print(f"seed {self.options.seed}, {self.options.minutes:g} min on {self.options.disk}: {len(self.started)} "
              f"processes, {len(self.witness.all)} films, {self.deletions} deleted and judged, {self.judged} read, "
              f"{self.frames} frames; load {os.getloadavg()[0]:.1f}")
        print("actions: " + ", ".join(f"{name} {count}" for name, count in sorted(self.counts.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float, nargs="?", default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--disk", choices=["tmpfs", "ext4", "plain"],
                        help="by the seed unless told; without root: plain")
    parser.add_argument("--keep", help="a folder in which everything stays")
    parser.add_argument("--pace", type=float, default=1, help="more: longer between the actions")
    parser.add_argument("--without", default="", help="actions to leave out: rename_recorded,move_folder")
    parser.add_argument("--first", action="store_true", help="end with the first claim that does not hold")
    parser.add_argument("--verbose", action="store_true", help="print the actions")
    options = parser.parse_args()
    if "CAMREC_BINARY" not in os.environ:
        sys.exit("CAMREC_BINARY has to name the program; scripts/soak-retention builds it")
    # The disk is mounted where nobody else sees it, and goes with the last process.
    if options.disk != "plain" and os.geteuid() == 0 and "CAMREC_SOAK_UNSHARED" not in os.environ:
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0:
            os.environ["CAMREC_SOAK_UNSHARED"] = "1"
            os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
    can_mount = "CAMREC_SOAK_UNSHARED" in os.environ
    if options.disk in ("tmpfs", "ext4") and not can_mount:
        sys.exit(f"--disk {options.disk} needs root and a mount namespace (unshare -m); take --disk plain")
    options.disk = options.disk or ("plain" if not can_mount else "ext4" if options.seed % 3 == 0 else "tmpfs")
    folder = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="camrec-soak-"))
    if options.keep:
        if folder.exists():
            sys.exit(f"'{folder}' exists already; --keep makes a new folder")
        folder.mkdir(parents=True)
    print(f"seed {options.seed}, disk {options.disk}, folder {folder}", flush=True)
    soak = Soak(options, folder.resolve())
    try:
        soak.prepare()
        soak.run()
    finally:
        for actor in getattr(soak, "actors", []):
            if actor.lives():
                actor.child.terminate()
                actor.child.wait()
        if soak.claims.broken:
            print((folder / "ACTIONS").read_text())
        if options.keep:
            shutil.copytree(soak.disk, folder / "films", symlinks=True)
        if options.disk != "plain":
            subprocess.run(["umount", "-l", soak.disk])
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    soak.tell()
    for sentence in soak.claims.broken:
        print(f"not so: {sentence}")
    soak.claims.end()


main()
