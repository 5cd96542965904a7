#!/usr/bin/env python3
"""How soon a film has its first frame.

    Benchmarks/camera.py [--films 40]                 `start` to the first frame; the camera runs, or rests
    Benchmarks/camera.py --program [--against OTHER]  the program's start to the first frame, beside another binary

The simulated camera at 24 fps. `start`: from the moment the request is sent to the capture of the film's first frame,
and to the answer: median, 95th percentile, worst. A film cannot begin sooner than the next frame, 0 to 41.7 ms later.
Needs the release binary, or CAMREC_BINARY.
"""
import argparse, json, os, pathlib, socket, statistics, subprocess, sys, tempfile, time
from datetime import datetime

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMREC = os.environ.get("CAMREC_BINARY", str(ROOT / ".build/release/camrec"))
CAMERA = ["record", "--camera", "sim", "--size", "1280x720", "--fps", "24", "--lut", str(ROOT / "LUTs/log2709.cube"),
          "--preset", "ultrafast"]


class Remote:
    def __init__(self, path):
        deadline = time.time() + 30
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                if time.time() > deadline: sys.exit("the recorder does not answer")
                time.sleep(0.05)
        self.file = self.socket.makefile("rb")
        self.file.readline()

    def ask(self, word):
        self.socket.sendall(json.dumps({"do": word}).encode() + b"\n")
        answer = json.loads(self.file.readline())
        if not answer["ok"]: sys.exit(answer["error"]["message"])
        return answer["state"]


def line(name, values):
    values = sorted(v * 1000 for v in values)
    at = lambda part: values[min(len(values) - 1, int(part * len(values)))]
    print(f"{name}: median {statistics.median(values):.1f} ms, 95 % {at(0.95):.1f} ms, worst {values[-1]:.1f} ms")


def starts(films, rests):
    frames, answers = [], []
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [CAMREC, *CAMERA, "--standby", "--control", f"{folder}/c.sock", "--output", f"{folder}/take.mov"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        remote = Remote(f"{folder}/c.sock")
        if not rests:
            remote.ask("start"), time.sleep(0.5), remote.ask("stop")
        for _ in range(films):
            time.sleep(11 if rests else 0.3 + 0.037 * (len(frames) % 7))
            wall, begin = time.time(), time.monotonic()
            state = remote.ask("start")
            answers.append(time.monotonic() - begin)
            while "started" not in state: state = remote.ask("state")
            first = datetime.fromisoformat(state["started"].replace("Z", "+00:00")).timestamp()
            frames.append(first - wall)
            time.sleep(0.3)
            remote.ask("stop")
        remote.ask("quit")
        process.wait()
    name = "resting" if rests else "running"
    line(f"start, camera {name}: to the first frame's exposure", frames)
    line(f"start, camera {name}: to the answer", answers)


def first_frame(binary):
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        process = subprocess.Popen(
            [binary, *CAMERA, "--json", "--frames", "2", "--output", f"{folder}/take.mov"], stdout=subprocess.PIPE)
        seconds = None
        for event in process.stdout:
            if json.loads(event).get("event") == "started" and seconds is None: seconds = time.monotonic() - begin
        process.wait()
    return seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=int, default=40)
    parser.add_argument("--rests", type=int, default=5, help="films from a camera that rests; each takes 11 s")
    parser.add_argument("--program", action="store_true")
    parser.add_argument("--against")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    if options.program:
        binaries = [CAMREC] + ([options.against] if options.against else [])
        times = {binary: [] for binary in binaries}
        for _ in range(options.runs):
            for binary in binaries: times[binary].append(first_frame(binary))
        for binary in binaries: line(f"{binary}: start to the event 'started'", times[binary])
        if options.against:
            ratio = statistics.median(a / b for a, b in zip(times[CAMREC], times[options.against]))
            print(f"median ratio, run by run: {ratio:.3f}")
    else:
        starts(options.films, False)
        if options.rests: starts(options.rests, True)
