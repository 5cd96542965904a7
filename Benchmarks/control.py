#!/usr/bin/env python3
"""How soon the watchers of a recorder hear of a change, and what an idle one is sent.

    Benchmarks/control.py [--changes 100] [--busy 2]      1 and 16 watchers, of whole states and of changes
    Benchmarks/control.py --idle 10                       bytes per second to watchers of a recorder that stands by

The simulated camera is recorded while `--busy` processes keep the cores busy. One of the watchers sets the white
balance at random moments. From its answer (the change is accepted) to the last watcher's event: median, 95th
percentile, worst. Events may come before the answer; such a time counts as 0. Needs the release binary, or
CAMREC_BINARY.
"""
import argparse, json, os, pathlib, random, selectors, socket, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMREC = os.environ.get("CAMREC_BINARY", str(ROOT / ".build/release/camrec"))


class Remote:
    """A connection that watches; `changes`: only what changes."""

    def __init__(self, path, changes):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest, self.bytes = b"", 0
        self.greeting = self.wait()
        self.ask({"do": "watch", "changes": True} if changes else {"do": "watch"})
        while "ok" not in (answer := self.wait()): pass
        self.knows = answer["ok"]

    def ask(self, request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def lines(self):
        """The lines that have arrived, after one wait."""
        piece = self.socket.recv(1 << 16)
        if not piece: sys.exit("the recorder has closed a connection")
        self.bytes += len(piece)
        *lines, self.rest = (self.rest + piece).split(b"\n")
        return lines

    def wait(self):
        while not (lines := self.lines()): pass
        return json.loads(lines[0])


def recorder(folder, *options):
    path = f"{folder}/c.sock"
    process = subprocess.Popen(
        [CAMREC, "record", "--camera", "sim", "--size", "640x360", "--microphone", "none",
         "--output", f"{folder}/take.mov", "--control", path, *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            probe = socket.socket(socket.AF_UNIX)
            probe.connect(path)
            with probe: return process, path
        except OSError:
            time.sleep(0.05)
    sys.exit(f"{CAMREC} has ended with status {process.returncode}")


def one_change(remotes, kelvin):
    """Seconds from the answer to the last event, and from the request to it."""
    waiting, told, accepted = selectors.DefaultSelector(), {}, None
    for number, remote in enumerate(remotes): waiting.register(remote.socket, selectors.EVENT_READ, number)
    begin = time.monotonic()
    remotes[0].ask({"do": "white-balance", "value": kelvin})
    while accepted is None or len(told) < len(remotes):
        for key, _ in waiting.select(30) or sys.exit(f"only {len(told)} of {len(remotes)} watchers were told"):
            arrival = time.monotonic()
            for line in remotes[key.data].lines():
                message = json.loads(line)
                if "ok" in message:
                    if not message["ok"]: sys.exit(line.decode())
                    accepted = arrival
                elif (message.get("state") or message.get("changes")).get("whiteBalance") == str(kelvin):
                    told.setdefault(key.data, arrival)
    waiting.close()
    last = max(told.values())
    return max(0, last - accepted), last - begin


def measure(count, changes, runs):
    with tempfile.TemporaryDirectory() as folder:
        process, path = recorder(folder)
        time.sleep(2)
        remotes = [Remote(path, changes) for _ in range(count)]
        if changes and not remotes[0].knows:
            print(f"{count:2} watchers of changes: this camrec has none")
        else:
            times = []
            for run in range(runs):
                # Meanwhile counters come ten times a second; they are read, so that nobody is slow.
                end = time.monotonic() + random.uniform(0.1, 0.4)
                while (left := end - time.monotonic()) > 0:
                    with selectors.DefaultSelector() as waiting:
                        for remote in remotes: waiting.register(remote.socket, selectors.EVENT_READ, remote)
                        for key, _ in waiting.select(left): key.data.lines()
                times.append(one_change(remotes, 3000 + 10 * (run % 300)))
            for what, column in ("accepted", 0), ("asked", 1):
                row = sorted(time[column] * 1e3 for time in times)
                print(f"{count:2} watchers of {'changes' if changes else 'states '}, {what:8} to all told: "
                      f"p50 {statistics.median(row):6.2f} ms, "
                      f"p95 {row[min(len(row) - 1, int(len(row) * 0.95))]:6.2f} ms, worst {row[-1]:6.2f} ms"
                      + (" (target: p95 <= 10)" if column == 0 else ""))
        process.terminate()
        process.wait()


def idle(seconds):
    for changes in False, True:
        with tempfile.TemporaryDirectory() as folder:
            process, path = recorder(folder, "--standby")
            time.sleep(2)
            remote = Remote(path, changes)
            if changes and not remote.knows:
                print("changes: this camrec has none")
            else:
                remote.bytes, end = 0, time.monotonic() + seconds
                with selectors.DefaultSelector() as waiting:
                    waiting.register(remote.socket, selectors.EVENT_READ)
                    while (left := end - time.monotonic()) > 0:
                        if waiting.select(left): remote.lines()
                print(f"{'changes' if changes else 'states '}: "
                      f"{remote.bytes / seconds:.0f} bytes a second to a watcher in standby")
            process.terminate()
            process.wait()


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--changes", type=int, default=100, help="how many changes to measure")
parser.add_argument("--busy", type=int, default=os.cpu_count(), help="processes that keep the cores busy")
parser.add_argument("--idle", type=float, help="seconds for which to count what a watcher in standby is sent")
options = parser.parse_args()
random.seed(37)
if options.idle:
    idle(options.idle)
else:
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    try:
        for count in 1, 16:
            for changes in False, True: measure(count, changes, options.changes)
    finally:
        for process in load: process.kill()
