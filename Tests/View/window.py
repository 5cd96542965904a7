#!/usr/bin/env python3
"""The window of 'camrec view' on a display of its own (Xvfb), with recorders of simulated cameras: its pixels carry the
mark of the newest frame or the one before, its frame is red while a film is being recorded, and it finds its recorder
again.

    Tests/View/window.py [FOLDER]      FOLDER gets the window and what recorders said where something is wrong

The program is $CAMREC_BINARY, with camrec-view beside it. Nothing depends on speed: everything has a minute.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Tests/View")]
from display import Display  # noqa: E402
from films import BLACK, CELLS, WHITE, number  # noqa: E402
from looker import Looker, pretend  # noqa: E402
from place import CAMREC, OPEN, PATIENCE, Failure, Place, wait_until  # noqa: E402

#: Of the simulated cameras; smaller than the window, so that full size shows all of a frame in the window's middle.
WIDTH, HEIGHT = 640, 360
#: Of a cell of its marks (Sources/Cameras/SimulatedMarkLayout.swift).
CELL_WIDTH, CELL_HEIGHT = 8, 6
CAMERA = ("--camera", "sim", "--size", f"{WIDTH}x{HEIGHT}", "--fps", "20", "--microphone", "none")
RED, AMBER = (226, 32, 32), (255, 176, 0)


# MARK: What is seen

def levels(display):
    """Of the cells of the mark in the window's middle, where full size shows a frame."""
    left, top = (display.width - WIDTH) // 2, (display.height - HEIGHT) // 2
    row = display.rows(left, top + CELL_HEIGHT // 2, CELLS * CELL_WIDTH, 1)[0]
    return [row[4 * (CELL_WIDTH * cell + CELL_WIDTH // 2) + 1] for cell in range(CELLS)]


def shown(display):
    """The number of the frame that the window shows, and when it was read; None where there is no mark."""
    found = number(levels(display))
    return None if found is None else (found, time.monotonic_ns())


def shows(display, looker):
    """Whether the window shows the newest frame or the one before."""
    if (found := shown(display)) is None:
        return False
    newest = looker.newest(found[1])
    return newest is not None and found[0] in (newest, newest - 1)


def frame_is(display, color):
    """Whether the frame around the picture has this colour."""
    left, middle = (display.width - WIDTH) // 2, display.height // 2
    return display.pixel(left - 2, middle) == color and display.pixel(left + WIDTH + 1, middle) == color


def is_grey(display):
    """Whether a veil is over the picture: its white is not white."""
    found = levels(display)
    return max(found[cell] for cell in WHITE) < 190 and min(found[cell] for cell in BLACK) > 40


# MARK: What is tested

def sentences(place):
    """What keeps a window from being opened is one sentence, with the documented status."""
    def refused(status, sentence, *options, display=None, **environment):
        window = place.view(*options, display=display, **environment)
        try:
            _, said = window.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            window.kill()
            raise Failure(f"camrec view {' '.join(options)} does not end") from None
        if window.returncode != status or sentence not in said or len(said.splitlines()) != 1:
            raise Failure(f"camrec view {' '.join(options)} ended with {window.returncode} and said: {said}")

    nowhere = {"DISPLAY": "", "SDL_VIDEODRIVER": "x11"}
    refused(69, "found no running recorder; start one with 'camrec record --standby'")
    place.record("front", *CAMERA).close()
    place.record("back", *CAMERA).close()
    refused(69, "no running recorder is called 'left'; running: back, front", "--name", "left")
    refused(69, "camrec view needs a display; camrec snapshot writes a picture", "--name", "front", **nowhere)
    refused(64, "a window's size is 320x180 to 16384x16384 pixels", "--size", "7x7")
    blind = place.recorders["blind"] = subprocess.Popen(
        [CAMREC, "record", "--camera", "sim", "--size", "320x180", "--standby", "--name", "blind", "--monitor", "none",
         "--microphone", "none", "--output", f"{place.folder}/blind.mov"],
        env=place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until("the recorder without a monitor runs", lambda: place.phase("blind"))
    refused(64, "the recorder 'blind' has no monitor socket", "--name", "blind")
    later = f"{place.folder}/later.monitor"
    pretend(later, 2)
    refused(69, "speaks version 2 of the protocol, but this program speaks version 1", "--monitor", later)
    for recorder in [blind, *place.recorders.values()]:
        recorder.send_signal(signal.SIGTERM)
        recorder.wait()


def waiting(place, display):
    """The first recorder that a window has waited for fills it."""
    window = place.open(display, "--wait")
    looker = place.record("late", *CAMERA)
    wait_until("the window has a picture", lambda: display.pixel(display.width // 2, display.height // 2) != (0, 0, 0))
    display.key("1")
    wait_until("the only recorder fills the window", lambda: shows(display, looker))
    OPEN.clear()
    window.terminate()
    window.wait()
    looker.close()
    late = place.recorders.pop("late")
    late.terminate()
    late.wait()


def one_camera(place, display):
    looker = place.record("front", *CAMERA)
    window = place.open(display, "--name", "front")
    wait_until("the window has a picture", lambda: display.pixel(display.width // 2, display.height // 2) != (0, 0, 0))
    display.key("1")
    wait_until("the window shows the newest frame", lambda: shows(display, looker))
    if frame_is(display, RED):
        raise Failure("the frame is red in standby")
    display.key("space")
    wait_until("the frame is red", lambda: frame_is(display, RED))
    wait_until("the recorder records", lambda: place.phase("front") == "recording")
    wait_until("the window shows the newest frame of a film", lambda: shows(display, looker))
    display.key("space")
    wait_until("the film has ended", lambda: place.phase("front") == "standby")
    wait_until("the frame is not red any more", lambda: not frame_is(display, RED))

    place.recorders["front"].kill()
    place.recorders["front"].wait()
    wait_until("the picture is grey", lambda: is_grey(display))
    looker.close()
    looker = place.record("front", *CAMERA, "--pre-roll", "1s")
    wait_until("the window shows the recorder that is back", lambda: shows(display, looker))
    wait_until("the frame is amber while pre-roll is kept", lambda: frame_is(display, AMBER))
    display.key("q")
    OPEN.clear()
    if window.wait(timeout=PATIENCE) != 0:
        raise Failure(f"the window ended with {window.returncode}: {window.stderr.read()}")
    looker.close()
    if place.phase("front") != "standby":
        raise Failure("the recorder has not stayed when the window was closed")


def two_cameras(place, display):
    """Two recorders beside one another; a click and a digit choose one."""
    lookers = {"front": Looker(place.monitor("front")), "rear": place.record("rear", *CAMERA)}
    window = place.open(display)
    middle = display.height // 2
    for x in (display.width // 4, display.width * 3 // 4):
        wait_until(f"there is a picture at {x}", lambda x=x: display.pixel(x, middle) != (0, 0, 0))
    display.click(display.width * 3 // 4, middle)
    display.key("1")
    wait_until("a click has chosen the second camera", lambda: shows(display, lookers["rear"]))
    display.key("Escape", "Escape")
    wait_until("both are shown again", lambda: shown(display) is None)
    display.key("1")
    display.key("1")
    wait_until("a digit has chosen the first camera", lambda: shows(display, lookers["front"]))
    display.key("Right")
    display.key("1")
    wait_until("an arrow has chosen the next camera", lambda: shows(display, lookers["rear"]))
    OPEN.clear()
    window.terminate()
    window.wait()
    for looker in lookers.values():
        looker.close()


def closings(place, display):
    """Right after a film, a window is closed without an error, however often."""
    for _ in range(12):
        window = place.open(display, "--name", "rear")
        wait_until("the window has a picture",
                   lambda: display.pixel(display.width // 2, display.height // 2) != (0, 0, 0))
        display.key("space")
        wait_until("the recorder records", lambda: place.phase("rear") == "recording")
        display.key("space")
        wait_until("the film has ended", lambda: place.phase("rear") == "standby")
        display.key("q")
        OPEN.clear()
        said = window.communicate(timeout=PATIENCE)
        if window.returncode != 0 or any(said):
            raise Failure(f"the window ended with {window.returncode} and said: {said}")


def measurement(place, display):
    window = place.view("--name", "rear", "--measure", "3", display=display)
    said, errors = window.communicate(timeout=PATIENCE)
    if window.returncode != 0 or not re.fullmatch(
            r"tap to shown: p50 [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms; [1-9]\d* pictures in [\d.]+ s\n", said):
        raise Failure(f"the measurement said: {said}{errors}")


def main():
    evidence = sys.argv[1] if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder, Display(1280, 720) as display:
        place = Place(folder)
        try:
            sentences(place)
            waiting(place, display)
            one_camera(place, display)
            two_cameras(place, display)
            closings(place, display)
            measurement(place, display)
        except Failure as failure:
            if evidence:
                os.makedirs(evidence, exist_ok=True)
                display.save(f"{evidence}/window.png")
                for log in pathlib.Path(folder).glob("*.txt"):
                    shutil.copy(log, evidence)
            sys.exit(f"Tests/View/window.py: {failure}")
        finally:
            place.end()
    print("the window shows what its recorders see")


if __name__ == "__main__":
    main()
