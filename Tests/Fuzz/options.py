#!/usr/bin/env python3
"""Tries camrec's command line with names and values that nobody thought of.

    Tests/Fuzz/options.py BINARY [--paths] [--calls N] [--seed N] [--seconds S] [--jobs N] [--part N/M]

--paths: every option and argument that takes a path, of every command, with each of the names below: a table.
--calls: so many random calls, each with one to four options of one command.
What options there are the program says itself (--experimental-dump-help), so that a new one cannot be forgotten.

A call may not end by a signal, hang, print a trap, or end with a status that is not documented. It may not change a
film, somebody else's file or a FIFO that lay there before, unless it is told to overwrite it. A name that is no UTF-8
is refused, and never becomes another. Ends with 1 where something was found. Runs in folders of its own, with
relative paths, and as the user nobody where it is started as root.
"""
import argparse
import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

DOCUMENTED = {0, 3, 4, 5, 64, 65, 69, 74, 130}
# A status that a shell or the runtime makes of a trap.
TRAPS = {132, 133, 134, 136, 139}
NAMES = [
    b"-", b"x", b".", b"..", b"/", b"d/f", b"d/", b"gone/f.mov", b"", b"k/" * 2000 + b"k", b"n" * 300, b"bad\xff.mov",
    b"two\nlines.mov", b"-dash.mov", b"\x1b[2Jname.mov", b"link", b"fifo", b"fifo.mov", b"d", b"film.mov", b"notes.txt",
    b"%Y", b"a:b", "ü.mov".encode(),
]
VALUES = [
    "", " ", "-", "--", "-1", "0", "-0", "1", "1e9", "1e400", "nan", "inf", "9223372036854775807",
    "9223372036854775808", "1/0", "0/1", "24000/1001", "1:2:3:4", "99:99:99:99", "::", ",", "=", "0x10", "1s",
    "-1s", "1e99h", "10GB", "9e99GB", "1x1", "0x0", "99999x99999", "auto", "none", "sim", "sim:=", "sim:a=b",
    "sim:faults=fifo", "clip:", "clip:fifo", "clip:film.mov", "off", "all", "%", "%s%n", "名", "\x1b[31m", "d",
    "fifo", "link", "film.mov", "notes.txt", "gone/x", "[", "{", "\"", "'",
]
RECORD = [
    "--camera", "sim:pace=pulled", "--size", "160x90", "--frames", "3", "--microphone", "none", "--output", "new.mov",
]
# What a command wants besides the option that is tried.
BASE = {
    ("record",): RECORD,
    ("bake",): ["film.mov", "--output", "new.mov"],
    ("bench",): ["--duration", "0.1s", "--size", "160x90"],
    ("meter",): ["--camera", "sim:pace=pulled"],
    ("bracket",): ["--shadow", "1/4", "--highlight", "1/1000"],
    ("recover",): ["film.mov"],
    ("compare",): ["film.mov", "film.mov"],
    ("info",): ["film.mov"],
    ("lut", "make"): ["--from", "srgb", "--to", "rec709", "--size", "2"],
    ("golden", "init"): ["d"],
    ("doctor",): ["--duration", "0.1s"],
}


def commands(tree):
    """Each command without subcommands: its words, and its options and arguments."""
    def walk(command, words):
        below = command.get("subcommands", [])
        if not below and command["commandName"] != "help":
            yield words, command.get("arguments", [])
        for one in below:
            yield from walk(one, words + (one["commandName"],))
    yield from walk(tree, ())


def spelled(option):
    name = option["preferredName"]
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def takes_path(option):
    kind = option.get("completionKind") or {}
    return option["kind"] in ("option", "positional") and ("file" in kind or "directory" in kind)


def without(base, name):
    """The base without an option that is given another value."""
    rest, skip = [], False
    for word in base:
        if skip:
            skip = False
        elif word == name:
            skip = True
        else:
            rest.append(word)
    return rest


def table(tree):
    for words, options in commands(tree):
        base = BASE.get(words, [])
        for option in filter(takes_path, options):
            for name in NAMES:
                if option["kind"] == "option":
                    yield [*words, *without(base, spelled(option)), spelled(option), name]
                else:
                    yield [*words, *[w for w in base if w not in ("film.mov", "d")], name]


def randomly(tree, count, seed):
    source, known = random.Random(seed), [c for c in commands(tree) if c[1]]
    for _ in range(count):
        words, options = source.choice(known)
        call = [*words, *BASE.get(words, [])]
        for option in source.sample(options, min(len(options), source.randint(1, 4))):
            value = source.choice(VALUES + NAMES)
            if option["kind"] == "option":
                call += [spelled(option), value]
            elif option["kind"] == "flag" and option["preferredName"]["name"] not in ("help", "version", "h"):
                call.append(spelled(option))
            elif option["kind"] == "positional":
                call.append(value)
        yield call


class Trial:
    def __init__(self, binary, top, seconds):
        self.binary, self.top, self.seconds = binary, top, seconds
        self.drop = dict(user=65534, group=65534, extra_groups=[]) if os.geteuid() == 0 else {}

    def prepare(self):
        """What every call finds in its folder."""
        self.template = os.path.join(self.top, "template")
        os.makedirs(os.path.join(self.template, "d"))
        with open(os.path.join(self.template, "notes.txt"), "w") as notes:
            notes.write("somebody's own words\n")
        subprocess.run(
            [self.binary, "record", *without(RECORD, "--output"), "--no-sidecar", "--output", "film.mov"],
            cwd=self.template, check=True, capture_output=True)

    def folder(self, number):
        home = os.path.join(self.top, str(number))
        shutil.copytree(self.template, home)
        os.symlink("nowhere", os.path.join(home, "link"))
        for name in ("fifo", "fifo.mov"):
            os.mkfifo(os.path.join(home, name))
        if self.drop:
            for name in [home] + [os.path.join(home, n) for n in os.listdir(home)]:
                os.chown(name, 65534, 65534, follow_symlinks=False)
        return home

    def run(self, numbered):
        number, call = numbered
        home = self.folder(number)
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=home)
        for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            environment[name] = home
        process = subprocess.Popen(
            [self.binary, *call], cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, **self.drop)
        fault, text = None, b""
        try:
            text, _ = process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            # What runs until it is told to end (watching, standing by) is no hang.
            process.send_signal(signal.SIGTERM)
            try:
                text, _ = process.communicate(timeout=self.seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                text, _ = process.communicate()
                fault = "does not end on SIGTERM"
        fault = fault or self.ending(process.returncode, text) or self.damage(home, call)
        if any(isinstance(w, bytes) and b"\xff" in w for w in call) and process.returncode != 64:
            fault = fault or f"a name that is no UTF-8 ends with {process.returncode}"
        shutil.rmtree(home, ignore_errors=True)
        return fault, call, text

    def ending(self, status, text):
        if status < 0 and -status not in (signal.SIGTERM, signal.SIGPIPE):
            return f"signal {-status}"
        if status in TRAPS or b"Fatal error" in text or b"Backtrace" in text:
            return f"a trap, status {status}"
        if status >= 0 and status not in DOCUMENTED:
            return f"status {status}, which is not documented or a defect by its own word"
        # An escape sequence of ours begins a line that is redrawn, and there is no terminal here.
        return "a control character" if b"\x1b" in text else None

    def damage(self, home, call):
        """What lay there before is there still."""
        words = [w if isinstance(w, bytes) else w.encode() for w in call]
        if b"--overwrite" in words:
            return None
        for name in ("film.mov", "notes.txt"):
            with open(os.path.join(self.template, name), "rb") as before:
                try:
                    with open(os.path.join(home, name), "rb") as after:
                        if before.read() != after.read():
                            return f"{name} is another"
                except OSError as error:
                    return f"{name}: {error}"
        for name, kind in (("fifo", stat.S_ISFIFO), ("fifo.mov", stat.S_ISFIFO)):
            try:
                if not kind(os.lstat(os.path.join(home, name)).st_mode):
                    return f"{name} is another"
            except OSError as error:
                return f"{name}: {error}"
        return None


def shown(word):
    text = word.decode("utf-8", "backslashreplace") if isinstance(word, bytes) else word
    return repr(text) if not text.isprintable() or " " in text or not text else text[:60]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--paths", action="store_true")
    parser.add_argument("--calls", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part", default="0/1", help="of the table: every M-th call, from the N-th on")
    asked = parser.parse_args()
    top = tempfile.mkdtemp(prefix="camrec-options-")
    os.chmod(top, 0o755)
    try:
        # Where another user can read it.
        binary = shutil.copy(os.path.realpath(asked.binary), os.path.join(top, "camrec"))
        os.chmod(binary, 0o755)
        dump = subprocess.run([binary, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
        tree = json.loads(dump)["command"]
        trial = Trial(binary, top, asked.seconds)
        trial.prepare()
        first, step = map(int, asked.part.split("/"))
        calls = list(table(tree))[first::step] if asked.paths else []
        calls += list(randomly(tree, asked.calls, asked.seed))
        found = 0
        with ThreadPoolExecutor(asked.jobs) as pool:
            for fault, call, text in pool.map(trial.run, enumerate(calls)):
                if fault:
                    found += 1
                    print(f"{fault}: camrec {' '.join(map(shown, call))}", flush=True)
                    print("    " + text[-300:].decode("utf-8", "backslashreplace").replace("\n", "\n    "), flush=True)
        print(f"{len(calls)} calls, {found} found")
        return 1 if found or not calls else 0
    finally:
        shutil.rmtree(top, ignore_errors=True)


sys.exit(main())
