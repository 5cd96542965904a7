#!/usr/bin/env python3
"""How long a developer waits for a build.

    Benchmarks/builds.py [--release] [--clean] [--runs 3]

For each edit: a function is added to one file of the target, `swift build --build-tests` runs, and the file is put back,
which is built as well, and not timed. The median of the runs. `--clean` also times a build from nothing, in a folder of
its own. Edits are those of a leaf (Looks), of Frames, of Recorder and of a command.
"""
import argparse, pathlib, shutil, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITS = {
    "nothing": None,
    "a leaf (Looks)": "Sources/Looks/LookChain.swift",
    "Frames": "Sources/Frames/FrameSize.swift",
    "Recorder": "Sources/Recorder/FrameLedger.swift",
    "a command": "Sources/camrec/Commands/VerifyCommand.swift",
}


def build(*options):
    begin = time.monotonic()
    done = subprocess.run(["swift", "build", "--build-tests", *options], cwd=ROOT, capture_output=True, text=True)
    if done.returncode: sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
    return time.monotonic() - begin


def timed(path, options, runs):
    times = []
    for _ in range(runs):
        if path is None:
            times.append(build(*options))
            continue
        file = ROOT / path
        before = file.read_text()
        try:
            file.write_text(before + "\nprivate func measuredBuild() {}\n")
            times.append(build(*options))
        finally:
            file.write_text(before)
        build(*options)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    options = ["-c", "release"] if asked.release else []
    build(*options)
    for name, path in EDITS.items():
        print(f"{name:20} {timed(path, options, asked.runs):7.1f} s", flush=True)
    if asked.clean:
        folder = tempfile.mkdtemp(prefix="camrec-build-")
        try:
            print(f"{'from nothing':20} {build(*options, '--scratch-path', folder):7.1f} s", flush=True)
        finally:
            shutil.rmtree(folder)


main()
