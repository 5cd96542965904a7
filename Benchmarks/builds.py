#!/usr/bin/env python3
"""How long a developer waits for a build, and what the machine computes for it.

    Benchmarks/builds.py [--release] [--clean] [--checkout DIR] [--edits NAME,...] [--runs 1]

For each edit: a function is added to one file of the target, and `swift build --build-tests` runs. The edits are those
of a leaf (Looks), of a command, of Recorder and of Frames, one after the other, and the files are put back at the end.
Each line has the median of the runs: seconds of waiting, and seconds of processor time, which other programs of the
machine change little. `--clean` begins with a build from nothing; otherwise, the checkout is built first, without
being timed. `--checkout` measures another checkout of camrec, for example the state before a change.
"""
import argparse, pathlib, resource, shutil, statistics, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITS = {
    "nothing": None,
    "leaf": "Sources/Looks/LookChain.swift",
    "command": "Sources/camrec/Commands/VerifyCommand.swift",
    "Recorder": "Sources/Recorder/FrameLedger.swift",
    "Frames": "Sources/Frames/FrameSize.swift",
}


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build(checkout, options):
    """Builds, and returns the seconds of waiting and of processor time."""
    begin, before = time.monotonic(), processor()
    command = ["swift", "build", "--build-tests", *options]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    if done.returncode: sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
    return time.monotonic() - begin, processor() - before


def timed(file, checkout, options, runs):
    times = []
    for run in range(runs):
        if file: file.write_text(f"{file.read_text()}\nprivate func measuredBuild{run}() {{}}\n")
        times.append(build(checkout, options))
    return [statistics.median(column) for column in zip(*times)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--checkout", type=pathlib.Path, default=ROOT)
    parser.add_argument("--edits", default=",".join(EDITS))
    parser.add_argument("--runs", type=int, default=1)
    asked = parser.parse_args()
    options = ["-c", "release"] if asked.release else []

    def say(name, waited, computed):
        print(f"{name:20} {waited:7.1f} s waited {computed:7.1f} s computed", flush=True)

    if asked.clean:
        folder = asked.checkout / ".build" / ("release" if asked.release else "debug")
        if folder.exists(): shutil.rmtree(folder.resolve())
        subprocess.run(["swift", "package", "resolve"], cwd=asked.checkout, check=True, capture_output=True)
    first = build(asked.checkout, options)
    if asked.clean: say("from nothing", *first)
    files = {name: EDITS[name] and asked.checkout / EDITS[name] for name in asked.edits.split(",")}
    texts = {file: file.read_text() for file in files.values() if file}
    try:
        for name, file in files.items():
            say(name, *timed(file, asked.checkout, options, asked.runs))
    finally:
        for file, text in texts.items(): file.write_text(text)


main()
